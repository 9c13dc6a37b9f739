/// The text of `--help`: at most 80 columns, in the order a person needs it.
struct HelpText<Action: Sendable> {
    let command: Command<Action>
    let path: [String]
    let shared: [Definition]

    private let width = 80

    init(command: Command<Action>, path: [String], shared: [Definition]) {
        self.command = command
        self.path = path
        self.shared = shared
    }

    var usage: String {
        var words = [path.joined(separator: " "), "[options]"]
        if !command.subcommands.isEmpty { words.append(command.action == nil ? "COMMAND" : "[COMMAND]") }
        for definition in command.parameters where definition.kind == .positional {
            let word = definition.name + (definition.repeats ? "…" : "")
            words.append(definition.minimum == 0 ? "[\(word)]" : word)
        }
        return words.joined(separator: " ")
    }

    var text: String {
        var sections = [wrap(command.summary), "Usage: \(usage)"]
        sections += command.description.split(separator: "\n\n").map { wrap(String($0)) }
        let positionals = command.parameters.filter { $0.kind == .positional }
        sections += table("Arguments", positionals.map { ($0.name + ($0.repeats ? "…" : ""), $0.summary) })
        for group in groups {
            let members = command.subcommands.filter { $0.group == group }
            sections += table(group, members.map { ($0.name, $0.summary) })
        }
        sections += table("Options", options)
        if path.count > 1 { sections += table("Options of every command", shared.map(row)) }
        sections += examples
        return sections.joined(separator: "\n\n") + "\n"
    }

    private var groups: [String] {
        command.subcommands.map(\.group).reduce(into: []) { seen, group in
            if !seen.contains(group) { seen.append(group) }
        }
    }

    private var options: [(String, String)] {
        let own = command.parameters.filter { $0.kind != .positional }
        var rows = (path.count > 1 ? own : own + shared).map(row)
        rows.append(("-h, --help", "Show this help."))
        if command.version != nil { rows.append(("    --version", "Show the version.")) }
        return rows
    }

    private func row(_ option: Definition) -> (String, String) {
        var name = option.short.map { "-\($0), " } ?? "    "
        name += "--\(option.name)" + (option.kind == .flag ? "" : " \(option.placeholder)")
        var notes: [String] = []
        if let text = option.defaultText, !text.isEmpty { notes.append("default: \(text)") }
        if let variable = option.environment { notes.append("or $\(variable)") }
        if option.repeats { notes.append("may be repeated") }
        return (name, option.summary + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"))
    }

    private var examples: [String] {
        guard !command.examples.isEmpty else { return [] }
        return [
            "Examples:\n" + command.examples.map { "  \($0.purpose)\n    \($0.line)" }.joined(separator: "\n")
        ]
    }

    private func table(_ title: String, _ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let column = min(rows.map(\.0.count).max() ?? 0, 28) + 4
        let lines = rows.map { name, summary in
            let start = "  " + name
            let body = wrap(summary, indent: column)
            // A name too long for its column gets a line of its own.
            guard start.count + 2 <= column else { return start + "\n" + body }
            return start + body.dropFirst(start.count)
        }
        return ["\(title):\n" + lines.joined(separator: "\n")]
    }

    /// Breaks at spaces; keeps single line breaks.
    private func wrap(_ text: String, indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = margin
            for word in paragraph.split(separator: " ") {
                if line.count > indent, line.count + 1 + word.count > width {
                    lines.append(line)
                    line = margin
                }
                line += (line.count > indent ? " " : "") + word
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}
