import ChatterModel
import ChatterTestSupport
import ChatterViewModels

/// Who one may be and know: a username, and a name in each script.
enum Role: String, CaseIterable {
    case maya, tom, priya, zoe, jonas, gerda, longname, sam, anna, layla

    func name(_ variant: Variant) -> String { variant == .rtl ? arabic : latin }

    private var latin: String {
        switch self {
        case .maya: "Maya Lindqvist"
        case .tom: "Tom Becker"
        case .priya: "Priya Raman"
        case .zoe: "Zoë O’Connor"
        case .jonas: "Jonas Weiß"
        case .gerda: "Oma Gerda"
        case .longname: "Bartholomäus Wolfeschlegelsteinhausenbergerdorff the Younger"
        case .sam: "Sam"
        case .anna: "Anna Novák"
        case .layla: "ليلى حسن"
        }
    }

    private var arabic: String {
        switch self {
        case .maya: "مايا الحسن"
        case .tom: "طارق منصور"
        case .priya: "بريا رامان"
        case .zoe: "زينب العلي"
        case .jonas: "يونس حداد"
        case .gerda: "جدتي أمينة"
        case .longname: "عبد الرحمن بن محمد بن عبد العزيز آل مبارك القحطاني الأصغر"
        case .sam: "سامر"
        case .anna: "آنا نوفاك"
        case .layla: "ليلى حسن"
        }
    }
}

/// Somebody with an account, on a telephone that calls the server directly.
final class Person {
    let role: Role
    let name: String
    var device: TestDevice
    /// The chat with the person whose app is shown.
    var chat: ID<Conversation>?
    private(set) var connection: TestConnection?

    var id: ID<User> { device.user }

    init(_ role: Role, _ name: String, _ device: TestDevice) {
        self.role = role
        self.name = name
        self.device = device
    }

    func comeOnline() throws { connection = try device.connect() }

    func goOffline() {
        connection?.disconnect()
        connection = nil
    }

    /// Access tokens do not last for days.
    func renew() async throws {
        device.take(
            try await device.call(Routes.refresh, body: RefreshTokens(refreshToken: device.refreshToken)))
    }
}
