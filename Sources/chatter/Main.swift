import Arguments
import ChatterClient
import Foundation

/// `chatter`: the command line. Parsing decides, a command runs, this prints what went wrong and picks the exit code.
@main
struct Main {
    static func main() async {
        // A reader that went away (`chatter history bob | head`) is an error to handle, not a death.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) async -> ExitCode {
        let environment = ProcessInfo.processInfo.environment
        do {
            switch try chatterCommand.parse(arguments, environment: environment) {
            case .print(let text):
                try Console(json: false).write(text)
                return .ok
            case .run(let action, let values):
                return await perform(action, CommandContext(values: values, environment: environment))
            }
        } catch let error as UsageError {
            Console(json: false).complain(error.description)
            return .usage
        } catch {
            // Help that nobody reads any more.
            return .failure
        }
    }

    private static func perform(_ action: @escaping CommandAction, _ context: CommandContext) async
        -> ExitCode
    {
        do {
            try await action(context)
            return .ok
        } catch let error as UsageError {
            context.console.complain(error.description)
            return .usage
        } catch is ClosedOutput {
            return .failure
        } catch {
            let failure = Failure(of: error)
            context.console.report(failure)
            return failure.exitCode
        }
    }
}
