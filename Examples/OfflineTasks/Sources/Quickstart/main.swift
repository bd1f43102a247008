import Foundation
import SupabaseOffline

struct News: Decodable { let id: Int, body: String }

let server = ProcessInfo.processInfo.environment
guard let url = URL(string: server["OFFLINE_TASKS_URL"] ?? "https://xyz.supabase.co") else {
    exit(1)
}
let client = try SupabaseOfflineClient(
    supabaseURL: url, supabaseKey: server["OFFLINE_TASKS_KEY"] ?? "sb_publishable_…")

let news = try await client.from("announcements").select("id,body").order("id").execute([News].self)
for item in news.value { print(item.body) }
if news.isFromCache, let fetchedAt = news.fetchedAt {
    print("From this device, fetched \(fetchedAt)")
}

await client.close()
