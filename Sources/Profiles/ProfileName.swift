import Arguments

/// Names a folder, so it is kept to what is harmless in a path.
public struct ProfileName: ArgumentValue {
    public let argument: String

    public static let standard = ProfileName(unchecked: "default")

    private init(unchecked name: String) { argument = name }

    public init?(argument: String) {
        let isPlain = argument.utf8.allSatisfy {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x5F
                || $0 == 0x2E
        }
        guard isPlain, !argument.isEmpty, argument.first != ".", argument.utf8.count <= 64 else { return nil }
        self.argument = argument
    }

    public static var expected: String { "a name of up to 64 letters, digits, '-', '_' and '.'" }
}
