extension Database {
    /// How a connection is set up when it is opened.
    public struct Configuration: Sendable {
        /// When a commit reaches the disk.
        public enum Synchronous: String, Sendable {
            /// At the next checkpoint: the last commits may be lost when the power fails, never when the process dies.
            case normal = "NORMAL"
            /// Before the commit returns.
            case full = "FULL"
        }

        /// How long a call waits for another connection's lock before it fails with `isBusy`.
        public var busyTimeout: Duration = .seconds(5)
        public var synchronous: Synchronous = .full
        public var foreignKeys = true
        /// Page cache of the connection.
        public var cacheKilobytes = 8_192
        /// On Apple platforms: flush the drive's own cache too, not only the kernel's. Elsewhere it has no effect.
        public var fullFileSync = true
        /// Compiled statements kept for reuse.
        public var statementCacheSize = 200

        public init() {}

        public init(
            busyTimeout: Duration = .seconds(5), synchronous: Synchronous = .full, foreignKeys: Bool = true,
            cacheKilobytes: Int = 8_192
        ) {
            self.busyTimeout = busyTimeout
            self.synchronous = synchronous
            self.foreignKeys = foreignKeys
            self.cacheKilobytes = cacheKilobytes
        }
    }

    public enum Mode: Sendable {
        /// Created when missing, readable by its owner alone.
        case readWrite
        case readOnly
        /// Private to this connection; the path is not used.
        case memory
    }
}
