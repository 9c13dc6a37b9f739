import ChatterViewModels

/// All countries, to choose one from.
struct CountryWindow {
    private let window: Window

    init(_ model: OnboardingViewModel, over parent: some WidgetHandle, chosen: @escaping () -> Void) {
        let countries = model.countries()
        let store = ListStore<CountryCell>()
        let search = SearchEntry("Name or code")
            .bind({ countries.query }, typed: { countries.typed($0) }).focusWhenShown()
        let pages = Stack(crossfade: false)
        let window = Window(
            over: parent, title: "Country", width: 360, height: 520,
            content: Box.column(
                HeaderBar(title: search.expand(horizontally: true)),
                pages.expand(horizontally: true, vertically: true)))
        self.window = window
        let choose: (CountryRow) -> Void = { row in
            window.close()
            model.countryChosen(row.country)
            chosen()
        }
        let list = store.makeView("Countries", activated: choose) { CountryCell() }.css("navigation-sidebar")
        list.observe({ countries.rows }) { _, rows in store.items = rows }
        pages.add(Scroller(list), "list")
            .add(StatusPage(icon: "system-search-symbolic", CountriesViewModel.none), "none")
        pages.observe { $0.show(countries.rows.isEmpty ? "none" : "list") }
        search.onEscape { window.close() }.onSubmit { if let first = countries.first { choose(first) } }
    }

    func present() { window.present() }
}

/// Flag, name and calling code.
final class CountryCell: ListRow {
    let root: Widget
    private let flag = Label()
    private let name = Label().oneLine().leading()
    private let code = Label().leftToRight().css("dim-label", "numeric")

    init() {
        root =
            Box.row(spacing: 12, flag, name.expand(horizontally: true), code).margin(vertical: 6).any
    }

    func show(_ row: CountryRow) {
        flag.text = row.country.flag
        name.text = row.name
        code.text = row.code
    }

    func spoken(_ row: CountryRow) -> String { row.spoken }
}
