import Foundation

// `chatter-bench [server|soak|client]`: all of them unless told.
let wanted = Set(CommandLine.arguments.dropFirst())
if wanted.isEmpty || wanted.contains("server") { try await ServerBench().run() }
if wanted.isEmpty || wanted.contains("soak") { try await SoakBench().run() }
if wanted.isEmpty || wanted.contains("client") { try await ClientBench().run() }
