import SQLite

@testable import ChatterClient

extension Database {
    /// Every value of every row, so that two states can be compared.
    func contents() throws -> [String] {
        try Table.allCases.flatMap { table -> [String] in
            let columns = try all("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) }
            let values = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
            return try all("SELECT '\(table): ' || \(values) FROM \(table) ORDER BY 1") { $0.text(0) }
        }
    }
}
