extension Unicode.Scalar {
    /// Leaves no mark on the screen by itself: white space, controls, format characters, fillers, the blank
    /// Braille pattern.
    var isInvisible: Bool {
        if isASCII { return value <= 0x20 || value == 0x7F }
        return properties.isWhitespace || isHiddenFormat || properties.isVariationSelector
            || properties.isJoinControl || value == 0x2800
    }

    /// Stands over, under or around the scalar before it and takes no room of its own.
    var isStackingMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Has no place in a name: controls, direction controls, zero-width and other default-ignorable characters.
    /// Joiners, variation selectors and emoji tags count only where they are out of place, which takes context.
    var isHiddenFormat: Bool {
        let properties = properties
        if properties.isJoinControl || properties.isVariationSelector { return false }
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return true }
        return switch properties.generalCategory {
        case .control: true
        case .format: !isVisibleFormat
        default: false
        }
    }

    /// The format characters that do show: signs that span the digits after them (Arabic, Syriac, Kaithi).
    private var isVisibleFormat: Bool {
        switch value {
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: true
        default: false
        }
    }

    /// A letter or mark of a script in which a joiner changes how words look (Arabic and its kin, the Indic
    /// scripts, Tibetan, Myanmar, Khmer, Mongolian).
    var isOfJoiningScript: Bool {
        switch value {
        case 0x0600...0x109F, 0x1780...0x18AF, 0x1A20...0x1AAF, 0x1B00...0x1C4F, 0xA800...0xA8FF,
            0xA980...0xA9DF, 0xAA60...0xAA7F, 0xAAE0...0xAAFF, 0xABC0...0xABFF, 0xFB50...0xFDFF,
            0xFE70...0xFEFC, 0x10AC0...0x10AFF, 0x10D00...0x10D3F, 0x10F30...0x10FAF, 0x11000...0x11DAF,
            0x1E900...0x1E95F:
            true
        default: false
        }
    }

    /// Mutes the vowel of the letter before it; a joiner after it chooses the shape of what follows.
    var isVirama: Bool { properties.canonicalCombiningClass == .virama }

    /// Can stand beside a zero-width joiner in an emoji (👩‍💻); digits, `#` and `*` are emoji only by name.
    var isEmojiPart: Bool { !isASCII && (properties.isEmoji || properties.isEmojiModifier) }

    /// U+E0020…E007F, which spell a region after a black flag (🏴󠁧󠁢󠁥󠁮󠁧󠁿).
    var isEmojiTag: Bool { 0xE0020 <= value && value <= 0xE007F }
}
