import ChatterClient
import ChatterModel

/// What the conversations of one window share: one that is left may still be at it when its chat is opened again.
final class OpenChats {
    private var drafts: [ID<Conversation>: Draft] = [:]
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

    func draft(in id: ID<Conversation>, client: ChatterClient, clock: any ChatterClock) -> Draft {
        if let draft = drafts[id] { return draft }
        let draft = Draft(id, client: client, clock: clock)
        drafts[id] = draft
        return draft
    }

    /// At once, of every chat; what is being sent is sent before.
    func storeDrafts() async {
        for draft in drafts.values { await draft.store() }
    }
}
