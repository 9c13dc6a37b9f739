import ChatterGtk

/// Something that only a real window shows to be wrong.
struct Check {
    let name: String
    let run: (Exhibition) async throws -> Void

    init(_ name: String, _ run: @escaping (Exhibition) async throws -> Void) {
        self.name = name
        self.run = run
    }

    static var all: [Check] {
        [
            // Field case 115
            Check("check-list-snapshots") { try await ListSnapshots($0).run() },
            Check("check-kept-focus") { try await KeptFocus($0).run() },
            // Field case 113
            Check("check-older-pages") { try await OlderPages.run($0) },
        ]
    }
}
