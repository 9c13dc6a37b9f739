import Foundation

// `chatter-bench [server|client]`: both unless told.
let wanted = Set(CommandLine.arguments.dropFirst())
if wanted.isEmpty || wanted.contains("server") { try await ServerBench().run() }
if wanted.isEmpty || wanted.contains("client") { try await ClientBench().run() }
