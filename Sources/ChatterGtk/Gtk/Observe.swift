import CGtk
import Observation

/// Runs a rendering closure again when something it read has changed. All observers' work is done together, at once
/// after a quiet spell and at most once a frame in a busy one, however many changes there were.
///
/// A model keeps its observers until something of what they read changes, and many a page comes and goes before that.
/// So an observer reads itself, too: that it stops is a change, and the models let it go.
@Observable
final class Observer {
    @ObservationIgnored private var track: (() -> Void)?
    @ObservationIgnored private let render: () -> Void
    private var isStopped = false

    private static var waiting: [Observer] = []
    private static var lastFlush = 0
    /// Microseconds. Without a limit a burst of changes renders between any two of them.
    private static let frame = 16_000

    /// - Parameters:
    ///   - track: what it reads is followed.
    ///   - render: runs after it; what that reads is not.
    init(_ track: @escaping () -> Void, then render: @escaping () -> Void = {}) {
        self.track = track
        self.render = render
    }

    /// Whatever has changed was rendered.
    static var isIdle: Bool { waiting.isEmpty }

    func stop() {
        track = nil
        isStopped = true
    }

    func run() {
        guard let track else { return }
        withObservationTracking {
            _ = isStopped
            track()
        } onChange: { [self] in
            // View models live on the main actor, so their changes are told there.
            MainActor.assumeIsolated { schedule() }
        }
        render()
    }

    private func schedule() {
        guard track != nil else { return }
        Self.waiting.append(self)
        guard Self.waiting.count == 1 else { return }
        let delay = max(0, Self.lastFlush + Self.frame - g_get_monotonic_time()) / 1000
        MainLoop.after(milliseconds: UInt32(delay)) { Self.flush() }
    }

    /// Renders what has changed, now: for what the keyboard does, since the next key does not wait for the next frame.
    static func flush() {
        lastFlush = g_get_monotonic_time()
        let ready = waiting
        waiting = []
        for observer in ready { observer.run() }
    }
}

extension Handle {
    /// Renders now, and after every change of the observable properties that `render` reads, for as long as this object
    /// lives. It must build no widgets that observe: their reading would count as its own.
    @discardableResult
    func observe(_ render: @escaping (Self) -> Void) -> Self {
        let observer = Observer { render(self) }
        onDispose { observer.stop() }
        observer.run()
        return self
    }

    /// Renders now, and whenever `value` has become another one. Only what `value` reads is followed: so this is the
    /// place to build widgets that observe things of their own.
    @discardableResult
    func observe<Value: Equatable>(_ value: @escaping () -> Value, _ render: @escaping (Self, Value) -> Void)
        -> Self
    {
        var current: Value?
        var shown: Value?
        let observer = Observer({ current = value() }) {
            guard let current, shown != current else { return }
            shown = current
            render(self, current)
        }
        onDispose { observer.stop() }
        observer.run()
        return self
    }

    /// Does `body` in a task that is cancelled when this object goes.
    @discardableResult
    func task(_ body: @escaping () async -> Void) -> Self {
        let task = Task { await body() }
        return onDispose { task.cancel() }
    }

    /// Runs `body` once before the next frame, if the object still exists then.
    func nextFrame(_ body: @escaping () -> Void) {
        MainLoop.after(milliseconds: 0) { if exists { body() } }
    }
}

/// Does what a person asked for. It begins at once, so that what it changes before its first wait is there when this
/// returns, and it goes on when the widget has gone: a message is sent although its window was closed.
func perform(_ action: @escaping () async -> Void) {
    Task.immediate { await action() }
}
