/// What the writer did so far.
struct GroupStatistics: Sendable {
    /// Jobs in each commit; each commit is one sync to disk.
    private(set) var sizes = Histogram(bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500])
    /// Seconds of each commit: jobs, statements and sync together.
    private(set) var seconds = Histogram(bounds: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2])
    var failedGroups = 0
    /// Jobs not yet begun.
    var waiting = 0

    var groups: Int { sizes.count }
    var jobs: Int { Int(sizes.sum) }

    mutating func count(jobs: Int, took: Duration) {
        sizes.add(Double(jobs))
        seconds.add(took / .seconds(1))
    }
}

/// How often values fell below each bound.
struct Histogram: Sendable {
    let bounds: [Double]
    /// For each bound the values not above it and above the one before; then those above all.
    private(set) var counts: [Int]
    private(set) var sum = 0.0
    private(set) var count = 0

    /// - Parameter bounds: ascending.
    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
        count += 1
    }
}
