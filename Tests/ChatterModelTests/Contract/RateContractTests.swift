import ChatterModel
import Foundation
import Testing

/// The server's table is in a target that these tests do not see, so its text is read, as with `Limits`.
@Suite("Rates in the contract are those of the server")
struct RateContractTests {
    private struct Rate: Hashable {
        let atOnce: Double
        let perMinute: Double

        init(atOnce: Double, perMinute: Double) {
            self.atOnce = atOnce
            self.perMinute = perMinute
        }

        init(_ value: JSONValue) throws {
            atOnce = try #require(value["atOnce"]?.real)
            perMinute = try #require(value["perMinute"]?.real)
        }
    }

    private func served() throws -> [String: Rate] {
        let source = try ContractFile.source("Sources/ChatterServer/Security/RateLimit.swift")
        let pattern =
            /static let (\w+) = RateLimit\(\s*name: "[^"]*", burst: ([\d_.]+), perMinute: ([\d_.]+)\)/
        let rates = try source.matches(of: pattern).map { match in
            (
                String(match.1),
                Rate(
                    atOnce: try #require(Double(match.2.replacing("_", with: ""))),
                    perMinute: try #require(Double(match.3.replacing("_", with: ""))))
            )
        }
        #expect(rates.count == source.matches(of: /static let/).count, "a rate is written in another way")
        return Dictionary(uniqueKeysWithValues: rates)
    }

    private func listed(in file: ContractFile) throws -> [String: Rate] {
        try file.value(at: "/info/x-rates").fields.mapValues { try Rate($0) }
    }

    /// "30 searches at once, then 60 a minute", as often as it is said.
    private func said(in text: String) throws -> [Rate] {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let pattern =
            /([\d,]+)(?: \w+)? at once, then (?:every (\d+) minutes|(twice) a minute|([\d,]+) a minute)/
        return try words.matches(of: pattern).map { match in
            let perMinute: Double? =
                if let minutes = match.2 { Double(minutes).map { 1 / $0 } } else if match.3 != nil { 2 } else
                {
                    match.4.flatMap { Double($0.replacing(",", with: "")) }
                }
            return Rate(
                atOnce: try #require(Double(match.1.replacing(",", with: ""))),
                perMinute: try #require(perMinute))
        }
    }

    @Test("openapi.yaml lists all of the server's rates, asyncapi.yaml those of the live connection")
    func all() throws {
        let served = try served()
        #expect(try listed(in: ContractFile.openAPI.get()) == served)
        let live = try listed(in: ContractFile.asyncAPI.get())
        #expect(Set(live.keys) == ["frames", "messages", "refusedFrames"])
        for (name, rate) in live { #expect(rate == served[name], "\(name)") }
    }

    @Test("What an operation says in words is what it lists, and nothing goes unlisted")
    func words() throws {
        let served = try served()
        for operation in try Operation.all() {
            let listed = operation.value["x-rates"]?.items.compactMap(\.text) ?? []
            let said = try said(in: operation.value["description"]?.text ?? "")
            #expect(said == listed.compactMap { served[$0] }, "\(operation.id)")
            #expect(said.count == listed.count, "\(operation.id)")
        }
        let openAPI = try #require(try ContractFile.openAPI.get().value(at: "/info")["description"]?.text)
        #expect(try said(in: openAPI) == [try #require(served["calls"])])
        let asyncAPI = try ContractFile.asyncAPI.get()
        let live = try #require(try asyncAPI.value(at: "/info")["description"]?.text)
        #expect(try said(in: live) == ["frames", "refusedFrames"].compactMap { served[$0] })
        let send = try #require(
            try asyncAPI.value(at: "/components/messages/messageSend")["description"]?.text)
        #expect(try said(in: send) == [try #require(served["messages"])])
    }

    @Test("An operation lists a rate exactly when the server gives its route one")
    func routes() throws {
        let folder = ContractFile.root.appending(path: "Sources/ChatterServer")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var given: [String: String] = [:]
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /Routes\.(\w+), limit: \.(\w+)/) {
                given[String(match.1)] = String(match.2)
            }
        }
        #expect(!given.isEmpty)
        for operation in try Operation.all() {
            let listed = operation.value["x-rates"]?.items.compactMap(\.text) ?? []
            if let limit = given[operation.id] {
                #expect(listed.contains(limit), "\(operation.id)")
            } else {
                #expect(listed == [], "\(operation.id)")
            }
        }
    }
}

extension JSONValue {
    fileprivate var real: Double? {
        if case .number(let number) = self { number } else { integer.map { Double($0) } }
    }
}
