import Observation

@testable import ChatterGtk

/// Rows of a list come and go while the keyboard is in one of them: it stays there, and goes to the next where its row
/// goes.
final class KeptFocus {
    fileprivate struct Item: Identifiable, Equatable {
        let id: Int
        var title = "Accept"
    }

    @Observable
    final class Model {
        fileprivate var items = [Item(id: 1), Item(id: 2), Item(id: 3)]
    }

    private let model = Model()
    private let window: Window
    private var rows: [Int: ListBoxRow] = [:]
    private var buttons: [Int: Button] = [:]

    init(_ exhibition: Exhibition) { window = Window(exhibition.app, title: "Rows") }

    func run() async throws {
        defer { window.close() }
        let list = ListBox("Rows").rows({ [model] in model.items }) { [self] item in
            let button = Button(item.title) {}
            let row = ListBoxRow(button)
            (rows[item.id], buttons[item.id]) = (row, button)
            return (row.any, { button.title = $0.title })
        }
        window.content(list)
        window.present()
        try await settle()
        buttons[2]?.focus()
        try await shows([Item(id: 1), Item(id: 2, title: "Chat"), Item(id: 3)], focus: 2)
        try await shows([Item(id: 4), Item(id: 1), Item(id: 2, title: "Chat"), Item(id: 3)], focus: 2)
        try await shows([Item(id: 2), Item(id: 3), Item(id: 1)], focus: 2)
        try await shows([Item(id: 3), Item(id: 1)], focus: 3)
        try await shows([Item(id: 1), Item(id: 3)], focus: 3)
        try await shows([Item(id: 1)], focus: 1)
    }

    private func shows(_ items: [Item], focus id: Int) async throws {
        model.items = items
        try await settle()
        let focused = rows.filter { $0.value.exists && $0.value.hasFocusInside }.map(\.key)
        guard focused == [id] else {
            throw Gallery.Failure(
                "with rows \(items.map(\.id)) the keyboard is in \(focused) and not in \(id)")
        }
    }

    private func settle() async throws {
        repeat { await Screen.painted() } while !Observer.isIdle
    }
}
