import Arguments
import ChatterClient
import Foundation

/// `chatter`: the command line. Parsing decides, a command runs, this prints what went wrong and picks the exit code.
@main
struct Main {
    static func main() async {
        StandardOutput.guardNumbers()
        // A reader that went away is an error to handle: the profile is closed first.
        signal(SIGPIPE, SIG_IGN)
        TextWidth.prepare()
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) async -> ExitCode {
        let environment = ProcessInfo.processInfo.environment
        do {
            switch try chatterCommand.parse(arguments, environment: environment) {
            case .print(let text):
                try StandardOutput.write(text)
                try StandardOutput.close()
                return .ok
            case .run(let action, let values):
                return await perform(action, CommandContext(values: values, environment: environment))
            }
        } catch let error as UsageError {
            Console(json: false).complain(error.description)
            return .usage
        } catch {
            return report(error, Console(json: false))
        }
    }

    private static func perform(_ action: @escaping CommandAction, _ context: CommandContext) async
        -> ExitCode
    {
        do {
            try await action(context)
            try StandardOutput.close()
            return .ok
        } catch let error as UsageError {
            context.console.complain(error.description)
            return .usage
        } catch {
            return report(error, context.console)
        }
    }

    private static func report(_ error: any Error, _ console: Console) -> ExitCode {
        if let output = error as? OutputFailure, output.isClosedPipe {
            // Silently and by the signal, as other programs end in a pipe.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        let failure = Failure(of: error)
        console.report(failure)
        return failure.exitCode
    }
}
