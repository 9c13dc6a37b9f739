import Arguments
import ChatterClient

extension ChatterCommand {
    static let archive = ChatterCommand(
        "archive", "Move a chat out of the list.", group: CommandGroup.chatting,
        parameters: [Positional.person],
        action: { context in
            try await ChatSetting.change(context, "archived", "The chat with %@ is archived.") {
                client, id throws(ClientError) in try await client.conversations.setArchived(id, true)
            }
        })

    static let unarchive = ChatterCommand(
        "unarchive", "Bring an archived chat back.", group: CommandGroup.chatting,
        parameters: [Positional.person],
        action: { context in
            try await ChatSetting.change(context, "unarchived", "The chat with %@ is back in the list.") {
                client, id throws(ClientError) in try await client.conversations.setArchived(id, false)
            }
        })
}
