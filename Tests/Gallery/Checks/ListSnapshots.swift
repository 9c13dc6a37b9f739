import ChatterTestSupport

@testable import ChatterGtk

/// A list that is scrolled while it gets one random snapshot after another: resets, pages at both ends, insertions,
/// removals, moves, and items that change. What is on screen is always a piece of what the list was given last.
final class ListSnapshots {
    private struct Item: Identifiable, Equatable {
        let id: Int
        var version = 0
        var text: String { "\(id).\(version)" + String(repeating: "\nand more", count: id % 4) }
    }

    private final class TextRow: ListRow {
        private let label = Label()
        var root: Widget { label.any }
        var text: String { label.text }
        func show(_ item: Item) { label.text = item.text }
        func spoken(_ item: Item) -> String { item.text }
    }

    private static let snapshots = 10_000
    /// A frame is painted after so many, at the latest.
    private static let burst = 60

    private let store = ListStore<TextRow>()
    private let list: ListView
    private let scroller: Scroller
    private let window: Window
    private var random = SeededRandom(seed: 115)
    private var items: [Item] = []
    private var nextID = 0

    init(_ exhibition: Exhibition) {
        list = store.makeView("Snapshots") { TextRow() }
        scroller = Scroller(list)
        window = Window(exhibition.app, title: "Snapshots")
        window.resize(width: 300, height: 500)
        window.content(scroller)
        window.present()
    }

    func run() async throws {
        defer { window.close() }
        var untilFrame = 0
        for number in 0..<Self.snapshots {
            change()
            store.items = items
            if number.isMultiple(of: 7) { scroll() }
            untilFrame -= 1
            guard untilFrame < 0 else { continue }
            untilFrame = Int.random(in: 0..<Self.burst, using: &random)
            await settle()
            try compare(after: number)
        }
        await settle()
        try compare(after: Self.snapshots)
    }

    /// One frame for what was given, two until a list that shows nothing has noticed, and one to show it.
    private func settle() async {
        for _ in 0..<4 { await Screen.painted() }
    }

    private func scroll() {
        let adjustment = scroller.adjustment
        adjustment.value = Double.random(in: 0...max(1, adjustment.upper), using: &random)
    }

    private func fresh(_ count: Int) -> [Item] {
        defer { nextID += count }
        return (nextID..<nextID + count).map { Item(id: $0) }
    }

    private func change() {
        let count = Int.random(in: 1...30, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0: items = fresh(count * 20)
        case 1: items = []
        case ..<12: items = fresh(count) + items
        case ..<34: items += fresh(Int.random(in: 1...3, using: &random))
        case ..<44: items.insert(contentsOf: fresh(count), at: place(upTo: items.count))
        case ..<56 where !items.isEmpty: items.remove(at: place(upTo: items.count - 1))
        case ..<62: items.removeFirst(min(items.count, count))
        case ..<66: items.removeLast(min(items.count, count))
        // The window that ends at the newest moves on.
        case ..<78: items = Array(items.dropFirst(count)) + fresh(count)
        // An ack gives an item another place.
        case ..<86 where !items.isEmpty:
            let item = items.remove(at: place(upTo: items.count - 1))
            items.insert(item, at: place(upTo: items.count))
        case _ where !items.isEmpty: items[place(upTo: items.count - 1)].version += 1
        default: items = fresh(count)
        }
        if items.count > 2000 { items.removeFirst(1500) }
    }

    private func place(upTo last: Int) -> Int { Int.random(in: 0...last, using: &random) }

    /// The rows on screen, from the top, are items that follow each other, as they are now.
    private func compare(after number: Int) throws {
        var seen: [(y: Double, id: Int, text: String)] = []
        for (row, item) in store.rows {
            guard let frame = row.root.parent?.frame(in: scroller), frame.height > 0 else { continue }
            guard frame.y + frame.height > 0, frame.y < Double(scroller.height) else { continue }
            seen.append((frame.y, item.id, row.text))
        }
        seen.sort { $0.y < $1.y }
        guard let first = seen.first else {
            guard items.isEmpty else { throw Gallery.Failure("snapshot \(number): nothing is on screen") }
            return
        }
        let start = items.firstIndex { $0.id == first.id } ?? items.count
        let expected = items[start...].prefix(seen.count).map(\.text)
        let texts = seen.map(\.text)
        guard texts == expected else {
            throw Gallery.Failure("snapshot \(number): on screen are \(texts) instead of \(expected)")
        }
    }
}
