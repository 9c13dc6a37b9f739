import CNcurses
import Foundation

/// What each style looks like here: colours where the terminal has them and nobody asked for none with `NO_COLOR`,
/// else bold, dim and reverse.
@MainActor
struct TerminalStyles {
    private enum Pair: Int16 {
        case banner = 1, error, mine, read, divider
    }

    let hasColours: Bool

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        hasColours = has_colors() && environment["NO_COLOR", default: ""].isEmpty
        guard hasColours else { return }
        start_color()
        use_default_colors()
        init_pair(Pair.banner.rawValue, Int16(COLOR_BLACK), Int16(COLOR_YELLOW))
        init_pair(Pair.error.rawValue, Int16(COLOR_RED), -1)
        init_pair(Pair.mine.rawValue, Int16(COLOR_CYAN), -1)
        init_pair(Pair.read.rawValue, Int16(COLOR_BLUE), -1)
        init_pair(Pair.divider.rawValue, Int16(COLOR_GREEN), -1)
    }

    func apply(_ style: Frame.Style, to window: UnsafeMutablePointer<WINDOW>) {
        let (attributes, pair) = look(style)
        wattr_set(window, attributes, hasColours ? pair?.rawValue ?? 0 : 0, nil)
    }

    private func look(_ style: Frame.Style) -> (attr_t, Pair?) {
        switch style {
        case .plain: (chatter_plain, nil)
        case .dim: (chatter_dim, nil)
        case .bold: (chatter_bold, nil)
        case .header: (chatter_reverse | chatter_bold, nil)
        case .banner: (hasColours ? chatter_plain : chatter_bold, .banner)
        case .error: (chatter_bold, .error)
        case .mine: (chatter_plain, .mine)
        case .read: (chatter_bold, .read)
        case .divider: (hasColours ? chatter_plain : chatter_dim, .divider)
        }
    }
}
