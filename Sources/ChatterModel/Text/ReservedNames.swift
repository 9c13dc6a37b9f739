/// Usernames that nobody may take, since others would trust them for more than they are.
enum ReservedNames {
    static let all: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "admins", "api", "billing", "bot",
        "chatter",
        "contact", "echo", "everyone", "help", "helpdesk", "info", "legal", "mod", "moderator",
        "moderators", "noreply", "null", "official", "operator", "owner", "postmaster",
        "privacy", "root", "safety", "security", "service", "settings", "staff", "support",
        "sysadmin",
        "system", "team", "undefined", "verified", "verify", "webmaster",
        "adminchatter", "chatteradmin", "chatterbot", "chatterhelp", "chatterofficial", "chattersecurity",
        "chatterstaff", "chattersupport", "chatterteam", "officialchatter", "supportchatter", "teamchatter",
    ]

    static let skeletons: Set<String> = Set(all.map(skeleton))

    /// How a canonical name looks at a glance: `chatter_supp0rt` and `chattersupport` are one.
    static func skeleton(_ name: String) -> String {
        var skeleton = ""
        for character in name {
            switch character {
            case "_", ".": continue
            case "0": skeleton.append("o")
            case "1", "i": skeleton.append("l")
            case "3": skeleton.append("e")
            case "4": skeleton.append("a")
            case "5": skeleton.append("s")
            default: skeleton.append(character)
            }
        }
        return skeleton
    }
}
