import ChatterClient
import ChatterModel
import ChatterTestSupport
import ChatterViewModels

@testable import ChatterGtk

/// A long chat is scrolled up at a constant speed, over many older pages, while new messages come in: what is on screen
/// moves by what one scrolled, and by nothing else.
enum OlderPages {
    private static let messages = 1200
    private static let pages = 10
    private static let step = 90.0

    static func run(_ exhibition: Exhibition) async throws {
        let stage = try await Stage(exhibition, .light)
        do {
            try await scroll(stage)
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }

    private static func scroll(_ stage: Stage) async throws {
        let (model, tom) = try await stage.longChat(messages)
        _ = try await stage.exhibit.picture()
        guard let list = Screen.front?.find("Messages"), let parent = list.parent else {
            throw Gallery.Failure("there is no list")
        }
        let scroller = Scroller(ref: parent.ref)
        var pages = 0
        var arrived = 0
        while pages < Self.pages {
            let before = model.rows.count
            guard let top = Row.all(in: list, scroller).first else {
                throw Gallery.Failure("no message is in sight")
            }
            let adjustment = scroller.adjustment
            let distance = min(step, adjustment.value)
            adjustment.value -= distance
            if pages.isMultiple(of: 2), arrived <= pages {
                arrived += 1
                try await stage.say("Meanwhile \(arrived)", in: tom)
            }
            try await stage.exhibit.painted()
            let moved = Row.all(in: list, scroller).first { $0.text == top.text }.map { $0.y - top.y }
            guard let moved, abs(moved - distance) <= 1 else {
                let movement = moved.map { "moved by \($0)" } ?? "is gone"
                throw Gallery.Failure(
                    "“\(top.text)” \(movement) instead of \(distance), rows: \(before) → \(model.rows.count)")
            }
            if model.rows.count > before + 10 { pages += 1 }
            guard model.hasOlder || adjustment.value > 0 else { break }
        }
        guard pages >= Self.pages else { throw Gallery.Failure("only \(pages) older pages came") }
    }

    /// A message on screen, and where it is.
    private struct Row {
        let text: String
        let y: Double

        /// From the top; whichever widgets show them.
        static func all(in list: Widget, _ scroller: Scroller) -> [Row] {
            list.children.compactMap { cell in
                guard let frame = cell.frame(in: scroller), frame.height > 0 else { return nil }
                guard frame.y >= 0, frame.y < Double(scroller.height) else { return nil }
                let text = cell.first { $0.title?.hasPrefix("Message ") == true }?.title
                return text.map { Row(text: $0, y: frame.y) }
            }
            .sorted { $0.y < $1.y }
        }
    }
}

extension Stage {
    /// A chat of messages of all lengths with Tom, of which this device knows the newest.
    fileprivate func longChat(_ count: Int) async throws -> (ConversationViewModel, Person) {
        try await signUp()
        let tom = try await befriend(.tom)
        var random = SeededRandom(seed: 113)
        for number in 1...count {
            let lines = Int.random(in: 0...6, using: &random)
            let text =
                "Message \(number)."
                + String(repeating: " Some more words that need their room.", count: lines)
            try await say(text, in: tom, byMe: number.isMultiple(of: 3))
        }
        try await receipt(tom, read: Int64(count))
        try await receipt(tom, read: Int64(count), byMe: true)
        try await signIn()
        let main = try await openMain()
        try await until("the list") { main.chats.chats.count == 1 }
        main.chatTapped(try chat(tom))
        let model = try await reached("the chat") { main.conversation }
        try await until("the messages") { model.rows.count >= 11 }
        return (model, tom)
    }
}
