import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@testable import ChatterClient

@Suite("A client on a full disk", .timeLimit(.minutes(5)))
struct FullDiskTests {
    private static let long = String(repeating: "a long text ", count: 160)

    @Test(
        "What cannot be stored is said to a person; what waits stays, and the same run goes on once there is space"
    )
    func goesOn() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        try await scene.ann.say("queued before", in: scene.chat)
        try await scene.ann.limitDatabase(pages: 1)
        var error: ClientError?
        // What SQLite had in reserve is used up first.
        var stored: [String] = []
        while error == nil {
            error = await clientError { () throws(ClientError) in
                try await scene.ann.client.messages.send(Self.long, in: scene.chat)
            }
            if error == nil { stored.append(Self.long) }
        }
        #expect(error == .diskFull)
        #expect(
            error?.isTransient == true
                && error?.message.hasPrefix("the disk is full: free some space") == true)
        try await scene.ann.sees(["queued before"] + stored, in: scene.chat)

        try await scene.ann.limitDatabase(pages: 1_000_000)
        try await scene.ann.say("after", in: scene.chat)
        scene.ann.goOnline()
        try await scene.bob.sees(["queued before"] + stored + ["after"], in: scene.chat)
        await scene.stop()
    }

    @Test("What comes in meanwhile is told as the storage's state, and comes again once there is space")
    func incoming() async throws {
        let scene = try await ChatScene()
        try await scene.ann.limitDatabase(pages: 1)
        let texts = (1...40).map { "\($0) \(Self.long)" }
        for text in texts { try await scene.bob.say(text, in: scene.chat) }
        _ = try await scene.ann.client.storage.first("full") { $0 == .failing(.diskFull) }

        try await scene.ann.limitDatabase(pages: 1_000_000)
        let retries = Task {
            for await state in scene.ann.client.connection {
                if case .offline(_, retryAt: _?) = state { scene.scenario.clock.advance(by: Backoff.cap) }
            }
        }
        defer { retries.cancel() }
        try await scene.ann.sees(texts, in: scene.chat)
        _ = try await scene.ann.client.storage.first("sound") { $0 == .sound }
        await scene.stop()
    }

    @Test(
        "A profile on a full disk does not open, with the same sentence, and opens once there is space",
        .enabled(if: SmallDisk.isAvailable, "only who may mount has a small disk"), arguments: [0, 4, 16, 40])
    func opening(kilobytes: Int) async throws {
        let disk = try SmallDisk(kilobytes: 4096)
        try disk.fill(leaving: kilobytes)
        let file = StoreFile(path: disk.url.appendingPathComponent("messages.db").path)
        let error = await clientError { () throws(ClientError) in
            try await ClientError.wrapping { _ = try await file.open(account: Samples.anna) }
        }
        #expect(error == .diskFull)
        try disk.empty()
        let (store, notice) = try await file.open(account: Samples.anna)
        #expect(notice == nil)
        await store.close()
    }

    @Test(
        "Files and locks of the profile say it too",
        .enabled(if: SmallDisk.isAvailable, "only who may mount has a small disk"))
    func files() async throws {
        let disk = try SmallDisk(kilobytes: 64)
        let profile = try ProfileDirectory(disk.url.appendingPathComponent("profile"))
        try disk.fill()
        let lock = await clientError { () throws(ClientError) in _ = try profile.lock() }
        #expect(lock == .diskFull)
        let ending = await clientError { () throws(ClientError) in try profile.write(.wiping(Samples.anna)) }
        #expect(ending == .diskFull)
    }
}

extension TestClient {
    /// SQLite takes a file of this many pages, or of as many as it has, for a full disk.
    fileprivate func limitDatabase(pages: Int) async throws {
        let store = try await client.keeper.current().store
        try await store.pool.withWriter { try $0.run("PRAGMA max_page_count = \(pages)") }
    }
}
