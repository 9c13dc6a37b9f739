import ChatterModel
import Testing

/// One operation of `openapi.yaml`.
struct Operation: Sendable {
    let id: String
    let method: String
    let path: String
    let value: JSONValue
    let file: ContractFile

    /// Of one media type: the schema's name or the schema, and the examples by name.
    struct Content {
        let schema: JSONValue
        let examples: [String: JSONValue]
        let file: ContractFile

        /// The name of the component, or "" for a schema that stands in place.
        var schemaName: String {
            schema["$ref"]?.text.map { String($0.split(separator: "/").last ?? "") } ?? ""
        }
    }

    static func all() throws -> [Operation] {
        let file = try ContractFile.openAPI.get()
        return try file.value(at: "/paths").fields.flatMap { path, item in
            try item.fields.filter { $0.key != "parameters" }.map { method, value in
                Operation(
                    id: try #require(value["operationId"]?.text, "\(method) \(path)"),
                    method: method.uppercased(), path: path, value: value, file: file)
            }
        }
    }

    static func named(_ id: String) throws -> Operation {
        try #require(try all().first { $0.id == id }, "openapi.yaml has no \(id)")
    }

    func requestContent() throws -> Content? {
        try value["requestBody"].map { try content(of: $0, "application/json") }
    }

    func response(_ status: Int) throws -> JSONValue {
        try file.resolved(try #require(value["responses"]?["\(status)"], "\(id) has no \(status)"))
    }

    func content(of holder: JSONValue, _ type: String) throws -> Content {
        let media = try #require(holder["content"]?[type], "\(id): \(type)")
        let examples = try #require(media["examples"]?.fields, "\(id): no examples")
        return Content(
            schema: try #require(media["schema"]),
            examples: try examples.mapValues { example in
                try #require(try file.resolved(example)["value"])
            }, file: file)
    }

    /// The responses that are errors, by status.
    func errors() throws -> [Int: Content] {
        var errors: [Int: Content] = [:]
        for status in (value["responses"]?.fields ?? [:]).keys.compactMap({ Int($0) }) where status >= 400 {
            errors[status] = try content(of: try response(status), "application/json")
        }
        return errors
    }
}
