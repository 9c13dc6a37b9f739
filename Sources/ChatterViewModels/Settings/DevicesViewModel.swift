import ChatterClient
import ChatterModel
import Observation

/// A signed-in device.
nonisolated public struct DeviceRow: Identifiable, Hashable, Sendable {
    public var id: ChatterModel.ID<Device>
    public var name: String
    public var detail: String
    public var isCurrent: Bool

    /// This one is logged out instead, where that says what it takes.
    public var canSignOut: Bool { !isCurrent }
    /// What a screen reader says of the button.
    public var signOutSpoken: String { "Sign out \(name)" }
    /// Asked before it is done.
    public var signOutQuestion: Question {
        Question(
            title: "Sign Out “\(isolated(name))”?",
            explanation: "Chatter there forgets this account. Messages that it has not sent yet are lost.",
            answer: "Sign Out")
    }
}

/// The devices that are signed in to this account; needs a connection.
@Observable
public final class DevicesViewModel {
    public enum State: Hashable, Sendable {
        case loading, list, failed(String)

        /// What is said where there is no list.
        public var placeholder: Placeholder? {
            if case .failed(let why) = self { Placeholder("Devices Can’t Be Shown", why) } else { nil }
        }
    }

    public private(set) var state = State.loading
    public private(set) var devices: [DeviceRow] = []
    public private(set) var notice: String?

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private var all: [Device] = []

    init(client: ChatterClient, words: TimeWords) {
        self.client = client
        self.words = words
    }

    public func run() async { await load() }

    public func retryTapped() async {
        // A second answer could bring back who was signed out meanwhile.
        guard case .failed = state else { return }
        state = .loading
        await load()
    }

    private func load() async {
        do throws(ClientError) {
            all = try await client.devices.list().sorted {
                ($0.isCurrent ? 0 : 1, $1.lastSeenAt) < ($1.isCurrent ? 0 : 1, $0.lastSeenAt)
            }
            devices = all.map(row)
            state = .list
        } catch {
            guard error.kind != .cancelled else { return }
            state = .failed(ErrorWords.sentence(error))
        }
    }

    /// The day, the clock or its zone changed.
    func clockChanged() { devices = all.map(row) }

    private func row(_ device: Device) -> DeviceRow {
        DeviceRow(
            id: device.id, name: device.name,
            detail: device.isCurrent
                ? "This device" : "\(device.platform), last active \(words.full(device.lastSeenAt))",
            isCurrent: device.isCurrent)
    }

    public func signOutTapped(_ id: ID<Device>) async {
        notice = nil
        do throws(ClientError) {
            try await client.devices.signOut(id)
            all.removeAll { $0.id == id }
            devices = all.map(row)
        } catch {
            notice = ErrorWords.sentence(error)
        }
    }

    public func noticeClosed() { notice = nil }
}
