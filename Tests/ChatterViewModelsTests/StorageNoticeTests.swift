import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient
@testable import ChatterViewModels

@Suite("What is told of this device's storage", .timeLimit(.minutes(5)))
@MainActor
struct StorageNoticeTests {
    @Test("A full disk is said while it is full, can't be waved away, and goes by itself")
    func full() async throws {
        let desk = try await ChatScene()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.chats.state == .list && main.storageNotice == nil }
            desk.ann.client.keeper.storage.send(.failing(.diskFull))
            await until { main.storageNotice?.hasPrefix("This device is full.") == true }
            #expect(!main.canCloseStorageNotice)
            main.storageNoticeClosed()
            #expect(main.storageNotice != nil)

            desk.ann.client.keeper.storage.send(.sound)
            await until { main.storageNotice == nil }
        }
        await desk.stop()
    }

    @Test("A repaired database is told of once, until it is closed")
    func repaired() async throws {
        let desk = try await ChatScene()
        let id = try await desk.id(of: desk.ann)
        await desk.ann.client.close()
        // As the last run left it, when it found damage.
        let marker = desk.ann.directory.file("profile/accounts/\(id.rawValue)/messages.db.damaged")
        try Data().write(to: marker)
        try await desk.ann.relaunch()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.storageNotice?.contains("have been repaired") == true }
            #expect(main.canCloseStorageNotice)
            main.storageNoticeClosed()
            #expect(main.storageNotice == nil)
        }
        try await desk.ann.relaunch()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.chats.state == .list }
            #expect(main.storageNotice == nil)
        }
        await desk.stop()
    }

    @Test(
        "Every state has its sentence, and only what is over can be closed",
        arguments: [
            (StorageState.sound, nil, false), (.repaired, "Nothing was lost.", true),
            (.salvaged, "the rest is fetched again.", true),
            (.damaged, "Restart the app to repair them.", false),
            (.failing(.diskFull), "nothing is lost meanwhile.", false),
            (.failing(ClientError(.storage(isTransient: false), "x")), "It is tried again by itself.", false),
        ] as [(StorageState, String?, Bool)])
    func sentences(state: StorageState, end: String?, canClose: Bool) {
        let notice = StorageWords.notice(state)
        #expect(end.map { notice?.hasSuffix($0) == true } ?? (notice == nil))
        #expect(StorageWords.canClose(state) == canClose)
    }
}
