import ChatterClient
import ChatterModel

/// What one can do with a chat of the list.
nonisolated public enum ChatCommand: Hashable, Sendable {
    case pin, unpin
    case archive, unarchive
    case mute(MuteLength), unmute

    public var title: String {
        switch self {
        case .pin: "Pin"
        case .unpin: "Unpin"
        case .archive: "Archive"
        case .unarchive: "Unarchive"
        case .mute(.hours8): "Mute for 8 hours"
        case .mute(.week): "Mute for 1 week"
        case .mute(.always): "Mute always"
        case .unmute: "Unmute"
        }
    }
}

nonisolated public enum MuteLength: CaseIterable, Hashable, Sendable {
    case hours8, week, always

    /// nil: for ever.
    var duration: Duration? {
        switch self {
        case .hours8: .seconds(8 * 3600)
        case .week: .seconds(7 * 86_400)
        case .always: nil
        }
    }
}

nonisolated extension ChatRow {
    public var pinning: ChatCommand { isPinned ? .unpin : .pin }
    public var archiving: ChatCommand { isArchived ? .unarchive : .archive }
    /// The one that ends it, or one for each length to choose from.
    public var muting: [ChatCommand] { isMuted ? [.unmute] : MuteLength.allCases.map { .mute($0) } }
    /// On the button that leads to `muting`.
    public var mutingTitle: String { isMuted ? ChatCommand.unmute.title : "Mute" }

    /// In the order of a menu, by its sections.
    public var commands: [[ChatCommand]] { [[pinning, archiving], muting] }
}

extension ConversationsRepository {
    nonisolated func apply(_ command: ChatCommand, to id: ID<Conversation>) async throws(ClientError) {
        switch command {
        case .pin: try await setPinned(id, true)
        case .unpin: try await setPinned(id, false)
        case .archive: try await setArchived(id, true)
        case .unarchive: try await setArchived(id, false)
        case .mute(let length): try await mute(id, for: length.duration)
        case .unmute: try await setMuted(id, until: nil)
        }
    }
}
