import Foundation

/// What was measured, beside what it may be; each line is printed when it is known.
final class Table {
    private(set) var holds = true

    func line(_ what: String, _ figure: Double, _ unit: String, below limit: Double) {
        let isGood = figure < limit
        holds = holds && isGood
        let measured = "\(text(figure)) \(unit)"
        say(
            "  \(padded(what, 46))\(padded(measured, 12))\(padded("< \(text(limit))", 9))\(isGood ? "ok" : "OVER")"
        )
    }

    /// At once, also into a pipe: the whole takes minutes.
    func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func padded(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }

    private func text(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(0...(abs(number) < 10 ? 2 : 0))))
    }
}

extension [Duration] {
    /// In milliseconds; 0 of none.
    var median: Double { isEmpty ? 0 : sorted()[count / 2] / .milliseconds(1) }
}
