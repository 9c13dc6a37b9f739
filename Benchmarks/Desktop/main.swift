import ChatterGtk
import ChatterTestSupport
import Foundation

// `chatter-desktop-bench [--strict]`: the figures beside their limits; with the flag, a missed one fails.
// Synchronous: GLib's loop runs on the main thread and drains the main actor; in an async main it could not.
let isStrict = CommandLine.arguments.contains("--strict")
let scratch = try TemporaryDirectory()
let exhibition = Exhibition(folder: scratch.url)
exit(
    exhibition.run {
        do {
            let table = try await DesktopBench(exhibition, folder: scratch.url).run()
            return table.holds || !isStrict ? 0 : 1
        } catch {
            FileHandle.standardError.write(Data("chatter-desktop-bench: \(error)\n".utf8))
            return 2
        }
    })
