import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let outbox = ChatterCommand(
        "outbox", "Show what has not reached the server; retry it or give it up.",
        group: CommandGroup.trouble,
        subcommands: [
            ChatterCommand("list", "List it.", action: OutboxCommand.list),
            ChatterCommand(
                "retry", "Try a failed entry again.", parameters: [OutboxCommand.id],
                action: OutboxCommand.retry),
            ChatterCommand(
                "discard", "Give an entry up: it will never be sent.", parameters: [OutboxCommand.id],
                action: OutboxCommand.discard),
        ],
        action: OutboxCommand.list)
}

enum OutboxCommand {
    static let id = Positional<Int>("ID", "The entry's number in the list.")

    @Sendable static func list(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            if !account.isOffline { _ = try await account.client.settle(timeout: context.timeout) }
            let items = try await account.client.outbox.now()
            try context.console.result(
                account.list(items.map(OutboxShape.init)),
                items.isEmpty ? "Everything has reached the server." : table(items))
        }
    }

    @Sendable static func retry(_ context: CommandContext) async throws {
        try await context.withAccount(.local) { account in
            let item = try await entry(context[id], account)
            try await account.client.outbox.retry(item.id)
            _ = try await account.client.settle(timeout: context.timeout)
            let after = try await account.client.outbox.now().first {
                $0.clientMessageID == item.clientMessageID && $0.kind == item.kind
            }
            switch after?.state {
            case .failed(let reason):
                throw Failure(.refused, code: reason.code, RefusalLabel.text(reason))
            case .waiting:
                throw Failure(.offline, "The server can't be reached; the entry is queued again.")
            case nil:
                try context.console.result(DoneShape(done: "retried"), "Sent.")
            }
        }
    }

    @Sendable static func discard(_ context: CommandContext) async throws {
        // Not connected first: what is given up must not leave in the meantime.
        try await context.withProfile { _, client in
            guard try await client.outbox.now().contains(where: { $0.id == Int64(context[id]) }) else {
                throw missing(context[id])
            }
            try await client.outbox.discard(Int64(context[id]))
            try context.console.result(DoneShape(done: "discarded"), "Given up.")
        }
    }

    private static func entry(_ id: Int, _ account: Account) async throws -> OutboxItem {
        guard let item = try await account.client.outbox.now().first(where: { $0.id == Int64(id) }) else {
            throw missing(id)
        }
        return item
    }

    private static func missing(_ id: Int) -> Failure {
        Failure(.failure, code: "NOT_FOUND", "There is no entry \(id). See: chatter outbox")
    }

    private static func table(_ items: [OutboxItem], time: TimeText = .current) -> String {
        Table.rows(
            items.map { item in
                let state =
                    switch item.state {
                    case .waiting:
                        "waiting" + (item.nextAttemptAt.map { ", next try at \(time.clock($0))" } ?? "")
                    case .failed(let reason): "failed: \(RefusalLabel.text(reason))"
                    }
                return ["\(item.id)", item.kind, time.short(item.createdAt), state]
            })
    }
}
