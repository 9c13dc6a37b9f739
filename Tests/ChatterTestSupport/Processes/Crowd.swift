import ChatterModel
import Foundation
import WebSockets

/// Visitors of one running server who come and go at random, each on a socket of its own: some say good-bye, some
/// vanish, some only look in, while messages go both ways.
public struct Crowd: Sendable {
    /// What became of all visits.
    public struct Outcome: Sendable {
        public var visits = 0
        /// Client message ids that the server acknowledged.
        public var acked: [String] = []
    }

    private let pairs: [(LoadUser, LoadUser)]
    private let conversations: [ID<Conversation>]

    /// Signs up pairs of friends.
    public init(on server: LoadServer, pairs count: Int, firstNumber: Int = 0) async throws {
        var pairs: [(LoadUser, LoadUser)] = []
        var conversations: [ID<Conversation>] = []
        for number in 0..<count {
            let first = try await LoadUser.signUp(on: server, number: firstNumber + number * 2)
            let second = try await LoadUser.signUp(on: server, number: firstNumber + number * 2 + 1)
            conversations.append(try await first.befriend(second))
            pairs.append((first, second))
        }
        (self.pairs, self.conversations) = (pairs, conversations)
    }

    /// So many visitors at the same time, each with so many visits in a row.
    public func visit(visitors: Int, visits: Int, seed: UInt64) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for visitor in 0..<visitors {
                group.addTask {
                    var random = SeededRandom(seed: seed &* 100_000 &+ UInt64(visitor))
                    var outcome = Outcome()
                    for _ in 0..<visits {
                        outcome.acked += try await visit(visitor % pairs.count, &random)
                        outcome.visits += 1
                    }
                    return outcome
                }
            }
            return try await group.reduce(into: Outcome()) { all, one in
                all.visits += one.visits
                all.acked += one.acked
            }
        }
    }

    private func visit(_ pair: Int, _ random: inout SeededRandom) async throws -> [String] {
        let user = Bool.random(using: &random) ? pairs[pair].0 : pairs[pair].1
        let socket = try await user.connect()
        var frames = socket.messages.makeAsyncIterator()
        guard let first = try await frames.next(), first.says("session.ready") else {
            throw LoadFailure("the first frame is not session.ready")
        }
        var waiting: Set<String> = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let id = UUID().uuidString.lowercased()
            waiting.insert(id)
            try socket.send(send(id, in: conversations[pair]))
        }
        // Whoever vanishes does so before the answers: what was not acked may be there or not.
        if Int.random(in: 0..<4, using: &random) == 0 { return [] }
        var acked: [String] = []
        while !waiting.isEmpty, let frame = try await frames.next() {
            guard frame.says("message.ack") else { continue }
            let ack = try JSONDecoder().decode(Ack.self, from: Data(frame)).data.clientMessageId
            if waiting.remove(ack.lowercased()) != nil { acked.append(ack.lowercased()) }
        }
        guard waiting.isEmpty else {
            throw LoadFailure("closed with \(socket.closeCode?.code ?? 0) before the ack")
        }
        if Bool.random(using: &random) { await socket.close(code: 1000, reason: "") }
        return acked
    }

    private struct Ack: Decodable {
        struct Fields: Decodable { let clientMessageId: String }
        let data: Fields
    }

    private func send(_ id: String, in conversation: ID<Conversation>) -> [UInt8] {
        let data =
            #"{"clientMessageId":"\#(id)","conversationId":"\#(conversation)","type":"text","body":"visiting"}"#
        return Array(#"{"type":"message.send","data":\#(data)}"#.utf8)
    }
}

extension [UInt8] {
    fileprivate func says(_ type: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains("\"type\":\"\(type)\"")
    }
}
