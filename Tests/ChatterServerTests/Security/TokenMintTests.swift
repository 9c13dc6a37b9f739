import ChatterModel
import Testing

@testable import ChatterServer

@Suite("Tokens")
struct TokenMintTests {
    let mint = TokenMint(key: Array(repeating: 7, count: 32))
    let claims = TokenMint.Claims(
        device: ID("01a22d55-fa4e-7000-beb5-22eb4401516b"), generation: 3,
        expiresAt: Timestamp(milliseconds: 1_790_000_000_000))

    @Test("A token says what it was made of, and the same claims make the same token")
    func roundTrip() {
        let token = mint.token(.access, claims)
        #expect(mint.claims(of: token, .access) == claims)
        #expect(mint.token(.access, claims) == token)
        #expect(
            token.hasPrefix("cha_") && token.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
    }

    @Test("Another key, another kind and another spelling are not accepted")
    func refusals() {
        let token = mint.token(.access, claims)
        #expect(TokenMint(key: Array(repeating: 8, count: 32)).claims(of: token, .access) == nil)
        #expect(mint.claims(of: token, .refresh) == nil)
        #expect(mint.claims(of: "chr_" + token.dropFirst(4), .refresh) == nil)
        #expect(mint.claims(of: token + "=", .access) == nil)
        #expect(mint.claims(of: token + "AA", .access) == nil)
        #expect(mint.claims(of: String(token.dropLast()), .access) == nil)
        #expect(mint.claims(of: token.replacingOccurrences(of: "cha_", with: "cha_ "), .access) == nil)
    }

    @Test("HMAC-SHA256 and SHA-256 are the standards' (RFC 4231, case 2; FIPS 180)")
    func vectors() {
        let tag = hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(hexadecimal(tag) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            hexadecimal(sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("Random numbers keep to their range and reach its ends")
    func numbers() {
        let random = SecureRandom()
        let drawn = (0..<2000).map { _ in random.number(in: 0..<7) }
        #expect(Set(drawn) == Set(0..<7))
    }
}
