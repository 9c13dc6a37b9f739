import CCrypto
import ChatterModel
import Foundation

/// Makes and reads tokens. They are derived from the device, a generation and a server key (HMAC-SHA256), so the
/// same pair can be given twice and the database holds nothing that opens a session.
struct TokenMint: Sendable {
    enum Kind: UInt8, Sendable {
        case access = 1, refresh = 2

        var prefix: String {
            switch self {
            case .access: "cha_"
            case .refresh: "chr_"
            }
        }
    }

    /// What a genuine token says of itself.
    struct Claims: Equatable, Sendable {
        let device: ID<Device>
        /// Of the pair: each refresh makes the next one.
        let generation: Int64
        /// Of an access token; a refresh token ends with its device.
        let expiresAt: Timestamp
    }

    private let key: [UInt8]

    init(key: [UInt8]) { self.key = key }

    func token(_ kind: Kind, _ claims: Claims) -> String {
        var bytes = uuidBytes(claims.device.rawValue) ?? []
        append(claims.generation, count: 5, to: &bytes)
        append(kind == .access ? claims.expiresAt.milliseconds / 1000 : 0, count: 5, to: &bytes)
        bytes += tag(kind, bytes[...])
        return kind.prefix + base64URL(bytes)
    }

    /// nil for anything that this server did not make.
    func claims(of token: some StringProtocol, _ kind: Kind) -> Claims? {
        guard token.hasPrefix(kind.prefix), let bytes = fromBase64URL(token.dropFirst(kind.prefix.count)),
            bytes.count == 16 + 5 + 5 + 16
        else { return nil }
        guard areEqual(tag(kind, bytes[..<26]), Array(bytes[26...])) else { return nil }
        return Claims(
            device: ID(uuidText(Array(bytes[..<16]))), generation: number(bytes[16..<21]),
            expiresAt: Timestamp(milliseconds: number(bytes[21..<26]) * 1000))
    }

    private func tag(_ kind: Kind, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(hmacSHA256(key: key, [kind.rawValue] + bytes).prefix(16))
    }

    private func append(_ number: Int64, count: Int, to bytes: inout [UInt8]) {
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
