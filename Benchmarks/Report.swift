import Foundation

/// Lines that a person reads: what, how much, what it should be.
enum Report {
    static func line(_ name: String, _ value: Double, _ unit: String, goal: String = "") {
        let digits = value < 100 ? 2 : 0
        let number = value.formatted(.number.precision(.fractionLength(digits)))
        let label = name.padding(toLength: 44, withPad: " ", startingAt: 0)
        print("  \(label) \(number) \(unit)\(goal.isEmpty ? "" : "  (\(goal))")")
    }

    static func percentiles(_ name: String, _ samples: [Duration]) {
        guard !samples.isEmpty else { return print("  \(name): no samples") }
        let sorted = samples.sorted()
        for (label, share) in [("p50", 0.5), ("p99", 0.99)] {
            let index = min(sorted.count - 1, Int(Double(sorted.count) * share))
            line("\(name), \(label)", sorted[index] / .milliseconds(1), "ms")
        }
    }
}

/// What a process has used so far, from /proc.
struct ProcessUse {
    let cpu: Duration
    let residentBytes: Int

    static func now(_ pid: pid_t) -> ProcessUse {
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
