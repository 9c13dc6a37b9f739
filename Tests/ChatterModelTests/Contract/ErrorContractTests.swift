import ChatterModel
import Testing

@Suite("Errors in the contract are those of the code")
struct ErrorContractTests {
    @Test("The list of codes is ErrorCode")
    func list() throws {
        let schema = try ContractFile.openAPI.get().value(at: "/components/schemas/ErrorCode")
        #expect(
            Set((schema["enum"]?.items ?? []).compactMap(\.text)) == Set(ErrorCode.allCases.map(\.rawValue)))
    }

    @Test("Every code is answered somewhere, always with its status")
    func statuses() throws {
        var answered: Set<ErrorCode> = []
        for operation in try Operation.all() {
            for (status, content) in try operation.errors() {
                for name in content.examples.keys {
                    let code = try #require(ErrorCode(rawValue: name), "\(operation.id) \(status): \(name)")
                    #expect(code.status == status, "\(operation.id): \(name)")
                    answered.insert(code)
                }
            }
        }
        #expect(answered == Set(ErrorCode.allCases))
    }

    @Test("An error response has one valid example for each of its codes, which Swift reads and writes alike")
    func examples() throws {
        for operation in try Operation.all() {
            for (status, content) in try operation.errors() {
                let schema = try Schema(content.schema, in: content.file)
                let codes = try #require(
                    content.schema["allOf"]?.items.last?["properties"]?["error"]?["properties"])
                #expect(
                    Set((codes["code"]?["enum"]?.items ?? []).compactMap(\.text))
                        == Set(content.examples.keys))
                for (name, example) in content.examples {
                    #expect(try schema.problems(of: example) == [], "\(operation.id) \(status)")
                    #expect(example["error"]?["code"]?.text == name)
                    #expect(try passThrough(ErrorBody.self, example).json == example)
                }
            }
        }
    }

    @Test("The shape of an error is ErrorBody's")
    func shape() throws {
        let schema = try Schema(
            try ContractFile.openAPI.get().value(at: "/components/schemas/ErrorBody"),
            in: ContractFile.openAPI.get())
        var error = ErrorBody(.invalid("q", "is missing"))
        #expect(try Shape.differences(of: error, from: schema, named: "ErrorBody") == [])
        error.error.details = nil
        #expect(try Shape.differences(of: error, from: schema, named: "ErrorBody") == [])
    }

    @Test("What every call can answer is said of every call")
    func everywhere() throws {
        for operation in try Operation.all() {
            let statuses = Set(try operation.errors().keys)
            #expect(statuses.isSuperset(of: [400, 405, 408, 413, 431, 500, 503]), "\(operation.id)")
        }
    }

    @Test("429 and 503 carry Retry-After, 405 Allow, 401 WWW-Authenticate, 426 Upgrade")
    func headers() throws {
        let expected = [
            401: ["WWW-Authenticate"], 405: ["Allow"], 426: ["Upgrade"], 429: ["Retry-After"],
            503: ["Retry-After"],
        ]
        for operation in try Operation.all() {
            for status in try operation.errors().keys {
                let headers = try operation.response(status)["headers"]?.fields.keys.map(\.self) ?? []
                #expect(headers == expected[status] ?? [], "\(operation.id) \(status)")
            }
        }
    }
}
