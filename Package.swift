// swift-tools-version: 6.2
import PackageDescription

// Targets stand in arrow order: each imports only what stands above it. `make check` holds them to it.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "Chatter",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "ChatterClient", targets: ["ChatterClient"]),
        .library(name: "ChatterServer", targets: ["ChatterServer"]),
        .executable(name: "chatter", targets: ["chatter"]),
        .executable(name: "chatter-gtk", targets: ["chatter-gtk"]),
        .executable(name: "chatter-server", targets: ["chatter-server"]),
    ],
    targets: [
        // C libraries from Debian: a module map and a shim, nothing else.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CWebSockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        // Only tests read YAML: the contract's files.
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // libphonenumber is C++: one C function over it.
        .target(
            name: "CPhoneNumber",
            linkerSettings: [.linkedLibrary("phonenumber")]),

        // Wrappers: no chat words inside.
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(name: "WebSockets", dependencies: ["CWebSockets"], swiftSettings: strict),
        // POSIX flags and subcommands, shared by the two command-line programs.
        .target(name: "Arguments", swiftSettings: strict),

        // What crosses the wire; imports Foundation only.
        .target(name: "ChatterModel", swiftSettings: strict),

        // The local-first client library, without UI.
        .target(
            name: "ChatterClient",
            dependencies: [
                "ChatterModel", "SQLite",
                .target(name: "WebSockets", condition: .when(platforms: [.linux])),
                .target(name: "CSecret", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        // What apps show and what people do in them; iPhone and desktop share it.
        .target(
            name: "ChatterViewModels", dependencies: ["ChatterClient", "ChatterModel"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        // Accounts' folders on this machine, and the flags that choose one: for each program that people chat with.
        .target(
            name: "Profiles", dependencies: ["Arguments", "ChatterClient", "ChatterModel"],
            swiftSettings: strict),
        // The Linux app's pages.
        .target(
            name: "ChatterGtk", dependencies: ["ChatterViewModels", "ChatterClient", "ChatterModel", "CGtk"],
            resources: [.copy("Resources/style.css"), .copy("Resources/icons")],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        // The server they talk to.
        .target(
            name: "ChatterServer",
            dependencies: ["ChatterModel", "SQLite", "WebSockets", "CCrypto", "CPhoneNumber"],
            swiftSettings: strict),

        // What people run.
        .executableTarget(
            name: "chatter", dependencies: ["Profiles", "ChatterClient", "Arguments", "CNcurses"],
            swiftSettings: strict),
        .executableTarget(
            name: "chatter-gtk", dependencies: ["ChatterGtk", "Profiles", "ChatterClient", "Arguments"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        .executableTarget(
            name: "chatter-server", dependencies: ["ChatterServer", "Arguments"], swiftSettings: strict),

        // Clock, fakes, fixtures, in-process server; no product links it.
        .target(
            name: "ChatterTestSupport",
            dependencies: ["ChatterClient", "ChatterServer", "WebSockets"],
            path: "Tests/ChatterTestSupport", swiftSettings: strict),
        .executableTarget(
            name: "chatter-bench",
            dependencies: ["ChatterClient", "ChatterModel", "SQLite", "WebSockets", "ChatterTestSupport"],
            path: "Benchmarks", exclude: ["Desktop"], swiftSettings: strict),
        // The desktop app's own: it needs a screen.
        .executableTarget(
            name: "chatter-desktop-bench",
            dependencies: [
                "ChatterGtk", "ChatterViewModels", "ChatterClient", "ChatterModel", "WebSockets",
                "ChatterTestSupport",
            ],
            path: "Benchmarks/Desktop", swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        // Pictures of every state of every screen, and checks that need a screen.
        .executableTarget(
            name: "chatter-gallery",
            dependencies: [
                "ChatterGtk", "ChatterViewModels", "ChatterClient", "ChatterModel", "ChatterTestSupport",
            ],
            path: "Tests/Gallery", swiftSettings: strict + [.defaultIsolation(MainActor.self)]),

        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: strict),
        .testTarget(
            name: "WebSocketsTests", dependencies: ["WebSockets"], resources: [.copy("Fixtures")],
            swiftSettings: strict),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"], swiftSettings: strict),
        .testTarget(
            name: "ChatterModelTests", dependencies: ["ChatterModel", "CYAML"], swiftSettings: strict),
        .testTarget(
            name: "ChatterClientTests", dependencies: ["ChatterClient", "ChatterTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ChatterViewModelsTests",
            dependencies: ["ChatterViewModels", "ChatterClient", "ChatterTestSupport"],
            swiftSettings: strict),
        .testTarget(name: "ProfilesTests", dependencies: ["Profiles", "Arguments"], swiftSettings: strict),
        .testTarget(
            name: "ChatterGtkTests", dependencies: ["ChatterGtk"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "ChatterServerTests", dependencies: ["ChatterServer", "ChatterTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ChatterCommandTests",
            dependencies: [
                "chatter", "chatter-server", "Profiles", "Arguments", "ChatterClient", "ChatterTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["ChatterTestSupport", "SQLite", "chatter", "chatter-server"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
