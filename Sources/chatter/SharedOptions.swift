import Arguments
import Profiles

/// Known to every command, before and after its name.
enum SharedOptions {
    static let timeout = Option<Duration>(
        "timeout", "TIME", default: .seconds(10), "How long to wait for the server.")
    static let json = Option<Bool>("json", "Print JSON for programs; docs/command-line.md lists the shapes.")

    static var all: [any Parameter] { ProfileOptions.all + [timeout, json] }
}
