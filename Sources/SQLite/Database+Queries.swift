extension Database {
    /// Runs one statement to its end; rows are thrown away.
    public func run(_ sql: String, _ values: (any Bindable)?...) throws(SQLiteError) {
        try run(sql, values)
    }

    public func run(_ sql: String, _ values: [(any Bindable)?]) throws(SQLiteError) {
        let statement = try take(sql)
        do {
            try statement.bind(values)
            while try statement.step() {}
        } catch {
            abandon(statement)
            throw error
        }
        try finish(statement)
    }

    /// Runs every statement of a script in order and stops at the first that fails. It is no transaction.
    public func execute(script: String) throws(SQLiteError) {
        var text = script
        while true {
            let (statement, rest) = try compileFirst(&text, isCached: false)
            if let statement {
                do {
                    while try statement.step() {}
                } catch {
                    abandon(statement)
                    throw error
                }
                try finish(statement)
            }
            if rest.isEmpty { return }
            text = String(rest)
        }
    }

    /// Calls `body` for each row in turn. `body` may run other statements, even the same one.
    public func each(
        _ sql: String, _ values: (any Bindable)?..., body: (borrowing Row) throws -> Void
    ) throws {
        try each(sql, values, body: body)
    }

    public func each(
        _ sql: String, _ values: [(any Bindable)?], body: (borrowing Row) throws -> Void
    ) throws {
        try visit(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// Every row, mapped, in the statement's order.
    public func all<T>(
        _ sql: String, _ values: (any Bindable)?..., map: (borrowing Row) throws -> T
    ) throws -> [T] {
        try all(sql, values, map: map)
    }

    public func all<T>(
        _ sql: String, _ values: [(any Bindable)?], map: (borrowing Row) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try visit(sql, values) { row in
            result.append(try map(row))
            return true
        }
        return result
    }

    /// The first row, mapped; nil when there is none.
    public func first<T>(
        _ sql: String, _ values: (any Bindable)?..., map: (borrowing Row) throws -> T
    ) throws -> T? {
        try first(sql, values, map: map)
    }

    public func first<T>(
        _ sql: String, _ values: [(any Bindable)?], map: (borrowing Row) throws -> T
    ) throws -> T? {
        var result: T?
        try visit(sql, values) { row in
            result = try map(row)
            return false
        }
        return result
    }

    /// Steps through the rows until `body` answers false.
    private func visit(
        _ sql: String, _ values: [(any Bindable)?], _ body: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try take(sql)
        do {
            try statement.bind(values)
            while try statement.step() {
                guard try body(Row(pointer: statement.pointer)) else { break }
            }
        } catch {
            abandon(statement)
            throw error
        }
        try finish(statement)
    }
}
