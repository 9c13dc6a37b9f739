import ChatterModel
import Testing

@Suite("Limits in the contract are those of the code")
struct LimitContractTests {
    private let limits: [String: JSONValue] = [
        "messageCharacters": .integer(Int64(Limits.messageCharacters)),
        "messageBytes": .integer(Int64(Limits.messageBytes)),
        "usernameLength": .array([
            .integer(Int64(Limits.usernameLength.lowerBound)),
            .integer(Int64(Limits.usernameLength.upperBound)),
        ]),
        "displayNameCharacters": .integer(Int64(Limits.displayNameCharacters)),
        "aboutCharacters": .integer(Int64(Limits.aboutCharacters)),
        "reportCharacters": .integer(Int64(Limits.reportCharacters)),
        "deviceNameCharacters": .integer(Int64(Limits.deviceNameCharacters)),
        "nameBytes": .integer(Int64(Limits.nameBytes)),
        "rawNameBytes": .integer(Int64(Limits.rawNameBytes)),
        "reportBytes": .integer(Int64(Limits.reportBytes)),
        "frameIDCharacters": .integer(Int64(Limits.frameIDCharacters)),
        "requestBytes": .integer(Int64(Limits.requestBytes)),
        "frameBytes": .integer(Int64(Limits.frameBytes)),
        "pageSize": .integer(Int64(Limits.pageSize)),
        "largestPage": .integer(Int64(Limits.largestPage)),
        "searchPrefixLength": .integer(Int64(Limits.searchPrefixLength)),
        "searchResults": .integer(Int64(Limits.searchResults)),
        "syncConversations": .integer(Int64(Limits.syncConversations)),
        "syncMessages": .integer(Int64(Limits.syncMessages)),
        "typingExpiry": .string("\(Limits.typingExpiry.components.seconds) s"),
        "pingInterval": .string("\(Limits.pingInterval.components.seconds) s"),
    ]

    @Test("openapi.yaml lists all of Limits with its values")
    func all() throws {
        #expect(try ContractFile.openAPI.get().value(at: "/info/x-limits").fields == limits)
        let source = try ContractFile.source("Sources/ChatterModel/Limits.swift")
        let names = source.matches(of: /static let (\w+) =/).map { String($0.1) }
        #expect(Set(names) == Set(limits.keys))
    }

    @Test("asyncapi.yaml lists those of the live connection with the same values")
    func live() throws {
        let live = try ContractFile.asyncAPI.get().value(at: "/info/x-limits").fields
        #expect(!live.isEmpty)
        for (name, value) in live { #expect(value == limits[name], "\(name)") }
    }

    @Test(
        "Schemas bound texts and pages by the limits",
        arguments: [
            ("/schemas/MessageBody", "x-maxCharacters", Limits.messageCharacters),
            ("/schemas/MessageBody", "x-maxBytes", Limits.messageBytes),
            ("/schemas/MessageBody", "maxLength", Limits.messageBytes),
            ("/schemas/TypedMessageBody", "x-maxCharacters", Limits.messageCharacters),
            ("/schemas/TypedMessageBody", "x-maxBytes", Limits.messageBytes),
            ("/schemas/TypedMessageBody", "maxLength", Limits.messageBytes),
            ("/schemas/DisplayName", "x-maxCharacters", Limits.displayNameCharacters),
            ("/schemas/DisplayName", "x-maxBytes", Limits.nameBytes),
            ("/schemas/DisplayName", "maxLength", Limits.nameBytes),
            ("/schemas/TypedDisplayName", "x-maxCharacters", Limits.displayNameCharacters),
            ("/schemas/TypedDisplayName", "maxLength", Limits.rawNameBytes),
            ("/schemas/TypedUsername", "minLength", Limits.usernameLength.lowerBound),
            ("/schemas/TypedUsername", "maxLength", Limits.rawNameBytes),
            ("/schemas/About", "x-maxCharacters", Limits.aboutCharacters),
            ("/schemas/TypedAbout", "x-maxCharacters", Limits.aboutCharacters),
            ("/schemas/TypedAbout", "maxLength", Limits.rawNameBytes),
            ("/schemas/Device/properties/name", "x-maxCharacters", Limits.deviceNameCharacters),
            ("/schemas/DeviceDescription/properties/name", "x-maxCharacters", Limits.deviceNameCharacters),
            (
                "/schemas/DeviceDescription/properties/platform", "x-maxCharacters",
                Limits.deviceNameCharacters
            ),
            ("/schemas/NewReport/properties/comment", "x-maxCharacters", Limits.reportCharacters),
            ("/schemas/NewReport/properties/comment", "x-maxBytes", Limits.reportBytes),
            ("/schemas/NewReport/properties/comment", "maxLength", Limits.reportBytes),
            ("/schemas/MessagePage/properties/messages", "maxItems", Limits.largestPage),
            ("/schemas/FoundUserPage/properties/items", "maxItems", Limits.searchResults),
            ("/parameters/limit/schema", "maximum", Limits.largestPage),
            ("/parameters/limit/schema", "default", Limits.pageSize),
        ])
    func schemas(path: String, keyword: String, limit: Int) throws {
        let schema = try ContractFile.openAPI.get().value(at: "/components" + path)
        #expect(schema[keyword]?.integer == Int64(limit))
    }

    @Test("Frames are bounded by the limits")
    func frames() throws {
        let schemas = try ContractFile.asyncAPI.get().value(at: "/components/schemas")
        #expect(schemas["FrameId"]?["maxLength"]?.integer == Int64(Limits.frameIDCharacters))
        let conversations = schemas["SyncRequest"]?["properties"]?["conversations"]
        #expect(conversations?["maxProperties"]?.integer == Int64(Limits.syncConversations))
    }

    @Test("The pattern of usernames is the rule of the code")
    func usernames() throws {
        let file = try ContractFile.openAPI.get()
        let schema = try Schema(try file.value(at: "/components/schemas/Username"), in: file)
        for name in ["abc", "a_b.c9", String(repeating: "a", count: 32)] {
            #expect(try Username.canonical(name) == name)
            #expect(try schema.problems(of: .string(name)) == [])
        }
        for name in ["ab", "Abc", "a-b-c", String(repeating: "a", count: 33)] {
            #expect(try schema.problems(of: .string(name)) != [])
        }
    }
}
