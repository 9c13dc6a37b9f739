import Foundation
import Testing

@testable import ChatterGtk

@Suite("The desktop app's surroundings")
struct DesktopAppTests {
    @Test("Each profile is an app of its own, under a name that a bus takes")
    func names() {
        #expect(DesktopApp.element("bob") == "profile_bob")
        #expect(DesktopApp.element("7") == "profile_7")
        #expect(DesktopApp.element("a.b") == "profile_a_2e_b")
        #expect(Set(["a.b", "a_b", "a-b", "a_2eb"].map(DesktopApp.element)).count == 4)
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
