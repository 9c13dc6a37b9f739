import Dispatch
import Foundation
import Synchronization

/// SIGTERM and SIGINT: the first asks for an orderly end, the second ends at once.
final class Signals: Sendable {
    private let count = Atomic<Int>(0)
    // Unsafe: written by the one call of `wait`, and kept only so that the sources live.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

    /// Returns at the first signal.
    func wait() async {
        await withCheckedContinuation { continuation in
            for number in [SIGTERM, SIGINT] {
                // The source sees it all the same; the default would end the process.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [self] in
                    if count.add(1, ordering: .relaxed).newValue == 1 {
                        continuation.resume()
                    } else {
                        exit(128 + number)
                    }
                }
                source.resume()
                sources.append(source)
            }
        }
    }
}
