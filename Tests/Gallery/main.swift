import ChatterGtk
import ChatterTestSupport
import Foundation

// `chatter-gallery OUT_DIR [name…]`: a picture of each state whose name begins so; all of them unless told.
// Synchronous: GLib's loop runs on the main thread and drains the main actor; in an async main it could not.
let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first else {
    FileHandle.standardError.write(Data("usage: chatter-gallery OUT_DIR [name…]\n".utf8))
    exit(64)
}
let remembered = try TemporaryDirectory()
let exhibition = Exhibition(folder: remembered.url)
let gallery = Gallery(exhibition, folder: URL(fileURLWithPath: folder), names: Array(arguments.dropFirst()))
exit(exhibition.run { await gallery.paint() })
