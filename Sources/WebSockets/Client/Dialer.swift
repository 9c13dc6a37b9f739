import CWebSockets
import Foundation
import Synchronization

/// Finds a host's addresses and connects to the one that answers first, away from every loop and task.
///
/// Addresses are tried one after the other, each with a head start of 250 ms before the next (RFC 8305), so
/// that a broken IPv6 path costs little.
final class Dialer: Sendable {
    typealias Outcome = Result<Int32, WebSocketError>

    private static let headStart: Duration = .milliseconds(250)

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case finished(Outcome)
        case taken
    }

    private let host: String
    private let port: UInt16
    private let deadline: ContinuousClock.Instant
    private let name: String
    private let state = Mutex(State.idle)
    /// Readable once the attempt is over; closed with the dialer.
    private let cancellation = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init(host: String, port: UInt16, deadline: ContinuousClock.Instant) {
        self.host = host
        self.port = port
        self.deadline = deadline
        name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    deinit { close(cancellation) }

    /// Ends the attempt at once, even in the middle of a name lookup, which nothing can interrupt.
    func cancel() { finish(.failure(.cancelled)) }

    /// As `cancel`, for an attempt whose time is up.
    func timeOut() { finish(.failure(.timedOut(name))) }

    /// A connected, non-blocking descriptor that belongs to the caller.
    func dial() async throws(WebSocketError) -> Int32 {
        DialThreads.shared.run { self.finish(self.connect()) }
        let outcome = await withCheckedContinuation { waiter in
            let finished = state.withLock { state -> Outcome? in
                if case .finished(let outcome) = state {
                    state = .taken
                    return outcome
                }
                state = .waiting(waiter)
                return nil
            }
            if let finished { waiter.resume(returning: finished) }
        }
        return try outcome.get()
    }

    /// The first outcome counts; a connection that comes too late is closed.
    private func finish(_ outcome: Outcome) {
        eventfd_write(cancellation, 1)
        let (waiter, isLate) = state.withLock { state in
            switch state {
            case .idle:
                state = .finished(outcome)
                return (CheckedContinuation<Outcome, Never>?.none, false)
            case .waiting(let waiter):
                state = .taken
                return (waiter, false)
            case .finished, .taken:
                return (nil, true)
            }
        }
        waiter?.resume(returning: outcome)
        if isLate, case .success(let descriptor) = outcome { close(descriptor) }
    }

    private func connect() -> Outcome {
        do throws(WebSocketError) {
            var race = Race(try SocketAddress.resolve(host: host, port: port, forListening: false))
            defer { race.closeAll() }
            while true {
                race.startNext(after: Self.headStart)
                guard let nextLook = race.nextLook else { throw .unreachable("\(name): \(race.lastFailure)") }
                guard ContinuousClock.now < deadline else { throw .timedOut(name) }
                switch race.wait(until: min(nextLook, deadline), cancellation: cancellation) {
                case .connected(let descriptor): return .success(descriptor)
                case .cancelled: throw .cancelled
                case .nothing: continue
                }
            }
        } catch {
            return .failure(error)
        }
    }
}

/// A few threads for calls that block: name lookups and waiting for connections.
private final class DialThreads: Sendable {
    static let shared = DialThreads()

    private static let most = 32

    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    func run(_ work: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            state.waiting.append(work)
            guard state.running < Self.most else { return false }
            state.running += 1
            return true
        }
        guard mustStart else { return }
        let thread = Thread { [self] in
            while let work = next() { work() }
        }
        thread.name = "dial"
        thread.stackSize = 256 * 1024
        thread.start()
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}

/// The attempts of one dialer.
private struct Race {
    enum Outcome {
        case connected(Int32)
        case cancelled
        case nothing
    }

    private var waiting: [SocketAddress]
    private var attempts: [Int32] = []
    private var nextStart = ContinuousClock.now
    private(set) var lastFailure = "no address"

    init(_ addresses: [SocketAddress]) { waiting = addresses }

    /// When there is something to do even if no attempt changes; nil when all have failed.
    var nextLook: ContinuousClock.Instant? {
        if !waiting.isEmpty { return nextStart }
        return attempts.isEmpty ? nil : .now + .seconds(60)
    }

    mutating func startNext(after headStart: Duration) {
        while !waiting.isEmpty, attempts.isEmpty || ContinuousClock.now >= nextStart {
            let address = waiting.removeFirst()
            nextStart = .now + headStart
            let descriptor = socket(
                address.family,
                Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                lastFailure = systemWords(errno)
                continue
            }
            guard address.withPointer({ Foundation.connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS
            else {
                lastFailure = systemWords(errno)
                close(descriptor)
                continue
            }
            attempts.append(descriptor)
        }
    }

    mutating func wait(until instant: ContinuousClock.Instant, cancellation: Int32) -> Outcome {
        var polled = attempts.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
        polled.append(pollfd(fd: cancellation, events: Int16(POLLIN), revents: 0))
        let left = max(instant - .now, .zero) / .milliseconds(1)
        poll(&polled, nfds_t(polled.count), Int32(left.rounded(.up)))
        if polled[polled.count - 1].revents != 0 { return .cancelled }
        for entry in polled.dropLast() where entry.revents != 0 {
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(entry.fd, Int32(SOL_SOCKET), Int32(SO_ERROR), &code, &size)
            attempts.removeAll { $0 == entry.fd }
            if code == 0 { return .connected(entry.fd) }
            lastFailure = systemWords(code)
            close(entry.fd)
        }
        return .nothing
    }

    mutating func closeAll() {
        for descriptor in attempts { close(descriptor) }
        attempts = []
    }
}
