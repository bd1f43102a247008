// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "LinkageTest",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "supabase-offline-swift", path: "../..")],
    targets: [
        .executableTarget(
            name: "LinkageTest",
            dependencies: [
                .product(name: "OfflineCore", package: "supabase-offline-swift"),
                .product(name: "StorageMemory", package: "supabase-offline-swift"),
            ])
    ]
)
