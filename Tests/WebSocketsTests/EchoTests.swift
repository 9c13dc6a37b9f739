import Testing
import WebSockets

@Suite("Messages between client and server", .timeLimit(.minutes(1)))
struct EchoTests {
    @Test("A message comes back as it was sent")
    func echo() async throws {
        let scene = try Scene()
        let client = try await scene.connect()
        try client.send(bytes("hello"))
        #expect(try await client.next(1) == [bytes("hello")])
        await client.close(code: 1000, reason: "done")
        #expect(client.closeCode?.code == 1000)
        #expect(await scene.handler.closings.first().code == 1000)
        await scene.stop()
    }
}
