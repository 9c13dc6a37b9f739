import ChatterGtk
import Foundation

/// Runs the checks, and paints the states one after another, each on a server and clients of its own.
struct Gallery {
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private let exhibition: Exhibition
    private let folder: URL
    private let names: [String]

    init(_ exhibition: Exhibition, folder: URL, names: [String]) {
        self.exhibition = exhibition
        self.folder = folder
        self.names = names
    }

    /// The process's exit code.
    func paint() async -> Int32 {
        var failures = await runChecks()
        var count = 0
        for state in State.all {
            for variant in state.variants where isWanted(state.fileName(variant)) {
                let name = state.fileName(variant)
                count += 1
                do {
                    try await paint(state, variant)
                } catch {
                    failures += 1
                    report("\(name): \(error)")
                }
            }
        }
        report("\(count) pictures in \(folder.path), \(failures) failures")
        return failures == 0 ? 0 : 1
    }

    private func runChecks() async -> Int {
        var failures = 0
        for check in Check.all where isWanted(check.name) {
            do {
                try await check.run(exhibition)
                report("\(check.name): passed")
            } catch {
                failures += 1
                report("\(check.name): \(error)")
            }
        }
        return failures
    }

    private func isWanted(_ name: String) -> Bool { names.isEmpty || names.contains { name.hasPrefix($0) } }

    private func paint(_ state: State, _ variant: Variant) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let stage = try await Stage(exhibition, variant)
        do {
            try await state.show(stage)
            try await save(stage, state.fileName(variant))
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }

    private func save(_ stage: Stage, _ name: String) async throws {
        guard let picture = try await stage.exhibit.picture() else { throw Failure("it never comes to rest") }
        guard !picture.isBlank else { throw Failure("the picture is of one colour") }
        guard picture.save(path: folder.appendingPathComponent("\(name).png").path) else {
            throw Failure("the picture can't be written")
        }
    }

    private func report(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
