#if os(Linux)
    @preconcurrency import Dispatch
    import Foundation

    /// Listens to the kernel's notices about links and addresses, and looks after each whether an interface other than
    /// the loopback has an address. It does not know whether a route leads anywhere: it says "try now" and "there is
    /// nothing".
    final class NetlinkReachability: Reachability {
        func changes() -> AsyncStream<Bool> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Bool.self, bufferingPolicy: .bufferingNewest(1))
            guard let socket = NetlinkSocket() else {
                // Not allowed here (some containers): attempts are then paced by back-off alone.
                continuation.yield(true)
                return stream
            }
            continuation.yield(Self.hasAddress())
            // A change comes as a burst of notices; they melt into one by the buffer.
            let listening = Listening(socket) { continuation.yield(Self.hasAddress()) }
            continuation.onTermination = { _ in listening.end() }
            return stream
        }

        /// An interface that is up, other than the loopback, has an IP address.
        private static func hasAddress() -> Bool {
            var first: UnsafeMutablePointer<ifaddrs>?
            // Better an attempt too many than none.
            guard getifaddrs(&first) == 0 else { return true }
            defer { freeifaddrs(first) }
            var next = first
            while let entry = next?.pointee {
                let isUp = entry.ifa_flags & UInt32(IFF_UP) != 0
                let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
                if isUp, !isLoopback, let family = entry.ifa_addr?.pointee.sa_family,
                    [AF_INET, AF_INET6].contains(Int32(family))
                {
                    return true
                }
                next = entry.ifa_next
            }
            return false
        }
    }

    private final class Listening: @unchecked Sendable {  // dispatch sources are thread-safe
        private let source: any DispatchSourceRead

        init(_ socket: NetlinkSocket, changed: @escaping @Sendable () -> Void) {
            source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: .global())
            source.setEventHandler {
                if socket.drain() { changed() }
            }
            source.setCancelHandler { socket.close() }
            source.resume()
        }

        func end() { source.cancel() }
    }

    /// A socket of the rtnetlink family, subscribed to changes of links and addresses.
    private struct NetlinkSocket {
        let descriptor: Int32

        init?() {
            // AF_NETLINK, NETLINK_ROUTE: Glibc's module map leaves <linux/netlink.h> out.
            let descriptor = socket(
                16, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0
            )
            guard descriptor >= 0 else { return nil }
            // struct sockaddr_nl { family, pad, pid, groups }: RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR.
            let address: [UInt32] = [16, 0, 0x1 | 0x10 | 0x100]
            let bound = address.withUnsafeBytes { bytes in
                bind(
                    descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                    socklen_t(bytes.count))
            }
            guard bound == 0 else {
                Foundation.close(descriptor)
                return nil
            }
            self.descriptor = descriptor
        }

        /// Empties the socket; false when there was nothing. What the notices say does not matter.
        func drain() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            var found = false
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                // ENOBUFS: notices were lost, which is a notice too.
                guard count > 0 || (count < 0 && (errno == EINTR || errno == ENOBUFS)) else { return found }
                found = true
            }
        }

        func close() { Foundation.close(descriptor) }
    }
#endif
