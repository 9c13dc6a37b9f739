import ChatterServer
import Foundation

/// SIGTERM and SIGINT, from the moment this is made: the first asks for an orderly end, the second ends at once.
///
/// A handler, and not a mask or a dispatch source: it holds for every thread, whatever each of them blocks, and it is
/// there as soon as `init` returns, so that no signal can fall between two steps of the start.
struct Signals: Sendable {
    private let first: AsyncStream<Void>

    /// Once in a process. Throws `StartFailure`.
    init() throws(StartFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw StartFailure(
                "cannot start: \(String(cString: strerror(errno)))", exitCode: StartFailure.software)
        }
        handlerPipe = ends[1]
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        first = stream
        let read = ends[0]
        Thread.detachNewThread { Self.follow(read, continuation) }
        for number in [SIGTERM, SIGINT] { signal(number, passOn) }
    }

    /// Returns at the first signal, also when it came before this call.
    func wait() async {
        for await _ in first { return }
    }

    private static func follow(_ descriptor: Int32, _ first: AsyncStream<Void>.Continuation) {
        var count = 0
        var number: UInt8 = 0
        while true {
            guard read(descriptor, &number, 1) == 1 else { continue }  // interrupted: nobody closes the pipe
            count += 1
            if count > 1 { exit(128 + Int32(number)) }
            first.yield()
        }
    }
}

// Unsafe: written once, before the handler that reads it is there.
nonisolated(unsafe) private var handlerPipe: Int32 = -1

/// Runs inside whatever the signal interrupted, so that it may call only what POSIX allows there.
private func passOn(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    // Full after 64 Ki signals; the first two have been heard by then.
    _ = write(handlerPipe, &byte, 1)
    errno = before
}
