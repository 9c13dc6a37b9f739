import Arguments

/// What each program for people takes to find its profile and server.
public enum ProfileOptions {
    public static let profile = Option<ProfileName>(
        "profile", short: "p", "NAME", default: .standard, environment: "CHATTER_PROFILE",
        "Which account on this machine; each has its own folder.")
    public static let home = Option<String?>(
        "home", "DIR", environment: "CHATTER_HOME",
        "Where profiles lie, instead of chatter in $XDG_DATA_HOME or ~/.local/share.")
    public static let server = Option<ServerURL?>(
        "server", "URL", environment: "CHATTER_SERVER",
        "The server; remembered at sign-in. At first http://127.0.0.1:8080.")
    public static let clientKey = Option<String?>(
        "client-key", "KEY", environment: "CHATTER_CLIENT_KEY",
        "The workspace; remembered at sign-in. At first ck_demo.")

    public static var all: [any Parameter] { [profile, home, server, clientKey] }
}
