/// Builds the text that Prometheus reads.
struct MetricsPage {
    private(set) var text = ""
    private var name = ""

    mutating func counter(_ name: String, _ help: String) { begin(name, help, "counter") }
    mutating func gauge(_ name: String, _ help: String) { begin(name, help, "gauge") }

    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        begin(name, help, "histogram")
        var below = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            below += count
            text += "\(name)_bucket{le=\"\(bound)\"} \(below)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(histogram.sum)\n\(name)_count \(histogram.count)\n"
    }

    private mutating func begin(_ name: String, _ help: String, _ type: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// Labels are routes, statuses and frame types of our own: nothing in them needs escaping.
    mutating func value(
        _ value: some Numeric & CustomStringConvertible, _ labels: KeyValuePairs<String, String> = [:]
    ) {
        let list = labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
        text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
    }
}
