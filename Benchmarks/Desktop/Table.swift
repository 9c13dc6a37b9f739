import Foundation

/// What was measured, beside what it may be; each line is printed when it is known.
final class Table {
    private(set) var holds = true

    func line(_ what: String, _ figure: Double, _ unit: String, below limit: Double) {
        let isGood = figure < limit
        holds = holds && isGood
        let label = what.padding(toLength: 44, withPad: " ", startingAt: 0)
        say("  \(label) \(text(figure)) \(unit)  (< \(text(limit)))\(isGood ? "" : "  MISSED")")
    }

    /// At once, also into a pipe: the whole takes minutes.
    func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func text(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(0...(number < 10 ? 2 : 0))))
    }
}

extension [Duration] {
    /// In milliseconds; 0 of none.
    var median: Double { isEmpty ? 0 : sorted()[count / 2] / .milliseconds(1) }
}
