import Foundation
import OfflineTesting
import SupabaseOffline
import TestSupport
import Testing
import WriteHistory

/// Tables of PostgreSQL that remember all that happened to them, and a device over them that is killed.
struct KillWorld: Sendable {
    let server: TestServer
    private let user: TestUser
    private let tokens: [String]
    /// What the names of the tables begin with.
    private let tables: String
    private let directory: URL
    private let history: String

    init(_ server: TestServer, _ directory: URL) async throws {
        self.server = server
        self.directory = directory.appending(path: "data")
        history = directory.appending(path: "history").systemPath
        user = try await server.makeUser()
        tokens = [try await user.token(lifetime: 36_000), try await user.token(lifetime: 36_001)]
        tables = "killed_\(UInt32.random(in: 0...UInt32.max))"
        try await server.sql(makingTables)
        try await server.reload()
    }

    func dropTables() async throws {
        let names = (CrasherTable.allCases.map { $0.name(tables) } + ["\(tables)_events"])
            .map { "public.\($0)" }
        try await server.sql(
            "drop table \(names.joined(separator: ",")); drop function public.\(tables)_note();")
    }

    /// Lets a process live and die.
    func live(_ round: KillRound) async throws -> KillRound.End {
        try await server.clearFaults(table: tables)
        try await server.fail(round.faults, table: tables)
        let orders = CrasherOrders(
            url: server.url, key: server.key, tokens: tokens, directory: directory,
            history: history, tables: tables, seed: round.seed, work: round.work)
        return try await onOwnThread { try round.run(orders) }
    }

    /// All that was written, by the word of those who were killed.
    func written() throws -> WriteHistory { WriteHistory(try HistoryFile.entries(history)) }

    /// What a last client makes of what the others have left, on a server without faults.
    func finish() async throws -> (left: Int, rejected: [RejectedMutation]) {
        try await server.clearFaults(table: tables)
        let client = try SupabaseOfflineClient(
            supabaseURL: server.url, supabaseKey: server.key,
            config: .init(
                accessToken: { [tokens] in tokens[0] }, dataDirectory: directory, logLevel: .error))
        var left = 0
        // The first may join a pass that the client has begun under another state of things.
        for _ in 0..<5 {
            left = try await client.syncPendingMutations().left
            if left == 0 { break }
        }
        let rejected = await client.rejectedMutations.first { _ in true }
        await client.close()
        return (left, rejected ?? [])
    }

    /// The rows that there are, by the number of the write that each is of.
    func rows() async throws -> [WrittenRow: Int] {
        struct Found: Decodable {
            let row: WrittenRow
            let v: Int
        }
        let selects = CrasherTable.allCases.map { $0.name(tables) }.map {
            "select json_build_object('table', '\($0)', 'key', id::text) as row, v from public.\($0)"
        }
        let found = try await list([Found].self, of: selects.joined(separator: " union all "))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.row, $0.v) })
    }

    /// All that has happened to rows, in order.
    func events() async throws -> [ServerEvent] {
        try await list(
            [ServerEvent].self,
            of: """
                select json_build_object('table', name, 'key', key) as row, lower(kind) as kind, \
                number, whole as "isWhole" from public.\(tables)_events order by place
                """)
    }

    private func list<T: Decodable>(_ type: T.Type, of select: String) async throws -> T {
        let text = try await server.sql(
            "select coalesce(json_agg(f), '[]') from (\(select)) as f;")
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private var makingTables: String {
        let events = "public.\(tables)_events"
        var sql = """
            create table \(events) (place bigint generated always as identity primary key, \
            name text, key text, kind text, number bigint, whole boolean);
            create function public.\(tables)_note() returns trigger language plpgsql as $$
            declare r record := case when tg_op = 'DELETE' then old else new end;
            begin
              insert into \(events) (name, key, kind, number, whole)
              values (tg_table_name, r.id::text, tg_op, r.v, \(CrasherColumns.isWhole("r")));
              return null;
            end $$;
            """
        for table in CrasherTable.allCases {
            let name = "public.\(table.name(tables))"
            let type = table == .number ? "bigint" : table.rawValue
            sql += """
                create table \(name) (id \(type) primary key,
                  user_id uuid not null default auth.uid() references auth.users,
                  v bigint not null, echo text not null, body text not null,
                  at timestamptz not null);
                alter table \(name) enable row level security;
                create policy own on \(name) for all to authenticated
                  using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
                create trigger note after insert or update or delete on \(name)
                  for each row execute function public.\(tables)_note();
                """
        }
        return sql
    }
}
