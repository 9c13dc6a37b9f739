/// Columns for people. Widths count terminal columns, so that wide characters line up too.
enum Table {
    static func rows(_ rows: [[String]]) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { column < $0.count ? TextWidth.columns(of: $0[column]) : nil }.max() ?? 0
        }
        return rows.map { row in
            let line = zip(row, widths).map { TextWidth.padded($0, to: $1) }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    static func fields(_ fields: [(String, String)]) -> String {
        rows(fields.map { [$0.0, $0.1] })
    }
}
