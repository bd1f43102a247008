import FoundationEssentials
import OfflineCore
import StorageMemory

/// A program over the core alone; what it is linked with says what the core needs.
@main
struct LinkageTest {
    static func main() {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        print(SupabaseOfflineClient.Config(storage: storage).defaultSchema)
    }
}
