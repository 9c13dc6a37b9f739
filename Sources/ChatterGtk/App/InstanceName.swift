import Foundation

/// What tells the running apps of one session apart: each profile's folder is one, and a second start raises its window.
package struct InstanceName: Hashable {
    package let applicationID: String

    /// - Parameters:
    ///   - profile: its name; nil: the one that people begin with.
    ///   - folder: where it lies, unless that is where profiles lie by themselves.
    package init(profile: String?, folder: URL?) {
        var elements = [DesktopApp.id]
        if let profile { elements.append(Self.element(profile)) }
        if let folder {
            elements.append("home_" + Self.digest(folder.resolvingSymlinksInPath().standardizedFileURL.path))
        }
        applicationID = elements.joined(separator: ".")
    }

    /// A name as an element of an application id, which has neither dots nor leading digits and at most 255 characters.
    private static func element(_ name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
                ? String(scalar) : "_\(String(scalar.value, radix: 16))_"
        }.joined()
        return "profile_" + (plain.count <= 128 ? plain : digest(name))
    }

    /// FNV-1a: the same at each start, which Swift's own hash is not.
    private static func digest(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
