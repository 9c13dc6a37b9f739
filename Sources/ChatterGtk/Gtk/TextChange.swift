/// How a text became another: one piece of it gave way to another piece.
nonisolated struct TextChange {
    private let old: [Unicode.Scalar]
    private let new: [Unicode.Scalar]
    /// How much is the same before the piece, and behind it.
    private let prefix: Int
    private let suffix: Int

    init(from old: String, to new: String) {
        (self.old, self.new) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
        let most = min(self.old.count, self.new.count)
        let prefix = zip(self.old, self.new).prefix { $0 == $1 }.count
        self.prefix = prefix
        suffix = zip(self.old.reversed(), self.new.reversed()).prefix { $0 == $1 }.prefix(most - prefix).count
    }

    /// The same piece put into what `other` made of the same text.
    func after(_ other: TextChange) -> String {
        let end = old.count - suffix
        var text = other.new
        text.replaceSubrange(
            other.place(of: prefix)..<other.place(of: end, isEnd: end > prefix),
            with: new[prefix..<new.count - suffix])
        return String(String.UnicodeScalarView(text))
    }

    /// Where a place in the old text is in the new one. What is written at the piece goes behind it; what is taken out up
    /// to the piece, as the end of that, leaves it.
    private func place(of index: Int, isEnd: Bool = false) -> Int {
        if isEnd, index <= prefix { return index }
        if index >= old.count - suffix { return index + new.count - old.count }
        return index <= prefix ? index : new.count - suffix
    }
}
