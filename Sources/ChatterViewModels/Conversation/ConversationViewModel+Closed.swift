import ChatterClient
import ChatterModel

// Where one cannot write: why, and what would change that.

extension ConversationViewModel {
    func followRequests() async {
        for await items in client.friends.requests() {
            requests = Dictionary(
                items.map { ($0.id, $0.direction) }, uniquingKeysWith: { first, _ in first })
            showComposer()
        }
    }

    func showComposer() {
        guard let header = content?.header else { return }
        let state = ComposerState(header.composer, request: header.peer.flatMap { requests[$0.id] })
        if composer != state { composer = state }
    }

    /// What the button says where the chat is closed.
    public func remedyTapped() async {
        guard case .closed(_, let remedy?) = composer, let peer = content?.header.peer else { return }
        notice = await attempt { () async throws(ClientError) in
            try await client.friends.apply(remedy, to: peer)
        }
    }
}
