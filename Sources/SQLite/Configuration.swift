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
        public var busyTimeout: Duration
        public var synchronous: Synchronous
        public var foreignKeys: Bool
        /// Page cache of the connection.
        public var cacheKilobytes: Int
        /// On Apple platforms: flush the drive's own cache too, not only the kernel's. Elsewhere it has no effect.
        public var fullFileSync: Bool
        /// Compiled statements kept for reuse.
        public var statementCacheSize: Int

        public init(
            busyTimeout: Duration = .seconds(5), synchronous: Synchronous = .full, foreignKeys: Bool = true,
            cacheKilobytes: Int = 8_192, fullFileSync: Bool = true, statementCacheSize: Int = 200
        ) {
            self.busyTimeout = busyTimeout
            self.synchronous = synchronous
            self.foreignKeys = foreignKeys
            self.cacheKilobytes = cacheKilobytes
            self.fullFileSync = fullFileSync
            self.statementCacheSize = statementCacheSize
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
