import Foundation

// Synchronous: GLib's loop runs on the main thread and drains the main actor; in an async main it could not.
signal(SIGPIPE, SIG_IGN)
exit(start(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment))
