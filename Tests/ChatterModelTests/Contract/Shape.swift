/// Compares a Swift value with the schema that describes its JSON: the same keys, the same ones required, the same
/// choices. By reflection, so that no list of keys has to be kept.
enum Shape {
    /// Keys that the schema promises although Swift could do without.
    private static let promised: Set<String> = ["ConversationPage.nextCursor"]

    static func differences(of value: Any, from schema: Schema, named name: String) throws -> [String] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let content = mirror.children.first else { return [] }
            return try differences(of: content.value, from: schema, named: name)
        }
        if let choices = schema.value["enum"]?.items,
            let value = value as? any RawRepresentable & CaseIterable
        {
            let names = Set(choices.compactMap(\.text))
            return names == rawValues(value) ? [] : ["\(name): \(names) ≠ \(rawValues(value))"]
        }
        if mirror.displayStyle == .collection, let items = schema.value["items"] {
            let item = try Schema(items, in: schema.file)
            return try mirror.children.flatMap {
                try differences(of: $0.value, from: item, named: "\(name)[]")
            }
        }
        if mirror.displayStyle == .dictionary, let values = schema.value["additionalProperties"] {
            let item = try Schema(values, in: schema.file)
            return try mirror.children.flatMap { pair -> [String] in
                guard
                    let value = Mirror(reflecting: pair.value).children.first(where: { $0.label == "value" })
                else { return ["\(name): a pair without a value"] }
                return try differences(of: value.value, from: item, named: "\(name)[:]")
            }
        }
        guard schema.value["properties"] != nil else { return [] }
        return try fieldDifferences(of: mirror, from: schema, named: name)
    }

    private static func fieldDifferences(
        of mirror: Mirror, from schema: Schema, named name: String
    ) throws -> [String] {
        var differences: [String] = []
        var rest = Set(schema.properties.keys)
        for child in mirror.children {
            // `userID` in Swift is `userId` on the wire, `avatarURL` is `avatarUrl`.
            let label = child.label ?? ""
            guard let key = rest.first(where: { $0.lowercased() == label.lowercased() }),
                let property = try schema.property(key)
            else {
                differences.append("\(name).\(label) is not in the schema")
                continue
            }
            rest.remove(key)
            let isOptional = Mirror(reflecting: child.value).displayStyle == .optional
            if isOptional == schema.required.contains(key), !promised.contains("\(name).\(key)") {
                differences.append("\(name).\(key): optional on one side")
            }
            differences += try Self.differences(of: child.value, from: property, named: "\(name).\(key)")
        }
        return differences + rest.map { "\(name).\($0) is not in Swift" }
    }

    private static func rawValues<Value: RawRepresentable & CaseIterable>(_ value: Value) -> Set<String> {
        Set(Value.allCases.map { "\($0.rawValue)" })
    }
}
