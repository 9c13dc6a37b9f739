import Foundation

/// What a process has used so far, from /proc.
public struct ProcessUse: Sendable {
    public let cpu: Duration
    public let residentBytes: Int

    public static func now(_ pid: pid_t) -> ProcessUse {
        let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        // The program's name stands in brackets and may hold spaces: count the fields behind it.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return ProcessUse(
            cpu: .seconds(ticks / Double(sysconf(Int32(_SC_CLK_TCK)))), residentBytes: (resident ?? 0) * 1024)
    }
}
