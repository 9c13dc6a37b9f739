import ChatterViewModels

/// All countries, to choose one from.
struct CountryWindow {
    private let window: Window

    init(_ model: OnboardingViewModel, over parent: some WidgetHandle, chosen: @escaping () -> Void) {
        let store = ListStore<CountryRow>()
        let search = SearchEntry("Name or code").focusWhenShown()
        let pages = Stack(crossfade: false)
        let window = Window(
            over: parent, title: "Country", width: 360, height: 520,
            content: Box.column(
                HeaderBar(title: search.expand(horizontally: true)),
                pages.expand(horizontally: true, vertically: true)))
        self.window = window
        let choose: (CountryRow.Item) -> Void = { item in
            window.close()
            model.countryChosen(item.country)
            chosen()
        }
        let list = store.makeView("Countries", activated: choose) { CountryRow() }.css("navigation-sidebar")
        pages.add(Scroller(list), "list")
        pages.add(
            StatusPage(
                icon: "system-search-symbolic", "No Such Country", "Try its name, or the code with the +."),
            "none")

        let show = {
            store.items = model.countries(matching: search.text).map {
                CountryRow.Item(country: $0, name: model.name(of: $0))
            }
            pages.show(store.items.isEmpty ? "none" : "list")
        }
        search.on("changed", show).onEscape { window.close() }
        search.onSubmit { if let first = store.items.first { choose(first) } }
        show()
    }

    func present() { window.present() }
}

/// Flag, name and calling code.
final class CountryRow: ListRow {
    nonisolated struct Item: Identifiable, Equatable {
        let country: Country
        let name: String
        var id: Country.ID { country.id }
    }

    let root: Widget
    private let flag = Label()
    private let name = Label().oneLine().leading()
    private let code = Label().leftToRight().css("dim-label", "numeric")

    init() {
        root =
            Box.row(spacing: 12, flag, name.expand(horizontally: true), code).margin(vertical: 6).any
    }

    func show(_ item: Item) {
        flag.text = item.country.flag
        name.text = item.name
        code.text = "+\(item.country.callingCode)"
    }

    func spoken(_ item: Item) -> String { "\(item.name), +\(item.country.callingCode)" }
}
