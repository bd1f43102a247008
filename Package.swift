// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "supabase-offline-swift",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "SupabaseOffline", targets: ["SupabaseOffline"]),
        .library(name: "OfflineCore", targets: ["OfflineCore"]),
        .library(name: "StorageLMDB", targets: ["StorageLMDB"]),
        .library(name: "StorageMemory", targets: ["StorageMemory"]),
        .library(name: "Transport", targets: ["Transport"]),
        .library(name: "OfflineTesting", targets: ["OfflineTesting"]),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "OfflineCore", swiftSettings: strict + [.strictMemorySafety()]),
        // Not strictly memory-safe: nearly every line calls C. Its pointers stay in this target.
        .target(
            name: "StorageLMDB", dependencies: ["OfflineCore", "CLMDB"], swiftSettings: strict),
        .target(name: "StorageMemory", dependencies: ["OfflineCore"], swiftSettings: strict),
        // Not strictly memory-safe either: it calls C, and its pointers stay in few files.
        .target(
            name: "Transport",
            dependencies: [
                "OfflineCore", .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        .target(
            name: "OfflineTesting", dependencies: ["OfflineCore", "StorageMemory"],
            swiftSettings: strict),
        .target(
            name: "SupabaseOffline", dependencies: ["OfflineCore", "StorageLMDB", "Transport"],
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["OfflineCore", "StorageMemory"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "OfflineCoreTests",
            dependencies: ["OfflineCore", "OfflineTesting", "StorageMemory", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StorageConformanceTests",
            dependencies: [
                "OfflineCore", "OfflineTesting", "StorageLMDB", "StorageMemory", "TestSupport",
            ],
            swiftSettings: strict),
        // The process that the tests of LMDB's store kill.
        .executableTarget(
            name: "StoreCrasher", dependencies: ["OfflineCore", "StorageLMDB"],
            path: "Tests/StoreCrasher", swiftSettings: strict),
        .testTarget(
            name: "StorageLMDBTests",
            dependencies: [
                "OfflineCore", "OfflineTesting", "StorageLMDB", "StoreCrasher", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "OfflineCore", "TestSupport", "Transport",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "OfflineTestingTests", dependencies: ["OfflineCore", "OfflineTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "SupabaseOfflineTests",
            dependencies: ["OfflineTesting", "SupabaseOffline", "TestSupport"],
            swiftSettings: strict),
        // What the process notes that the tests of the queue kill, and the process.
        .target(name: "WriteHistory", path: "Tests/WriteHistory", swiftSettings: strict),
        .executableTarget(
            name: "QueueCrasher",
            dependencies: ["OfflineTesting", "SupabaseOffline", "WriteHistory"],
            path: "Tests/QueueCrasher", swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "OfflineTesting", "QueueCrasher", "SupabaseOffline", "TestSupport", "WriteHistory",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["OfflineCore", "OfflineTesting", "StorageMemory", "TestSupport"],
            swiftSettings: strict),
    ]
)

// libFuzzer brings a way of building of its own, which `scripts/fuzz` asks for.
if Context.environment["OFFLINE_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "FuzzRows", dependencies: ["CFuzzer", "OfflineCore"], path: "Fuzz/FuzzRows",
            exclude: ["seeds.txt", "words.dict"], swiftSettings: strict),
        .executableTarget(
            name: "FuzzFilters", dependencies: ["CFuzzer", "OfflineCore"], path: "Fuzz/FuzzFilters",
            exclude: ["seeds.txt", "words.dict"], swiftSettings: strict),
    ]
}

// Benchmarks are built for `scripts/bench` alone: they measure against SQLite, which nothing else needs.
if Context.environment["OFFLINE_BENCH"] != nil {
    package.targets += [
        .systemLibrary(
            name: "CSQLite", path: "Benchmarks/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "OfflineBenchmarks",
            dependencies: [
                "CCurl", "CLMDB", "CSQLite", "OfflineCore", "OfflineTesting", "StorageLMDB",
                "StorageMemory", "TestSupport", "Transport",
            ],
            path: "Benchmarks", exclude: ["CSQLite", "README.md"], swiftSettings: strict),
    ]
}
