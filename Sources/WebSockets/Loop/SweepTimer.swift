import CWebSockets

/// The one timer of an event loop: fires at the earliest instant it was armed for, at most 50 times a second.
///
/// Deadlines live in the sockets and are looked at together, because a libwebsockets timer costs a walk
/// through a sorted list each time it moves.
struct SweepTimer: ~Copyable {
    private static let spacing: Duration = .milliseconds(20)

    private final class Owner {
        var fire: () -> Void = {}
        var armed: ContinuousClock.Instant?
    }

    private let owner = Owner()
    private let context: OpaquePointer
    private let timer: UnsafeMutablePointer<cws_timer>

    init(context: OpaquePointer) {
        self.context = context
        timer = .allocate(capacity: 1)
        timer.initialize(to: cws_timer())
        timer.pointee.owner = Unmanaged.passUnretained(owner).toOpaque()
    }

    deinit { timer.deallocate() }

    var fire: () -> Void {
        get { owner.fire }
        nonmutating set { owner.fire = newValue }
    }

    func arm(at instant: ContinuousClock.Instant) {
        if let armed = owner.armed, armed <= instant { return }
        owner.armed = instant
        let delay = max(instant - .now, Self.spacing)
        lws_sul_schedule(context, 0, entry, Self.fired, lws_usec_t(delay / .microseconds(1)))
    }

    func cancel() {
        lws_sul_cancel(entry)
        owner.armed = nil
    }

    private var entry: UnsafeMutablePointer<lws_sorted_usec_list_t> {
        UnsafeMutableRawPointer(timer).assumingMemoryBound(to: lws_sorted_usec_list_t.self)
    }

    private static let fired: @convention(c) (UnsafeMutablePointer<lws_sorted_usec_list_t>?) -> Void = {
        entry in
        guard let entry else { return }
        let timer = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: cws_timer.self)
        guard let pointer = timer.pointee.owner else { return }
        let owner = Unmanaged<Owner>.fromOpaque(pointer).takeUnretainedValue()
        owner.armed = nil
        owner.fire()
    }
}
