import ChatterGtk

/// Something that a person can come to see: its picture's name, and how one gets there.
struct State {
    let name: String
    let variants: [Variant]
    let show: (Stage) async throws -> Void

    init(_ name: String, _ variants: [Variant] = [.light], _ show: @escaping (Stage) async throws -> Void) {
        self.name = name
        self.variants = variants
        self.show = show
    }

    func fileName(_ variant: Variant) -> String {
        variant == .light ? name : "\(name)-\(variant.rawValue)"
    }
}

/// How a desktop can be set up; the first is what people begin with.
enum Variant: String, CaseIterable {
    case light, dark, phone, large, rtl

    var look: Look {
        var look = Look()
        switch self {
        case .light: break
        case .dark: look.isDark = true
        case .phone: (look.width, look.height) = (360, 680)
        case .large: look.textScale = 2
        case .rtl: look.isRightToLeft = true
        }
        return look
    }
}

extension [Variant] {
    static let every = Variant.allCases
    static let narrow: [Variant] = [.light, .phone]
}
