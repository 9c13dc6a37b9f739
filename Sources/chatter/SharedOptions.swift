import Arguments

/// Known to every command, before and after its name.
enum SharedOptions {
    static let profile = Option<ProfileName>(
        "profile", short: "p", "NAME", default: .standard, environment: "CHATTER_PROFILE",
        "Which account on this machine; each has its own folder.")
    static let home = Option<String?>(
        "home", "DIR", environment: "CHATTER_HOME",
        "Where profiles lie, instead of chatter in $XDG_DATA_HOME or ~/.local/share.")
    static let server = Option<ServerURL?>(
        "server", "URL", environment: "CHATTER_SERVER",
        "The server; remembered at sign-in. At first http://127.0.0.1:8080.")
    static let clientKey = Option<String?>(
        "client-key", "KEY", environment: "CHATTER_CLIENT_KEY",
        "The workspace; remembered at sign-in. At first ck_demo.")
    static let timeout = Option<Duration>(
        "timeout", "TIME", default: .seconds(10), "How long to wait for the server.")
    static let json = Option<Bool>("json", "Print JSON for programs; docs/command-line.md lists the shapes.")

    static var all: [any Parameter] { [profile, home, server, clientKey, timeout, json] }
}
