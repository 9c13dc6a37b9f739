import ChatterModel

/// What the conversations of one window share: one that is left may still be at it when its chat is opened again.
final class OpenChats {
    /// What was typed and is not stored yet.
    var drafts: [ID<Conversation>: String] = [:]
    private var storing: [ID<Conversation>: Task<Void, Never>] = [:]
    /// Which model shows a chat; one that was left before takes nothing off the screen.
    private var shown: [ID<Conversation>: ObjectIdentifier] = [:]

    func show(_ id: ID<Conversation>, on model: ConversationViewModel) {
        shown[id] = ObjectIdentifier(model)
    }

    /// Whether it was this model that showed the chat.
    func leave(_ id: ID<Conversation>, from model: ConversationViewModel) -> Bool {
        guard shown[id] == ObjectIdentifier(model) else { return false }
        shown[id] = nil
        return true
    }

    /// Stores a chat's draft after what is being stored of it already: of two writes at once, the older could end last.
    func store(_ id: ID<Conversation>, _ write: @escaping () async -> Void) async {
        let before = storing[id]
        // In a task of its own: the timer that asked may be called off in the middle.
        let task = Task {
            await before?.value
            await write()
        }
        storing[id] = task
        await task.value
        if storing[id] == task { storing[id] = nil }
    }
}
