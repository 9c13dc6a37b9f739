/// Values are passed one by one, each of a type known to the compiler, which costs no boxes and no array. The
/// overloads that take `any Bindable` are for a literal `nil` and for lists made at run time.
extension Database {
    /// Runs one statement to its end; rows are thrown away.
    public func run<each Value: Bindable>(_ sql: String, _ values: repeat each Value) throws(SQLiteError) {
        let statement = try take(sql)
        do {
            // Bound here, not in a function of their own: passing a pack on would copy every value.
            var count: Int32 = 0
            repeat try statement.bind(each values, after: &count)
            try statement.check(count: count)
            while try step(statement) {}
        } catch {
            abandon(statement)
            throw error
        }
        try finish(statement)
    }

    public func run(_ sql: String, _ values: (any Bindable)?...) throws(SQLiteError) {
        try run(sql, values)
    }

    public func run(_ sql: String, _ values: [(any Bindable)?]) throws(SQLiteError) {
        let statement = try take(sql)
        do {
            try statement.bind(list: values)
            while try step(statement) {}
        } catch {
            abandon(statement)
            throw error
        }
        try finish(statement)
    }

    /// Runs every statement of a script in order and stops at the first that fails. It is no transaction.
    public func execute(script: String) throws(SQLiteError) {
        var rest = script
        while !rest.isEmpty {
            guard let statement = try compileFirst(of: &rest) else { continue }
            do {
                while try step(statement) {}
            } catch {
                abandon(statement)
                throw error
            }
            try finish(statement)
        }
    }

    /// Calls `body` for each row in turn. `body` may run other statements, even the same one.
    public func each<each Value: Bindable>(
        _ sql: String, _ values: repeat each Value, body: (borrowing Row) throws -> Void
    ) throws {
        try visit(
            sql,
            bind: { statement in
                var count: Int32 = 0
                repeat try statement.bind(each values, after: &count)
                try statement.check(count: count)
            }
        ) { row in
            try body(row)
            return true
        }
    }

    public func each(
        _ sql: String, _ values: [(any Bindable)?], body: (borrowing Row) throws -> Void
    ) throws {
        try visit(sql, bind: { try $0.bind(list: values) }) { row in
            try body(row)
            return true
        }
    }

    /// Every row, mapped, in the statement's order.
    public func all<T, each Value: Bindable>(
        _ sql: String, _ values: repeat each Value, map: (borrowing Row) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try visit(
            sql,
            bind: { statement in
                var count: Int32 = 0
                repeat try statement.bind(each values, after: &count)
                try statement.check(count: count)
            }
        ) { row in
            result.append(try map(row))
            return true
        }
        return result
    }

    public func all<T>(
        _ sql: String, _ values: [(any Bindable)?], map: (borrowing Row) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try visit(sql, bind: { try $0.bind(list: values) }) { row in
            result.append(try map(row))
            return true
        }
        return result
    }

    /// The first row, mapped; nil when there is none.
    public func first<T, each Value: Bindable>(
        _ sql: String, _ values: repeat each Value, map: (borrowing Row) throws -> T
    ) throws -> T? {
        var result: T?
        try visit(
            sql,
            bind: { statement in
                var count: Int32 = 0
                repeat try statement.bind(each values, after: &count)
                try statement.check(count: count)
            }
        ) { row in
            result = try map(row)
            return false
        }
        return result
    }

    public func first<T>(
        _ sql: String, _ values: [(any Bindable)?], map: (borrowing Row) throws -> T
    ) throws -> T? {
        var result: T?
        try visit(sql, bind: { try $0.bind(list: values) }) { row in
            result = try map(row)
            return false
        }
        return result
    }

    /// Steps through the rows until `body` answers false.
    private func visit(
        _ sql: String, bind: (Statement) throws -> Void, body: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try take(sql)
        do {
            try bind(statement)
            while try step(statement) {
                guard try body(Row(pointer: statement.pointer)) else { break }
            }
        } catch {
            abandon(statement)
            throw error
        }
        try finish(statement)
    }
}
