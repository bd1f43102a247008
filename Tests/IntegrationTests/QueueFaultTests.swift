import Foundation
import SupabaseOffline
import Testing

/// What the server may do wrong with writes that wait, in tables of each test's own.
@Suite(
    "The queue over a server that fails",
    .enabled(if: TestServer.takesFaults, "only the development server takes faults"),
    .timeLimit(.minutes(2)))
struct QueueFaultTests {
    private struct Numbered: Codable, Equatable, Sendable {
        let id: Int
        var title: String
    }

    private static let numbered = "id bigint primary key, title text not null"

    /// Faults that lose an answer whose work is done.
    static let lost = [
        #""fault":"drop_after_commit""#, #""fault":"cut_headers""#, #""fault":"cut_body""#,
        #""fault":"cut_body","chunked":true"#,
    ]

    @Test(arguments: lost)
    func `an insert whose answer is lost is there once, and counts as done`(
        _ fault: String
    ) async throws {
        let keys = ["bigint": JSONValue.integer(7), "uuid": .string(UUID().uuidString)]
        for (type, key) in keys {
            try await OwnTable.with("id \(type) primary key, title text not null") {
                client, _, table in
                try await table.fail(fault)
                let row: [String: JSONValue] = ["id": key, "title": "mine"]
                let kept = try await client.from(table.name).insert(row).select().execute().kept()
                let there = try await table.sql("select title from t")
                #expect(there == "mine")
                try await client.drain()
                let outcome = try await kept.outcome
                #expect(outcome == .applied(rows: 1))
                let after = try await table.sql("select count(*) from t")
                #expect(after == "1")
                #expect(await client.rejections == [])
            }
        }
    }

    @Test func `an insert whose key somebody else has taken meanwhile is rejected with their row`()
        async throws
    {
        try await OwnTable.with(Self.numbered) { client, _, table in
            try await table.fail(#""fault":"drop_before_commit""#)
            let kept = try await client.from(table.name).insert(Numbered(id: 7, title: "mine"))
                .execute().kept()
            try await table.server.sql(
                "insert into public.\(table.name) (id, title, user_id) "
                    + "values (7, 'theirs', '\(table.user.id)')")
            try await client.drain()
            let outcome = try await kept.outcome
            guard case .rejected(.occupied(let error, let current)) = outcome else {
                Issue.record("\(outcome) is another outcome")
                return
            }
            #expect(error.code == "23505")
            let row = try JSONDecoder().decode(Numbered.self, from: current)
            #expect(row == Numbered(id: 7, title: "theirs"))
            let there = try await table.sql("select title from t")
            #expect(there == "theirs")
        }
    }

    @Test
    func `an insert that never arrived and is refused for another column is not taken as done`()
        async throws
    {
        try await OwnTable.with("id uuid primary key, title text not null unique") {
            client, _, table in
            let insert = {
                try await client.from(table.name)
                    .insert(["id": UUID().uuidString, "title": "the only one"]).execute()
            }
            _ = try await insert()
            try await table.fail(#""fault":"drop_before_commit""#)
            let kept = try await insert().kept()
            try await client.drain()
            #expect(await client.rejections.map(\.id) == [kept.id])
            #expect(await client.rejections.first?.rejection.error?.code == "23505")
            let there = try await table.sql("select count(*) from t")
            #expect(there == "1")
        }
    }

    @Test(arguments: ["42501", "23514", "PGRST204"])
    func `one write that is refused holds up none of the others`(_ code: String) async throws {
        try await OwnTable.with(Self.numbered + " check (title <> 'bad')") {
            client, network, table in
            network.isAway = true
            var bad: [String: JSONValue] = ["id": 2, "title": "good"]
            switch code {
            case "42501": bad["user_id"] = .string(UUID().uuidString.lowercased())
            case "23514": bad["title"] = "bad"
            default: bad["color"] = "red"
            }
            let insert = { (row: [String: JSONValue]) in
                try await client.from(table.name).insert(row).execute().kept()
            }
            _ = try await insert(["id": 1, "title": "good"])
            let refused = try await insert(bad)
            _ = try await insert(["id": 3, "title": "good"])
            network.isAway = false
            try await client.drain()
            let rejected = await client.rejections
            #expect(rejected.map(\.id) == [refused.id])
            #expect(rejected.first?.rejection.error?.code == code)
            var there = try await table.sql("select string_agg(id::text, ',' order by id) from t")
            #expect(there == "1,3")

            try await client.retry(refused.id, replacing: ["title": "mended"])
            try await client.drain()
            there = try await table.sql("select title from t where id = 2")
            #expect(there == "mended")
            #expect(await client.rejections == [])
        }
    }

    @Test func `a hundred inserts travel in one request, and one by one if one of them is bad`()
        async throws
    {
        try await OwnTable.with(Self.numbered + " check (title <> 'bad')") {
            client, network, table in
            let insert = { (id: Int, title: String) in
                _ = try await client.from(table.name).insert(Numbered(id: id, title: title))
                    .execute().kept()
            }
            network.isAway = true
            for id in 1...100 { try await insert(id, "good") }
            network.isAway = false
            // The first has been tried, and who knows what has come of it goes alone.
            try await client.drain()
            let requests = try await table.server.methods(table: table.name)
            #expect(requests == ["POST"] || requests == ["POST", "POST"])
            let sum = try await table.sql("select sum(id) from t")
            #expect(sum == "5050")

            network.isAway = true
            for id in 101...200 { try await insert(id, id == 150 ? "bad" : "good") }
            network.isAway = false
            try await client.drain()
            let all = try await table.server.methods(table: table.name)
            #expect(all.count >= requests.count + 100)
            let count = try await table.sql("select count(*), max(id) from t")
            #expect(count == "199|200")
            #expect(await client.rejections.map(\.mutation.rowKeys) == [[["id": 150]]])
        }
    }

    @Test func `writes behind one whose answer is lost keep their order`() async throws {
        try await OwnTable.with(Self.numbered) { client, network, table in
            network.isAway = true
            _ = try await client.from(table.name).insert(Numbered(id: 1, title: "0")).execute()
            for number in 1...20 {
                try await client.from(table.name).update(["title": "\(number)"]).eq("id", value: 1)
                    .separately().execute()
            }
            network.isAway = false
            // Every other request: each fault lets one more pass than the one before it.
            let faults = (0..<30).map { #""fault":"drop_after_commit","after":\#($0)"# }
            try await table.server.fail(faults, table: table.name)
            for _ in 0..<60 where try await client.syncPendingMutations().left > 0 {}
            let there = try await table.sql("select title from t")
            #expect(there == "20")
            #expect(await client.rejections == [])
        }
    }
}
