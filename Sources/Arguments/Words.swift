/// What a person typed, made safe and short for an error line.
func quoted(_ text: String) -> String {
    let safe = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : String($0) }
    let line = safe.joined()
    return line.count > 40 ? "'\(line.prefix(40))…'" : "'\(line)'"
}

/// The nearest name at most two typing errors away, if there is one.
func suggestion(for typed: String, among names: [String]) -> String? {
    let ranked = names.map { (name: $0, distance: distance(typed, $0)) }.min { $0.distance < $1.distance }
    guard let ranked, ranked.distance <= 2, ranked.distance < typed.count else { return nil }
    return ranked.name
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
private func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}
