import CWebSockets
import Foundation

/// How many descriptors this process may have open.
enum DescriptorLimit {
    /// Raises the soft limit, as far as the hard one allows, so that `count` connections fit twice: a process may
    /// hold both ends. To be called before an event loop is made, whose tables are as large as the limit.
    static func raise(toHold count: Int) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        let wanted = rlim_t(2 * count + 1024)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(kind, &limit)
    }
}
