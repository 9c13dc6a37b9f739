import Foundation
import Testing

@testable import ChatterGtk

@Suite("The desktop app's surroundings")
struct DesktopAppTests {
    @Test("Each profile is an app of its own, under a name that a bus takes")
    func names() {
        func id(_ profile: String?, _ folder: String? = nil) -> String {
            InstanceName(profile: profile, folder: folder.map { URL(fileURLWithPath: $0) }).applicationID
        }
        #expect(id(nil) == "org.chatter.Chatter")
        #expect(id("bob") == "org.chatter.Chatter.profile_bob")
        #expect(id("7") == "org.chatter.Chatter.profile_7")
        #expect(id("a.b") == "org.chatter.Chatter.profile_a_2e_b")
        #expect(Set(["a.b", "a_b", "a-b", "a_2eb"].map { id($0) }).count == 4)
        // The same name in another folder is another account; the same folder is the same one, however it is written.
        #expect(Set([id("bob"), id("bob", "/nowhere/a/bob"), id("bob", "/nowhere/b/bob")]).count == 3)
        #expect(id("bob", "/nowhere/a/bob") == id("bob", "/nowhere/b/../a/bob"))
        // What a bus takes ends at 255 characters.
        let long = id(String(repeating: "-", count: 64), "/nowhere/a")
        #expect(long.count <= 255 && long != id(String(repeating: "-", count: 63) + ".", "/nowhere/a"))
    }

    @Test("The window's size is remembered; what can't be read, or is no size, opens as at first")
    func windowState() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chatter-\(UUID().uuidString).json")
        defer { unlink(file.path) }
        let state = WindowState(file: file)
        #expect(state.size == WindowState.Size())
        state.remember(WindowState.Size(width: 700, height: 500, isMaximized: true))
        #expect(state.size == WindowState.Size(width: 700, height: 500, isMaximized: true))
        state.remember(WindowState.Size(width: 0, height: -3))
        #expect(state.size == WindowState.Size(width: 360, height: 294))
        try Data("no json".utf8).write(to: file)
        #expect(state.size == WindowState.Size())
        WindowState(file: URL(fileURLWithPath: "/proc/no/such")).remember(WindowState.Size())
    }
}
