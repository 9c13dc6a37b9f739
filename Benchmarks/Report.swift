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
