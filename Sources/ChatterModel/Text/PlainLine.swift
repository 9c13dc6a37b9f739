/// Makes one line of honest text out of what somebody typed for a name: nothing in it can turn, hide, overprint or
/// stretch the text around it. The result is not Unicode-normalised: some people's names are written with
/// characters that normalisation would replace.
struct PlainLine {
    /// Stacking marks kept on one base. Hebrew with points and accents needs three, Tibetan four.
    static let marksPerBase = 4
    /// A region's tags: five letters or digits and the closing one, with one to spare.
    static let tagsPerFlag = 7

    private var kept = String.UnicodeScalarView()
    private var marks = 0
    private var tags = 0
    /// A space was passed and is written only when something follows it.
    private var owesSpace = false

    /// White space in runs becomes one space, and none at the ends; hidden characters go; marks without a base and
    /// above the fourth go.
    static func clean(_ raw: String) -> String {
        var line = PlainLine()
        let scalars = Array(raw.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            line.take(scalar, before: index + 1 < scalars.count ? scalars[index + 1] : nil)
        }
        return String(line.kept)
    }

    private mutating func take(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
        let properties = scalar.properties
        if properties.isWhitespace {
            owesSpace = !kept.isEmpty
        } else if properties.isJoinControl {
            if !owesSpace, joins(scalar, next) { kept.append(scalar) }
        } else if scalar.isEmojiTag {
            if !owesSpace, continuesFlag { append(tag: scalar) }
        } else if properties.isVariationSelector {
            if !owesSpace, let last = kept.last, !last.properties.isVariationSelector { kept.append(scalar) }
        } else if scalar.isHiddenFormat {
            return
        } else if scalar.isStackingMark {
            append(mark: scalar)
        } else {
            append(base: scalar)
        }
    }

    private mutating func append(base scalar: Unicode.Scalar) {
        if owesSpace { kept.append(" ") }
        owesSpace = false
        marks = 0
        tags = 0
        kept.append(scalar)
    }

    private mutating func append(mark scalar: Unicode.Scalar) {
        guard !owesSpace, !kept.isEmpty, marks < Self.marksPerBase else { return }
        marks += 1
        kept.append(scalar)
    }

    private mutating func append(tag scalar: Unicode.Scalar) {
        tags += 1
        kept.append(scalar)
    }

    private var continuesFlag: Bool {
        guard let last = kept.last, tags < Self.tagsPerFlag else { return false }
        return last.value == 0x1F3F4 || last.isEmojiTag
    }

    /// Whether a joiner does something here: between emoji (only the joiner, U+200D), inside a word of a script
    /// that uses them, or after a virama.
    private func joins(_ joiner: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
        guard let last = kept.last else { return false }
        if last.isVirama { return true }
        guard let next else { return false }
        if last.isOfJoiningScript, next.isOfJoiningScript { return true }
        let afterEmoji = last.isEmojiPart || last.value == 0xFE0F
        return joiner.value == 0x200D && afterEmoji && next.isEmojiPart
    }
}

extension String {
    /// Nothing in it shows on a screen.
    var looksBlank: Bool { unicodeScalars.allSatisfy(\.isInvisible) }
}
