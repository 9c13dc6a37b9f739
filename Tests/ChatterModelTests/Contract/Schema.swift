import Foundation

/// A JSON Schema of the contract: the keywords that its files use. An unknown keyword is a failure, so that none is
/// written down and then ignored.
struct Schema {
    let value: JSONValue
    let file: ContractFile

    init(_ value: JSONValue, in file: ContractFile) throws {
        (self.value, self.file) = try file.resolve(value)
    }

    private static let known: Set<String> = [
        "type", "format", "description", "enum", "const", "pattern", "minLength", "maxLength", "minimum",
        "maximum",
        "required", "properties", "additionalProperties", "propertyNames", "maxProperties", "items",
        "minItems",
        "maxItems", "allOf", "anyOf", "default", "examples", "x-maxCharacters", "x-maxBytes",
    ]

    var properties: [String: JSONValue] { value["properties"]?.fields ?? [:] }
    var required: Set<String> { Set((value["required"]?.items ?? []).compactMap(\.text)) }

    func property(_ name: String) throws -> Schema? {
        try properties[name].map { try Schema($0, in: file) }
    }

    /// What is wrong with `instance`; empty when nothing is.
    func problems(of instance: JSONValue, at path: String = "") throws -> [String] {
        var problems = value.fields.keys.filter { !Self.known.contains($0) }.map { "\(path): keyword \($0)?" }
        for part in value["allOf"]?.items ?? [] {
            problems += try Schema(part, in: file).problems(of: instance, at: path)
        }
        if let parts = value["anyOf"]?.items,
            try !parts.contains(where: { try Schema($0, in: file).problems(of: instance).isEmpty })
        {
            problems.append("\(path): none of the alternatives")
        }
        if let choices = value["enum"]?.items, !choices.contains(instance) {
            problems.append("\(path): no choice")
        }
        if let only = value["const"], only != instance { problems.append("\(path): not \(only)") }
        if let type = value["type"]?.text, !Self.matches(instance, type) {
            return problems + ["\(path): not of type \(type)"]
        }
        return problems + (try contentProblems(of: instance, at: path))
    }

    private func contentProblems(of instance: JSONValue, at path: String) throws -> [String] {
        switch instance {
        case .string(let text): return try textProblems(of: text, at: path)
        case .integer(let number):
            return isWithin(number, "minimum", "maximum") ? [] : ["\(path): out of range"]
        case .array(let items): return try itemProblems(of: items, at: path)
        case .object(let fields): return try fieldProblems(of: fields, at: path)
        case .null, .boolean, .number: return []
        }
    }

    private func textProblems(of text: String, at path: String) throws -> [String] {
        var problems: [String] = []
        if !isWithin(Int64(text.unicodeScalars.count), "minLength", "maxLength") {
            problems.append("\(path): length")
        }
        if let limit = value["x-maxCharacters"]?.integer, text.count > limit {
            problems.append("\(path): characters")
        }
        if let limit = value["x-maxBytes"]?.integer, text.utf8.count > limit {
            problems.append("\(path): bytes")
        }
        if let pattern = value["pattern"]?.text, try Regex(pattern).firstMatch(in: text) == nil {
            problems.append("\(path): does not match \(pattern)")
        }
        return problems
    }

    private func itemProblems(of items: [JSONValue], at path: String) throws -> [String] {
        var problems =
            isWithin(Int64(items.count), "minItems", "maxItems") ? [] : ["\(path): number of items"]
        guard let schema = value["items"] else { return problems }
        for (index, item) in items.enumerated() {
            problems += try Schema(schema, in: file).problems(of: item, at: "\(path)/\(index)")
        }
        return problems
    }

    private func fieldProblems(of fields: [String: JSONValue], at path: String) throws -> [String] {
        var problems = required.subtracting(fields.keys).map { "\(path)/\($0): is missing" }
        if !isWithin(Int64(fields.count), "minProperties", "maxProperties") {
            problems.append("\(path): too many")
        }
        for (name, field) in fields {
            if let schema = try property(name) {
                problems += try schema.problems(of: field, at: "\(path)/\(name)")
            } else if let schema = value["additionalProperties"] {
                problems += try Schema(schema, in: file).problems(of: field, at: "\(path)/\(name)")
            } else if value["properties"] != nil, value["type"] != nil {
                // A part of `allOf` without a type only narrows another. The contract allows unknown keys; its own examples have none.
                problems.append("\(path)/\(name): is not in the schema")
            }
            if let names = value["propertyNames"] {
                problems += try Schema(names, in: file).problems(of: .string(name), at: "\(path)/\(name)")
            }
        }
        return problems
    }

    private func isWithin(_ number: Int64, _ lowest: String, _ largest: String) -> Bool {
        number >= value[lowest]?.integer ?? .min && number <= value[largest]?.integer ?? .max
    }

    private static func matches(_ instance: JSONValue, _ type: String) -> Bool {
        switch (instance, type) {
        case (.string, "string"), (.integer, "integer"), (.boolean, "boolean"), (.array, "array"),
            (.object, "object"), (.integer, "number"), (.number, "number"):
            true
        default: false
        }
    }
}
