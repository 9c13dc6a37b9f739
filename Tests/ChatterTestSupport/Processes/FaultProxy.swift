import Foundation
import Synchronization

/// A TCP relay on loopback that misbehaves on purpose: it delays, stalls, cuts and resets what passes through, as
/// a mobile network does. One thread, non-blocking sockets, faults from a seed.
public final class FaultProxy: Sendable {
    public enum Weather: Sendable, Equatable {
        case clear
        /// Each chunk waits up to so long; order within a direction is kept.
        case slow(Duration)
        /// Connections live but nothing passes: a half-open network.
        case stalled
        /// Connections are reset and new ones refused: no network.
        case cut
        /// Each connection is reset in both directions after a random number of bytes, this many at most.
        case fragile(bytes: Int)
    }

    public let port: UInt16
    private let loop: Loop

    /// Listens on a free port and relays to `upstreamPort` on 127.0.0.1 until `stop`.
    public init(upstreamPort: UInt16, seed: UInt64) throws {
        let listener = try Socket.listening()
        port = listener.port
        loop = try Loop(listener: listener.descriptor, upstreamPort: upstreamPort, seed: seed)
        let loop = loop
        Thread { loop.run() }.start()
    }

    /// Takes effect on present and later connections.
    public func set(_ weather: Weather) { loop.ask(.weather(weather)) }

    /// Resets every present connection; the weather stays.
    public func resetAll() { loop.ask(.reset) }

    public func stop() { loop.ask(.stop) }
}

private enum Wish: Sendable {
    case weather(FaultProxy.Weather)
    case reset
    case stop
}

/// The thread's state. All but `wishes` and the wake descriptor belongs to the thread that runs it.
private final class Loop: @unchecked Sendable {
    private let wishes = Mutex<[Wish]>([])
    private let wakeRead: Int32
    private let wakeWrite: Int32
    private let listener: Int32
    private let upstreamPort: UInt16
    private var random: SeededRandom
    private var weather = FaultProxy.Weather.clear
    private var links: [Link] = []

    init(listener: Int32, upstreamPort: UInt16, seed: UInt64) throws {
        (wakeRead, wakeWrite) = try Socket.pipe(blocking: false)
        self.listener = listener
        self.upstreamPort = upstreamPort
        random = SeededRandom(seed: seed)
    }

    func ask(_ wish: Wish) {
        wishes.withLock { $0.append(wish) }
        var byte: UInt8 = 0
        _ = write(wakeWrite, &byte, 1)  // A full pipe means that the loop is already awake.
    }

    func run() {
        var running = true
        while running {
            wait()
            for wish in wishes.withLock({ wishes in
                defer { wishes = [] }
                return wishes
            }) {
                switch wish {
                case .weather(let new):
                    weather = new
                    for index in links.indices { arm(links[index]) }
                case .reset: links.forEach { $0.reset() }
                case .stop: running = false
                }
            }
            if weather == .cut || !running { links.forEach { $0.reset() } }
            accept()
            if weather != .stalled { for link in links { link.pump(now: .now) } }
            links.removeAll { $0.isClosed }
        }
        for descriptor in [wakeRead, wakeWrite, listener] { close(descriptor) }
    }

    private func arm(_ link: Link) {
        if case .fragile(let bytes) = weather {
            link.bytesLeft = Int.random(in: 1...bytes, using: &random)
        } else {
            link.bytesLeft = nil
        }
        if case .slow(let longest) = weather {
            link.delay = longest * Double.random(in: 0...1, using: &random)
        } else {
            link.delay = .zero
        }
    }

    private func accept() {
        while true {
            guard let client = Socket.accepted(from: listener) else { return }
            guard weather != .cut, let server = Socket.connected(to: upstreamPort) else {
                Socket.reset(client)
                continue
            }
            let link = Link(client: client, server: server)
            arm(link)
            links.append(link)
        }
    }

    private func wait() {
        var interest = [pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0)]
        interest.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
        var timeout = Int32(1000)
        if weather != .stalled {
            for link in links {
                interest += link.interest
                if let due = link.due, due > .now {
                    timeout = min(timeout, Int32(max(0, (due - .now) / .milliseconds(1)).rounded(.up)))
                }
            }
        }
        _ = poll(&interest, nfds_t(interest.count), timeout)
        var drain = [UInt8](repeating: 0, count: 64)
        while read(wakeRead, &drain, drain.count) > 0 {}
    }
}

/// One relayed connection: two directions, each a queue of chunks with the time they are due.
private final class Link {
    private struct Direction {
        let from: Int32
        let to: Int32
        var chunks: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
        var ended = false
        var endPassed = false
    }

    var bytesLeft: Int?
    var delay = Duration.zero
    private(set) var isClosed = false
    private var directions: [Direction]

    init(client: Int32, server: Int32) {
        directions = [Direction(from: client, to: server), Direction(from: server, to: client)]
    }

    var due: ContinuousClock.Instant? { directions.compactMap { $0.chunks.first?.due }.min() }

    var interest: [pollfd] {
        let reading = directions.filter { !$0.ended && $0.chunks.count < 64 }
            .map { pollfd(fd: $0.from, events: Int16(POLLIN), revents: 0) }
        let writing = directions.filter { $0.chunks.first.map { $0.due <= .now } ?? false }
            .map { pollfd(fd: $0.to, events: Int16(POLLOUT), revents: 0) }
        return reading + writing
    }

    func pump(now: ContinuousClock.Instant) {
        for index in directions.indices where !isClosed {
            receive(index, now)
            forward(index, now)
        }
        if directions.allSatisfy(\.endPassed) { closeBoth() }
    }

    private func receive(_ index: Int, _ now: ContinuousClock.Instant) {
        guard !directions[index].ended, directions[index].chunks.count < 64 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(directions[index].from, &buffer, buffer.count, 0)
        if count > 0 {
            // A later chunk is never due before an earlier one, or the relay would reorder the stream.
            let due = max(now + delay, directions[index].chunks.last?.due ?? now)
            directions[index].chunks.append((due, Array(buffer[..<count])))
        } else if count == 0 {
            directions[index].ended = true
        } else if errno != EAGAIN {
            reset()
        }
    }

    private func forward(_ index: Int, _ now: ContinuousClock.Instant) {
        while !isClosed, let (due, bytes) = directions[index].chunks.first, due <= now {
            let allowed = min(bytes.count, bytesLeft ?? .max)
            let sent = send(directions[index].to, bytes, allowed, Int32(MSG_NOSIGNAL))
            guard sent >= 0 else {
                if errno != EAGAIN { reset() }
                return
            }
            bytesLeft = bytesLeft.map { $0 - sent }
            if bytesLeft == 0 { return reset() }
            if sent == bytes.count {
                directions[index].chunks.removeFirst()
            } else {
                directions[index].chunks[0].bytes.removeFirst(sent)
                return
            }
        }
        if directions[index].ended, directions[index].chunks.isEmpty, !directions[index].endPassed, !isClosed
        {
            shutdown(directions[index].to, Int32(SHUT_WR))
            directions[index].endPassed = true
        }
    }

    func reset() {
        guard !isClosed else { return }
        isClosed = true
        Socket.reset(directions[0].from)
        Socket.reset(directions[0].to)
    }

    private func closeBoth() {
        guard !isClosed else { return }
        isClosed = true
        close(directions[0].from)
        close(directions[0].to)
    }
}
