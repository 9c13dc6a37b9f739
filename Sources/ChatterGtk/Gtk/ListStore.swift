import CGtk

/// What a row of a list shows; row widgets are few and recycled, items are many.
protocol ListRow: AnyObject {
    associatedtype Item: Identifiable & Equatable
    var root: Widget { get }
    func show(_ item: Item)
    /// The row's name for a screen reader.
    func spoken(_ item: Item) -> String
}

/// The GListModel side of a list: only a count. GTK asks for an object for each position in sight and gets an empty one;
/// rows look up their item by position.
class ListSource {
    fileprivate struct Instance {
        var parent: GObject
        var source: Unmanaged<ListSource>?
    }

    fileprivate let model: UnsafeMutablePointer<Instance>?
    fileprivate(set) var count = 0
    /// How many there are, for checks that none is left over.
    private(set) static var alive = 0

    init() {
        Self.alive += 1
        let object = g_object_new_with_properties(Self.type, 0, nil, nil)
        model = object.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Instance.self) }
        model?.pointee.source = .passUnretained(self)
    }

    isolated deinit {
        Self.alive -= 1
        model?.pointee.source = nil
        g_object_unref(model)
    }

    fileprivate func changed(at position: Int, removed: Int, added: Int) {
        guard let model else { return }
        g_list_model_items_changed(OpaquePointer(model), UInt32(position), UInt32(removed), UInt32(added))
    }

    private static let type: GType = {
        let type = g_type_register_static_simple(
            CHATTER_TYPE_OBJECT, "ChatterListModel", UInt32(MemoryLayout<GObjectClass>.size), nil,
            UInt32(MemoryLayout<Instance>.size), nil, GTypeFlags(0))
        var interface = GInterfaceInfo(
            interface_init: { interface, _ in
                guard let interface = interface?.assumingMemoryBound(to: GListModelInterface.self) else {
                    return
                }
                interface.pointee.get_item_type = { _ in CHATTER_TYPE_OBJECT }
                interface.pointee.get_n_items = { UInt32(ListSource.of($0)?.count ?? 0) }
                interface.pointee.get_item = { model, position in
                    guard position < ListSource.of(model)?.count ?? 0 else { return nil }
                    return UnsafeMutableRawPointer(
                        g_object_new_with_properties(CHATTER_TYPE_OBJECT, 0, nil, nil))
                }
            }, interface_finalize: nil, interface_data: nil)
        g_type_add_interface_static(type, g_list_model_get_type(), &interface)
        return type
    }()

    private static func of(_ model: OpaquePointer?) -> ListSource? {
        model.flatMap { UnsafeMutablePointer<Instance>($0).pointee.source?.takeUnretainedValue() }
    }
}

/// A Swift array behind a GTK list. Assigning `items` tells GTK the one span that differs by identity, and shows again
/// those rows whose item kept its identity and changed.
final class ListStore<Row: ListRow>: ListSource {
    typealias Item = Row.Item

    private struct Live {
        var row: Row
        var shown: Item?
    }

    private var live: [OpaquePointer: Live] = [:]
    private var view: ListView?

    /// What GTK was told.
    private var told: [Item] = []
    /// What it is told with the next frame.
    private var waiting: [Item]?

    /// On screen with the next frame. A list whose items have changed scrolls to a wrong place until it is laid out again,
    /// so both happen between the person's scrolling and the layout.
    var items: [Item] {
        get { waiting ?? told }
        set {
            guard let view, view.isMapped else { return tell(newValue) }
            if waiting == nil {
                view.beforeLayout { [self] in
                    tell(items)
                    view.afterLayout { [self] in if isBlank(view) { view.scrollAgain() } }
                }
            }
            waiting = newValue
        }
    }

    /// Where rows in sight are removed many at a time, GTK 4.8 can lose its place and draw none.
    private func isBlank(_ view: ListView) -> Bool {
        let height = Double(view.height)
        let isAnyInSight = live.values.contains { entry in
            guard let frame = entry.row.root.parent?.frame(in: view) else { return false }
            return frame.y < height && frame.y + frame.height > 0
        }
        return count > 0 && height > 0 && !isAnyInSight
    }

    private func tell(_ newValue: [Item]) {
        waiting = nil
        // A window that ends at the newest item moves on: what falls out of it above is a span of its own, else all
        // would be shown anew and nothing could keep its place.
        let (old, new) = Self.front(told, newValue)
        if old > 0 || new > 0 {
            tell(Array(newValue[..<new] + told[old...]), prefix: 0, suffix: told.count - old)
        }
        let (prefix, suffix) = Self.common(told, newValue)
        tell(newValue, prefix: prefix, suffix: suffix)
        for item in live.keys { show(item) }
    }

    private func tell(_ new: [Item], prefix: Int, suffix: Int) {
        let (removed, added) = (told.count - prefix - suffix, new.count - prefix - suffix)
        told = new
        count = new.count
        if removed > 0 || added > 0 { changed(at: prefix, removed: removed, added: added) }
    }

    /// How many items stand before the first that both have; none when nothing is common.
    private static func front(_ old: [Item], _ new: [Item]) -> (old: Int, new: Int) {
        guard let first = old.first?.id, first != new.first?.id else { return (0, 0) }
        let places = Dictionary(old.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, item) in new.enumerated() {
            if let place = places[item.id] { return (place, index) }
        }
        return (0, 0)
    }

    private static func common(_ old: [Item], _ new: [Item]) -> (prefix: Int, suffix: Int) {
        let shorter = min(old.count, new.count)
        var (prefix, suffix) = (0, 0)
        while prefix < shorter, old[prefix].id == new[prefix].id { prefix += 1 }
        while suffix < shorter - prefix, old[old.count - 1 - suffix].id == new[new.count - 1 - suffix].id {
            suffix += 1
        }
        return (prefix, suffix)
    }

    private func show(_ listItem: OpaquePointer) {
        let position = Int(gtk_list_item_get_position(listItem))
        guard let entry = live[listItem], position < told.count, entry.shown != told[position] else {
            return
        }
        live[listItem]?.shown = told[position]
        entry.row.show(told[position])
        // What takes the focus, and is spoken, is the list's own cell around the row.
        entry.row.root.parent?.accessible(entry.row.spoken(told[position]))
    }

    /// The rows there are at the moment, with what they show.
    var rows: [(row: Row, item: Item)] {
        live.values.compactMap { entry in entry.shown.map { (entry.row, $0) } }
    }

    /// The row that has the keyboard.
    var focused: (row: Row, item: Item)? { rows.first { $0.row.root.parent?.hasFocusInside == true } }

    /// Among those that GTK was told of.
    func position(of id: Item.ID) -> Int? { told.firstIndex { $0.id == id } }

    /// The row that is shown for an item, if it is one of those there are.
    func row(of id: Item.ID) -> Row? { rows.first { $0.item.id == id }?.row }

    /// The row at a height in `view`.
    func row(at y: Double, in view: ListView) -> (row: Row, item: Item)? {
        rows.first { entry in
            guard let frame = entry.row.root.parent?.frame(in: view) else { return false }
            return frame.y <= y && y < frame.y + frame.height
        }
    }

    /// The item at the top of what is in sight of `view`.
    func first(inSightOf view: ListView) -> Item? {
        let frames = rows.compactMap { entry in
            entry.row.root.parent?.frame(in: view).map {
                (item: entry.item, top: $0.y, end: $0.y + $0.height)
            }
        }
        return frames.filter { $0.end > 0 }.min { $0.top < $1.top }?.item
    }

    /// - Parameters:
    ///   - activated: a row was chosen by the Enter key or a click.
    ///   - singleClick: one click is enough; else it takes two.
    func makeView(
        _ name: String, activated: ((Item) -> Void)? = nil, singleClick: Bool = true,
        makeRow: @escaping () -> Row
    ) -> ListView {
        let factory = AnyHandle(gtk_signal_list_item_factory_new())
        factory.onSignal("setup") { [unowned self] in
            guard let item = $0.pointer(0) else { return false }
            let row = makeRow()
            live[item] = Live(row: row)
            gtk_list_item_set_child(item, row.root.widget)
            return false
        }
        let each: (String, @escaping (OpaquePointer) -> Void) -> Void = { signal, body in
            factory.onSignal(signal) {
                $0.pointer(0).map(body)
                return false
            }
        }
        each("bind") { [unowned self] in show($0) }
        each("unbind") { [unowned self] in live[$0]?.shown = nil }
        each("teardown") { [unowned self] in live[$0] = nil }
        g_object_ref(model)
        let selection = gtk_no_selection_new(model.map { OpaquePointer($0) })
        let view = ListView(gtk_list_view_new(selection, factory.c()))
        view.accessible(name)
        self.view = view
        if let activated {
            gtk_list_view_set_single_click_activate(view.c(), singleClick.gboolean)
            view.onSignal("activate") { [unowned self] in
                let position = Int($0.uint(0))
                if position < told.count { activated(told[position]) }
                return false
            }
        }
        return view.onDispose { _ = self }
    }
}

struct ListView: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }

    /// Has the list find its rows anew for where it stands.
    fileprivate func scrollAgain() {
        guard isMapped else { return }
        let adjustment = Adjustment(gtk_scrollable_get_vadjustment(c()))
        let value = adjustment.value
        adjustment.value = value > 0 ? value - 1 : 1
        adjustment.value = value
    }

    /// Only once it is on screen: before, it breaks the list's layout.
    func scroll(to position: Int) {
        guard isMapped else { return }
        // The action only looks at it.
        let target = g_variant_ref_sink(g_variant_new_uint32(UInt32(position)))
        gtk_widget_activate_action_variant(widget, "list.scroll-to-item", target)
        g_variant_unref(target)
    }
}
