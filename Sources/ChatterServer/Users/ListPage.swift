import ChatterModel

extension Query {
    /// `cursor` of a list that is ordered by id; nil from the start. Throws VALIDATION_FAILED.
    func cursor<Entity>(_ name: String = "cursor") throws(APIError) -> ID<Entity>? {
        guard let text = text(name) else { return nil }
        guard let bytes = uuidBytes(text) else { throw .invalid(name, "is not a cursor of this list") }
        return ID(uuidText(bytes))
    }
}

extension Array where Element: Sendable {
    /// The first `limit` of what was read with one more, and the cursor of the last when there is one more.
    func page(limit: Int, cursor: (Element) -> String) -> (items: [Element], nextCursor: String?) {
        guard count > limit else { return (self, nil) }
        let items = Array(prefix(limit))
        return (items, items.last.map(cursor))
    }
}

extension Array where Element: Codable & Sendable {
    func page(limit: Int, cursor: (Element) -> String) -> Page<Element> {
        let (items, nextCursor) = page(limit: limit, cursor: cursor)
        return Page(items: items, nextCursor: nextCursor)
    }
}
