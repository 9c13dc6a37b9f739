import ChatterViewModels

/// What one can do with a chat of the list.
struct ChatMenu {
    let chat: ChatRow
    let model: ChatsViewModel

    var all: Menu { Menu(sections: chat.commands.map { $0.map(item) }) }

    /// For how long.
    var muting: Menu { Menu(chat.muting.map(item)) }

    private func item(_ command: ChatCommand) -> Menu.Item {
        Menu.Item(command.title) { await run(command) }
    }

    func run(_ command: ChatCommand) async { await model.commandTapped(command, chat.id) }
}
