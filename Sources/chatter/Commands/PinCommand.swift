import Arguments
import ChatterClient

extension ChatterCommand {
    static let pin = ChatterCommand(
        "pin", "Keep a chat at the top of the list.", group: CommandGroup.chatting,
        parameters: [Positional.person],
        action: { context in
            try await ChatSetting.change(context, "pinned", "The chat with %@ is pinned.") {
                client, id throws(ClientError) in try await client.conversations.setPinned(id, true)
            }
        })

    static let unpin = ChatterCommand(
        "unpin", "Let a pinned chat go.", group: CommandGroup.chatting, parameters: [Positional.person],
        action: { context in
            try await ChatSetting.change(context, "unpinned", "The chat with %@ is no longer pinned.") {
                client, id throws(ClientError) in try await client.conversations.setPinned(id, false)
            }
        })
}
