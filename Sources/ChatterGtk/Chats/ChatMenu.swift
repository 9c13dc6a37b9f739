import ChatterViewModels

/// What one can do with a chat of the list.
struct ChatMenu {
    let chat: ChatRow
    let model: ChatsViewModel

    var all: Menu {
        Menu(
            [
                Menu.Item(chat.isPinned ? "Unpin" : "Pin") { await pin() },
                Menu.Item(chat.isArchived ? "Unarchive" : "Archive") { await archive() },
            ], muting)
    }

    /// For how long.
    var mute: Menu { Menu(muting) }

    private var muting: [Menu.Item] {
        guard !chat.isMuted else { return [Menu.Item("Unmute") { await unmute() }] }
        return ChatsViewModel.Mute.allCases.map { length in
            Menu.Item(length.command) { await model.muteTapped(chat.id, length) }
        }
    }

    func pin() async { await model.pinTapped(chat.id, !chat.isPinned) }
    func archive() async { await model.archiveTapped(chat.id, !chat.isArchived) }
    func unmute() async { await model.unmuteTapped(chat.id) }
}
