import FoundationEssentials
import Testing

@testable import OfflineCore

@Suite("An identity", .timeLimit(.minutes(5)))
struct IdentityTests {
    @Test func `a user id that is a UUID counts in any case`() {
        let upper = UserID("8C3B0F5E-6C5D-4D6B-9F1C-0E6A2B7C8D9E")
        #expect(upper.text == "8c3b0f5e-6c5d-4d6b-9f1c-0e6a2b7c8d9e")
        #expect(upper == UserID(upper.text))
    }

    @Test func `any other user id is compared byte for byte`() {
        #expect(UserID("Ada") != UserID("ada"))
        #expect(UserID("\u{E9}") != UserID("e\u{301}"))
        #expect(Set([UserID("\u{E9}"), UserID("e\u{301}")]).count == 2)
    }

    @Test(arguments: [
        (#"{"sub":"ada"}"#, "ada"), (#"{"sub":"ünï/+?~"}"#, "ünï/+?~"), (#"{"role":"anon"}"#, nil),
        (#"{"sub":""}"#, nil),
    ])
    func `is read from the token's claims`(_ claims: String, _ sub: String?) throws {
        let read = try #require(TokenClaims(token: token(claims: claims)))
        #expect(read.user?.text == sub)
    }

    @Test(arguments: ["", "abc", "a.b", "a.b.c.d", "e30.!!!.x", "e30.W10.x"])
    func `is nobody where the token is none`(_ text: String) {
        #expect(TokenClaims(token: text)?.user == nil)
    }
}

private func token(claims: String) -> String {
    let encoded = Data(claims.utf8).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "e30.\(encoded).c2ln"
}
