// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "OfflineTasks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "supabase-offline-swift", path: "../..")],
    targets: [
        .executableTarget(
            name: "OfflineTasks",
            dependencies: [.product(name: "SupabaseOffline", package: "supabase-offline-swift")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // The code of the project's README.
        .executableTarget(
            name: "Quickstart",
            dependencies: [.product(name: "SupabaseOffline", package: "supabase-offline-swift")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "OfflineTasksTests",
            dependencies: [
                "OfflineTasks",
                .product(name: "OfflineTesting", package: "supabase-offline-swift"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
