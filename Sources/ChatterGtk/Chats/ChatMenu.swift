import ChatterViewModels

/// What one can do with a chat of the list.
struct ChatMenu {
    let chat: ChatRow
    let model: ChatsViewModel

    var all: Menu {
        Menu(
            [
                Menu.Item(chat.pinCommand) { await pin() },
                Menu.Item(chat.archiveCommand) { await archive() },
            ], muting)
    }

    /// For how long.
    var mute: Menu { Menu(muting) }

    private var muting: [Menu.Item] {
        guard !chat.isMuted else { return [Menu.Item(chat.muteCommand) { await unmute() }] }
        return ChatsViewModel.Mute.allCases.map { length in
            Menu.Item(length.command) { await model.muteTapped(chat.id, length) }
        }
    }

    func pin() async { await model.pinTapped(chat.id, !chat.isPinned) }
    func archive() async { await model.archiveTapped(chat.id, !chat.isArchived) }
    func unmute() async { await model.unmuteTapped(chat.id) }
}
