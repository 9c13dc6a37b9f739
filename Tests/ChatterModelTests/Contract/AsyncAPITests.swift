import ChatterModel
import Testing

@Suite("asyncapi.yaml says what the code does")
struct AsyncAPITests {
    /// One message of the file.
    private struct FrameText {
        let type: String
        let value: JSONValue
    }

    /// Those that an operation of the file names, by wire name.
    private func frames(of operation: String) throws -> [String: JSONValue] {
        let file = try ContractFile.asyncAPI.get()
        var frames: [String: JSONValue] = [:]
        for reference in try file.value(at: "/operations/\(operation)/messages").items {
            let message = try file.resolved(try file.resolved(reference))
            frames[try #require(message["name"]?.text)] = message
        }
        return frames
    }

    /// The wire names that a source file spells: `case .messageNew: "message.new"`.
    private func types(in source: String) throws -> Set<String> {
        let text = try ContractFile.source("Sources/ChatterModel/Events/\(source)")
        return Set(text.matches(of: /case \.\w+: "([a-z_.]+)"/).map { String($0.1) })
    }

    @Test("The server sends exactly the events of the file")
    func events() throws {
        let file = Set(try frames(of: "sendEvents").keys)
        #expect(file == (try types(in: "ServerFrame+Codable.swift")))
        #expect(file.count > 10)
    }

    @Test("The client sends exactly the frames of the file")
    func clientFrames() throws {
        let file = Set(try frames(of: "receiveFrames").keys)
        #expect(file == (try types(in: "ClientFrame.swift")))
        #expect(file.count > 5)
    }

    @Test("Each event's examples are valid, are read by Swift, and are written again as they were")
    func eventExamples() throws {
        for (type, message) in try frames(of: "sendEvents") {
            try check(message, type) { example in
                let frame = try Wire.decode(ServerFrame.self, from: try Wire.encode(example))
                if case .unknown = frame.event { Issue.record("\(type) is unknown to the code") }
                #expect(frame.event.type == type)
                return (frame.event, try Wire.decode(JSONValue.self, from: try Wire.encode(frame)))
            }
        }
    }

    @Test("Each client frame's examples are valid, are read by Swift, and are written again as they were")
    func frameExamples() throws {
        for (type, message) in try frames(of: "receiveFrames") {
            try check(message, type) { example in
                let frame = try Wire.decode(ClientFrame.self, from: try Wire.encode(example))
                if case .unknown = frame.action { Issue.record("\(type) is unknown to the code") }
                #expect(frame.action.type == type)
                return (frame.action, try Wire.decode(JSONValue.self, from: try Wire.encode(frame)))
            }
        }
    }

    /// `pass` gives the Swift value of the event or action, and the whole frame's JSON.
    private func check(
        _ message: JSONValue, _ type: String, _ pass: (JSONValue) throws -> (value: Any, json: JSONValue)
    ) throws {
        let file = try ContractFile.asyncAPI.get()
        let schema = try Schema(try #require(message["payload"]), in: file)
        let data = try #require(try schema.property("data"))
        let examples = (message["examples"]?.items ?? []).compactMap { $0["payload"] }
        #expect(!examples.isEmpty, "\(type)")
        for example in examples {
            #expect(try schema.problems(of: example, at: type) == [])
            let (value, json) = try pass(example)
            #expect(json == example, "\(type)")
            // An enum's one child is its payload.
            let payload = Mirror(reflecting: value).children.first?.value ?? Nothing()
            #expect(try Shape.differences(of: payload, from: data, named: type) == [])
        }
    }

    @Test("Close codes are those of the code")
    func closeCodes() throws {
        let codes = try ContractFile.asyncAPI.get().value(at: "/info/x-close-codes").fields
        let file = codes.mapValues { $0["name"]?.text }
        let code = Dictionary(
            uniqueKeysWithValues: CloseCode.allCases.map { ("\($0.rawValue)", Optional("\($0)")) })
        #expect(file == code)
    }

    @Test("The channel is the server's path and holds what the operations name")
    func channel() throws {
        let file = try ContractFile.asyncAPI.get()
        #expect(try file.value(at: "/channels/live/address").text == "/v1/ws")
        let named = Set(try frames(of: "sendEvents").keys).union(try frames(of: "receiveFrames").keys)
        let held = try file.value(at: "/channels/live/messages").fields.values.map { try file.resolved($0) }
        #expect(Set(held.compactMap { $0["name"]?.text }) == named)
        #expect(try file.value(at: "/components/messages").fields.count == named.count)
    }
}
