import Arguments
import Foundation

// A peer that hangs up is an error of that one write, not the end of the server.
signal(SIGPIPE, SIG_IGN)
exit(await ServerCommand.run(CommandLine.arguments.dropFirst(), ProcessInfo.processInfo.environment))
