import Foundation
import Testing

@testable import OfflineTasks

@Suite("The sessions on a device", .timeLimit(.minutes(5)))
struct AccountStoreTests {
    @Test func `are kept for several users, of whom the last is present`() async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            let store = try AccountStore(in: device.directory)
            #expect(store.all() == [.ada, .grace])
            #expect(store.present == .ada)
            try store.makePresent(.grace)
            #expect(store.present == .grace)
            let later = try AccountStore(in: device.directory)
            #expect(later.present == .grace)
            #expect(later.all() == [.ada, .grace])
        }
    }

    @Test func `are found by the address in any case, and by no other`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            let store = try AccountStore(in: device.directory)
            let found = try store.session(of: "Ada@Example.com")
            #expect(found == .ada)
            let error = #expect(throws: AccountError.notKept("eve@example.com")) {
                try store.session(of: "eve@example.com")
            }
            #expect(error?.description.contains("offline-tasks login eve@example.com") == true)
        }
    }

    @Test func `are their owner's alone`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada, .grace)
            let directory = device.directory.appending(path: "accounts")
            #expect(try permissions(of: directory) == 0o700)
            let files = try FileManager.default.contentsOfDirectory(
                at: directory, includingPropertiesForKeys: nil)
            #expect(files.count == 3)
            for file in files { #expect(try permissions(of: file) == 0o600) }
        }
    }

    @Test func `leave nothing of one who signs out, and all of the others`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada, .grace)
            let store = try AccountStore(in: device.directory)
            try store.removePresent()
            for store in [store, try AccountStore(in: device.directory)] {
                #expect(store.present == nil)
                #expect(store.all() == [.ada])
            }
            #expect(!(try device.text()).contains("of-grace"))
        }
    }

    @Test func `are renewed without a change of who is present`() async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            let renewing = try AccountStore(in: device.directory)
            try AccountStore(in: device.directory).makePresent(.grace)
            let renewed = AuthSession.of("ada", 1, token: "2")
            try renewing.replace(with: renewed)
            #expect(renewing.present == renewed)
            let later = try AccountStore(in: device.directory)
            #expect(later.present == .grace)
            #expect(later.all() == [renewed, .grace])
        }
    }

    @Test func `are not kept anew for one who signed out while they were renewed`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            let renewing = try AccountStore(in: device.directory)
            try AccountStore(in: device.directory).removePresent()
            try renewing.replace(with: .of("ada", 1, token: "2"))
            #expect(try AccountStore(in: device.directory).all() == [])
        }
    }

    @Test func `are taken over from the one file that earlier versions had`() async throws {
        try await Device.lend { device in
            try FileManager.default.createDirectory(
                at: device.directory, withIntermediateDirectories: true)
            let file = device.directory.appending(path: "session.json")
            // As the server answers, with more than is kept.
            try Data(
                """
                {"access_token":"a","token_type":"bearer","expires_in":3600,"expires_at":1,
                "refresh_token":"r","user":{"id":"a0000000-0000-4000-8000-000000000001",
                "aud":"authenticated","email":"ada@example.com"}}
                """.utf8
            ).write(to: file)
            let present = try AccountStore(in: device.directory).present
            #expect(present?.user == AuthSession.ada.user)
            #expect(present?.refreshToken == "r")
            #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
        }
    }

    @Test func `that can't be read are nobody's, but never the present user's`() async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            func file(of session: AuthSession) -> URL {
                device.directory.appending(path: "accounts/\(session.userID).json")
            }
            try Data("{".utf8).write(to: file(of: .grace))
            #expect(try AccountStore(in: device.directory).all() == [.ada])
            // Taken for nobody's, it would be a sign-out, and the library would drop the lists.
            try Data("{".utf8).write(to: file(of: .ada))
            let path = file(of: .ada).path(percentEncoded: false)
            #expect(throws: AccountError.unreadable(path)) {
                try AccountStore(in: device.directory)
            }
        }
    }

    @Test func `need a directory that can be written to, and name it`() {
        #expect(throws: AccountError.unwritable("/dev/null/accounts/")) {
            try AccountStore(in: URL(filePath: "/dev/null"))
        }
    }

    private func permissions(of file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))[
            .posixPermissions] as? Int
    }
}

extension Device {
    /// Everything that is in the files of the sessions.
    fileprivate func text() throws -> String {
        try FileManager.default.contentsOfDirectory(
            at: directory.appending(path: "accounts"), includingPropertiesForKeys: nil
        ).map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined()
    }
}
