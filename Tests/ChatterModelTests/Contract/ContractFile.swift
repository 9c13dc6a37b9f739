import Foundation
import Testing

/// `api/openapi.yaml` and `api/asyncapi.yaml` of this repository, and any source file.
struct ContractFile {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let openAPI = Result { try ContractFile("openapi.yaml") }
    static let asyncAPI = Result { try ContractFile("asyncapi.yaml") }

    let name: String
    let root: JSONValue

    init(_ name: String) throws {
        self.name = name
        let bytes = try Data(contentsOf: Self.root.appending(path: "api/\(name)"))
        root = try YAMLReader.read([UInt8](bytes))
    }

    /// The text of a file of this repository.
    static func source(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// What stands at a JSON pointer such as `/components/schemas/Message`.
    func value(at pointer: String) throws -> JSONValue {
        try pointer.split(separator: "/").reduce(root) { value, part in
            let key = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
            return try #require(value[key], "\(name) has no \(pointer)")
        }
    }

    /// Follows `$ref`, also into the other file. The answer's keys beside `$ref` are kept.
    func resolve(_ value: JSONValue) throws -> (value: JSONValue, file: ContractFile) {
        guard let reference = value["$ref"]?.text else { return (value, self) }
        let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
        let file = parts[0] == "./openapi.yaml" ? try Self.openAPI.get() : self
        return try file.resolve(try file.value(at: String(parts[1])))
    }

    func resolved(_ value: JSONValue) throws -> JSONValue { try resolve(value).value }
}
