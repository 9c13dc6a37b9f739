import ChatterModel
import Testing

/// What the file has beside `Routes`: no JSON comes from them.
private let withoutRoute: Set<String> = ["metrics", "live"]

@Suite("openapi.yaml says what the code does")
struct OpenAPITests {
    @Test("Every route stands in the file and every operation of the file is a route")
    func sameRoutes() throws {
        let code = PinnedRoute.all.map { "\($0.name): \($0.method) \($0.path)" }
        let file = try Operation.all().filter { !withoutRoute.contains($0.id) }
        #expect(Set(code) == Set(file.map { "\($0.id): \($0.method) \($0.path)" }))
        #expect(try Operation.named("metrics").path == "/metrics")
        #expect(try Operation.named("live").path == "/v1/ws")
    }

    @Test("The list of pinned routes is all of Routes")
    func allRoutes() throws {
        let source = try ContractFile.source("Sources/ChatterModel/Routes/Routes.swift")
        let names = source.matches(of: /static let (\w+) = Endpoint</).map { String($0.1) }
        #expect(Set(names) == Set(PinnedRoute.all.map(\.name)))
        #expect(names.count == PinnedRoute.all.count)
    }

    @Test("Success has the route's status and no other", arguments: PinnedRoute.all)
    func success(route: PinnedRoute) throws {
        let operation = try Operation.named(route.name)
        let statuses = try #require(operation.value["responses"]).fields.keys.compactMap { Int($0) }
        #expect(statuses.filter { $0 < 400 } == [route.status])
        #expect((route.reply == nil) == (route.status == 204))
        #expect((try operation.response(route.status)["content"] == nil) == (route.reply == nil))
        #expect((operation.value["requestBody"] == nil) == (route.body == nil))
    }

    @Test(
        "Examples are valid, are read by Swift, and are written again as they were",
        arguments: PinnedRoute.all)
    func examples(route: PinnedRoute) throws {
        let operation = try Operation.named(route.name)
        if let body = route.body, let content = try operation.requestContent() { try check(content, body) }
        if let reply = route.reply {
            try check(
                try operation.content(of: try operation.response(route.status), "application/json"), reply)
        }
    }

    private func check(_ content: Operation.Content, _ pass: PinnedRoute.Passage) throws {
        let schema = try Schema(content.schema, in: content.file)
        #expect(!content.examples.isEmpty)
        for (name, example) in content.examples {
            #expect(try schema.problems(of: example) == [], "\(name)")
            let (value, json) = try pass(example)
            #expect(json == example, "\(name)")
            #expect(
                try Shape.differences(of: value, from: schema, named: content.schemaName) == [], "\(name)")
        }
    }

    @Test("What a call must carry is what the route demands", arguments: PinnedRoute.all)
    func security(route: PinnedRoute) throws {
        let operation = try Operation.named(route.name)
        let everywhere = try operation.file.value(at: "/security")
        let schemes = (operation.value["security"] ?? everywhere).items.map { Set($0.fields.keys) }
        let expected: [Set<String>] =
            switch route.access {
            case .open: []
            case .workspace: [["clientKey"]]
            case .account, .user: [["clientKey", "bearer"]]
            case .admin: [["clientSecret"]]
            }
        #expect(schemes == expected)

        let codes = try operation.errors().mapValues { Set($0.examples.keys) }
        #expect((codes[401] == nil) == (route.access == .open))
        #expect((codes[429] == nil) == (route.access == .open))
        #expect((codes[403]?.contains("PROFILE_INCOMPLETE") == true) == (route.access == .user))
        #expect(
            (codes[401]?.contains("TOKEN_EXPIRED") == true)
                == (route.access == .user || route.access == .account))
        #expect((codes[415] == nil) == (route.body == nil))
        if route.path.contains("{") { #expect(codes[404] != nil) }
    }

    @Test("Headers and schemes are spelled as the code spells them")
    func headers() throws {
        let schemes = try ContractFile.openAPI.get().value(at: "/components/securitySchemes")
        #expect(schemes["clientKey"]?["name"]?.text == Headers.clientKey)
        #expect(schemes["clientSecret"]?["name"]?.text == Headers.clientSecret)
        #expect(schemes["bearer"]?["scheme"]?.text == "bearer")
    }

    @Test("Path parameters are those of the path, and of the form of ids")
    func pathParameters() throws {
        for operation in try Operation.all() {
            let item = try operation.file.value(at: "/paths")[operation.path]
            let parameters = try
                ((item?["parameters"]?.items ?? []) + (operation.value["parameters"]?.items ?? []))
                .map(operation.file.resolved)
            let inPath = parameters.filter { $0["in"]?.text == "path" }
            let names = operation.path.matches(of: /\{(\w+)\}/).map { String($0.1) }
            #expect(inPath.compactMap { $0["name"]?.text } == names, "\(operation.id)")
            for parameter in parameters where operation.id != "live" {
                let schema = try Schema(try #require(parameter["schema"]), in: operation.file)
                let examples =
                    [parameter["example"]].compactMap(\.self)
                    + (parameter["examples"]?.fields.values.compactMap { $0["value"] } ?? [])
                #expect(!examples.isEmpty, "\(operation.id)")
                for example in examples { #expect(try schema.problems(of: example) == [], "\(operation.id)") }
            }
        }
    }

    @Test("The choices of query parameters are those of the code")
    func choices() throws {
        let schemas = try ContractFile.openAPI.get().value(at: "/components/schemas")
        func choices(_ name: String) -> [String] { (schemas[name]?["enum"]?.items ?? []).compactMap(\.text) }
        #expect(choices("FriendRequestDirection") == FriendRequest.Direction.allCases.map(\.rawValue))
        #expect(choices("DeletionScope") == DeletionScope.allCases.map(\.rawValue))
    }

    @Test("Every key of every schema has an example")
    func everyKey() throws {
        var seen = SeenKeys()
        for operation in try Operation.all() where !withoutRoute.contains(operation.id) {
            if let content = try operation.requestContent() { try seen.note(content) }
            for status in [200, 201] where operation.value["responses"]?["\(status)"] != nil {
                try seen.note(try operation.content(of: try operation.response(status), "application/json"))
            }
            for content in try operation.errors().values { try seen.note(content) }
        }
        let schemas = try ContractFile.openAPI.get().value(at: "/components/schemas").fields
        let declared = schemas.flatMap { name, schema in
            (schema["properties"]?.fields ?? [:]).keys.map { "\(name).\($0)" }
        }
        // Lists that are never longer than one page.
        let never: Set = ["FoundUserPage.nextCursor", "DevicePage.nextCursor"]
        #expect(Set(declared).subtracting(seen.keys) == never)
    }

    @Test("Nothing stands in the components that nobody refers to")
    func noLeftovers() throws {
        let text = try ContractFile.source("api/openapi.yaml") + ContractFile.source("api/asyncapi.yaml")
        let references = Set(text.matches(of: /#\/components\/[\w\/]+/).map { String($0.0) })
        let components = try ContractFile.openAPI.get().value(at: "/components").fields
        for (kind, named) in components where kind != "securitySchemes" {
            for name in named.fields.keys {
                #expect(references.contains("#/components/\(kind)/\(name)"))
            }
        }
    }
}

/// Which keys of which named schema examples have shown.
struct SeenKeys {
    private(set) var keys: Set<String> = []

    mutating func note(_ content: Operation.Content) throws {
        for example in content.examples.values { try note(example, content.schema, content.file) }
    }

    private mutating func note(_ instance: JSONValue, _ schema: JSONValue, _ file: ContractFile) throws {
        let name = schema["$ref"]?.text?.split(separator: "/").last ?? ""
        let (schema, file) = try file.resolve(schema)
        for part in schema["allOf"]?.items ?? [] { try note(instance, part, file) }
        for (key, field) in instance.fields {
            keys.insert("\(name).\(key)")
            if let property = schema["properties"]?[key] { try note(field, property, file) }
        }
        if let items = schema["items"] {
            for item in instance.items { try note(item, items, file) }
        }
    }
}
