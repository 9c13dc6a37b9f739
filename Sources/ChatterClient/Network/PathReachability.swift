#if canImport(Network)
    import Foundation
    import Network

    /// The system's view of the network path, Wi-Fi to cellular included. Apple platforms.
    final class PathReachability: Reachability {
        func changes() -> AsyncStream<Bool> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { continuation.yield($0.status != .unsatisfied) }
                continuation.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "chatter.path"))
            }
        }
    }
#endif
