import CNcurses
import Dispatch
import Glibc

/// The one place that touches ncurses: draws frames, reads keys. On the main actor because ncurses has no locks.
@MainActor
final class Terminal {
    private let window: UnsafeMutablePointer<WINDOW>
    private let attributes: TerminalStyles
    private let keyboard: any DispatchSourceRead
    private let resizes: any DispatchSourceSignal
    private let terminations: any DispatchSourceSignal
    private var decoder = KeyDecoder()
    /// Typed and not taken yet.
    var typeAhead = TypeAhead()
    private var onKeys: @MainActor () -> Void = {}
    private var onResize: @MainActor () -> Void = {}

    /// nil when ncurses does not know the terminal ($TERM): the caller goes on line by line.
    init?() {
        // ncurses would take this signal over, but it tells only who is waiting for a key.
        signal(SIGWINCH, SIG_IGN)
        // Ending must give the terminal back first.
        signal(SIGTERM, SIG_IGN)
        guard let window = chatter_open_screen() else { return nil }
        self.window = window
        raw()
        noecho()
        nonl()
        keypad(window, true)
        nodelay(window, true)
        set_escdelay(25)
        define_key("\u{1B}[200~", KeyDecoder.pasteStart)
        define_key("\u{1B}[201~", KeyDecoder.pasteEnd)
        attributes = TerminalStyles()
        keyboard = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        resizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .main)
        terminations = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
        Self.bracketPastes(true)
        start()
    }

    /// Whoever is on screen now. `typed` is called when something may be in `typeAhead`, at first for what was typed
    /// before; `resized` when the window changed its size.
    func listen(typed: @escaping @MainActor () -> Void, resized: @escaping @MainActor () -> Void) {
        onKeys = typed
        onResize = resized
        typed()
    }

    private func start() {
        keyboard.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.readKeys() }
        }
        resizes.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.adoptSize() }
        }
        terminations.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.take(.interrupt) }
        }
        keyboard.activate()
        resizes.activate()
        terminations.activate()
    }

    var hasColours: Bool { attributes.hasColours }

    var size: Frame.Size {
        Frame.Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window)))
    }

    func draw(_ frame: Frame) {
        werase(window)
        for (row, line) in frame.lines.enumerated() where row < size.rows {
            wmove(window, Int32(row), 0)
            for span in line {
                attributes.apply(span.style, to: window)
                let characters = span.text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
                // The last cell of the last row reports an error although it is drawn.
                _ = waddnwstr(window, characters, Int32(characters.count))
            }
        }
        attributes.apply(.plain, to: window)
        wmove(window, Int32(frame.cursorRow), Int32(min(frame.cursorColumn, size.columns - 1)))
        wrefresh(window)
    }

    /// Draws everything again, for a terminal that something else has written on.
    func repaint() { clearok(window, true) }

    /// Gives the terminal back as it was.
    func close() {
        keyboard.cancel()
        resizes.cancel()
        terminations.cancel()
        Self.bracketPastes(false)
        endwin()
    }

    private func readKeys() {
        var code = wint_t()
        while true {
            switch wget_wch(window, &code) {
            case OK: take(decoder.character(code))
            case KEY_CODE_YES: take(decoder.function(Int32(code)))
            default: return take(decoder.pause())
            }
        }
    }

    private func take(_ key: Key?) {
        guard let key else { return }
        typeAhead.add(key)
        onKeys()
    }

    private func adoptSize() {
        var now = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &now) == 0, now.ws_row > 0, now.ws_col > 0 else {
            return
        }
        resizeterm(Int32(now.ws_row), Int32(now.ws_col))
        clearok(window, true)
        onResize()
    }

    /// Asks the terminal to mark what is pasted, so that line breaks in it do not send.
    private static func bracketPastes(_ on: Bool) {
        let sequence = Array("\u{1B}[?2004\(on ? "h" : "l")".utf8)
        // A terminal that is gone needs no asking.
        _ = write(STDOUT_FILENO, sequence, sequence.count)
    }
}
