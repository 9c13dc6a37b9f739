import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let send = ChatterCommand(
        "send", "Send a message and wait until the server has it.",
        description: """
            The message is stored on this machine first. When the server can't be reached within --timeout it stays \
            queued, the exit code is 3, and the next command that connects sends it.
            """,
        group: CommandGroup.chatting, parameters: [SendCommand.stdin, Positional.person, SendCommand.text],
        examples: [
            Example("One message", "chatter send alice On my way"),
            Example("One message a line", "chatter send alice --stdin < lines.txt"),
        ],
        action: SendCommand.run)
}

enum SendCommand {
    static let stdin = Option<Bool>("stdin", "Send each line of standard input.")
    static let text = Positional<[String]>("TEXT", "The message; several words are joined with spaces.")

    @Sendable static func run(_ context: CommandContext) async throws {
        let words = context[text]
        guard words.isEmpty == context[stdin] else {
            throw UsageError(
                command: context.values.command,
                message: "say the TEXT, or --stdin to send each line of standard input.")
        }
        try await context.withAccount(.local) { account in
            let chat = try await account.openChat(with: context[Positional.person]).id
            var sent: [ClientMessageID] = []
            if context[stdin] {
                while let line = await StandardInput.line() {
                    guard !line.isEmpty else { continue }
                    sent.append(try await account.client.messages.send(line, in: chat))
                }
            } else {
                sent.append(try await account.client.messages.send(words.joined(separator: " "), in: chat))
            }
            _ = try await account.client.settle(timeout: context.timeout)
            try await SendReport(account: account, chat: chat).finish(sent)
        }
    }
}

/// What became of messages just sent.
struct SendReport {
    struct Shape: Encodable {
        var clientMessageId: ClientMessageID
        /// `sent`, `queued` or `failed`.
        var status: String
        var reason: String?
        var seq: Int64?
    }

    let account: Account
    let chat: ID<Conversation>

    func finish(_ sent: [ClientMessageID]) async throws {
        let shapes = try await shapes(of: sent)
        let queued = shapes.filter { $0.status == "queued" }.count
        let failed = shapes.filter { $0.status == "failed" }
        if account.console.json {
            for shape in shapes { try account.console.line(JSONText.encode(shape)) }
        } else if shapes.count == 1, queued + failed.count == 0 {
            try account.console.line("✓ sent" + (shapes[0].seq.map { " (#\($0))" } ?? ""))
        } else if shapes.count > 1 {
            try account.console.line(
                "✓ \(shapes.count - queued - failed.count) sent, \(queued) queued, \(failed.count) failed")
        }
        if let reason = failed.first?.reason {
            throw Failure(
                .refused, code: reason,
                "⚠ Not sent: \(RefusalLabel.text(FailureReason(code: reason))) See: chatter outbox")
        }
        if queued > 0 {
            throw Failure(
                .offline,
                "🕓 The server can't be reached; the message is queued and goes out with the next connection.")
        }
    }

    private func shapes(of sent: [ClientMessageID]) async throws -> [Shape] {
        var waiting: [ClientMessageID: OutboxItem] = [:]
        for item in try await account.client.outbox.now() {
            if let id = item.clientMessageID { waiting[id] = item }
        }
        var seqs: [ClientMessageID: Int64] = [:]
        let content = await account.client.messages.conversation(chat).first { _ in true }
        for item in content?.items ?? [] where item.isMine { seqs[item.id.clientMessageID] = item.seq }
        return sent.map { id in
            switch waiting[id]?.state {
            case nil: Shape(clientMessageId: id, status: "sent", seq: seqs[id])
            case .waiting: Shape(clientMessageId: id, status: "queued")
            case .failed(let reason): Shape(clientMessageId: id, status: "failed", reason: reason.code)
            }
        }
    }
}
