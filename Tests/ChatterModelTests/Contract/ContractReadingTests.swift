import Testing

@Suite("The tests' readers find what is wrong")
struct ContractReadingTests {
    @Test("YAML is read as JSON")
    func reads() throws {
        let expected: JSONValue = .object([
            "a": .integer(1), "b": .array([.string("x"), .string("1"), .boolean(true), .number(1.5)]),
        ])
        let value = try YAMLReader.read(Array("a: 1\nb: [x, \"1\", true, 1.5]\n".utf8))
        #expect(value == expected)
    }

    @Test(
        "What readers understand differently is refused",
        arguments: [
            "a: yes", "a: off", "a: 2026-11-30", "a: 2026-11-30T10:00:00Z", "a: 0123", "a: 12:30", "a:",
            "a: ~",
            "a: { b: one, two }", "a: &x 1\nb: *x", "a: !!str 1", "a: 1\na: 2", "a: [", "- 1\n---\n- 2",
        ])
    func refuses(text: String) {
        #expect(throws: YAMLReader.Failure.self) { try YAMLReader.read(Array(text.utf8)) }
    }

    @Test(
        "A schema finds each kind of fault",
        arguments: [
            ("{type: string, minLength: 2}", "a"), ("{type: string, maxLength: 2}", "abc"),
            ("{type: string, x-maxCharacters: 1}", "ab"), ("{type: string, x-maxBytes: 1}", "é"),
            ("{type: string, pattern: '^a$'}", "b"), ("{type: string, enum: [a]}", "b"), ("{const: a}", "b"),
            ("{type: integer}", "a"), ("{type: integer, minimum: 2}", "1"),
            ("{type: integer, maximum: 2}", "3"),
            ("{type: array, minItems: 1}", "[]"), ("{type: array, items: {type: string}}", "[1]"),
            ("{type: object, required: [a]}", "{}"),
            ("{type: object, properties: {a: {type: string}}}", "{a: 1}"),
            ("{type: object, properties: {a: {type: string}}}", "{b: x}"),
            ("{type: object, additionalProperties: {type: string}}", "{b: 1}"),
            ("{type: object, maxProperties: 1}", "{b: 1, c: 1}"),
            ("{type: object, propertyNames: {pattern: '^a$'}}", "{b: 1}"),
            ("{allOf: [{type: integer}]}", "a"),
            ("{anyOf: [{type: integer}, {type: boolean}]}", "a"),
            ("{maxlength: 3}", "a"),
        ])
    func faults(schema: String, instance: String) throws {
        let schema = try Schema(try YAMLReader.read(Array(schema.utf8)), in: try ContractFile.openAPI.get())
        #expect(try schema.problems(of: try YAMLReader.read(Array(instance.utf8))) != [])
    }

    @Test("A shape differs by a key more, a key less, an optional key, a choice")
    func shapes() throws {
        struct Value {
            enum Kind: String, CaseIterable { case a, b }
            var name = "x"
            var other: Int? = 1
            var kind = Kind.a
        }
        func differences(_ schema: String) throws -> [String] {
            let schema = try Schema(
                try YAMLReader.read(Array(schema.utf8)), in: try ContractFile.openAPI.get())
            return try Shape.differences(of: Value(), from: schema, named: "Value")
        }
        let kind = "kind: {enum: [a, b]}"
        #expect(try differences("{required: [name, kind], properties: {name: {}, other: {}, \(kind)}}") == [])
        #expect(try differences("{required: [name, kind], properties: {name: {}, \(kind)}}").count == 1)
        #expect(
            try differences("{required: [name, kind], properties: {name: {}, other: {}, x: {}, \(kind)}}")
                .count == 1)
        #expect(try differences("{required: [kind], properties: {name: {}, other: {}, \(kind)}}").count == 1)
        #expect(
            try differences("{required: [name, kind, other], properties: {name: {}, other: {}, \(kind)}}")
                .count == 1)
        #expect(
            try differences("{required: [name, kind], properties: {name: {}, other: {}, kind: {enum: [a]}}}")
                .count == 1)
    }
}
