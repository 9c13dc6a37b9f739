import Arguments
import ChatterServer
import Foundation

/// What `serve` was asked for, checked as a whole. Throws `StartFailure` for what does not go together.
struct ServeOptions: Sendable {
    let directory: DataDirectory
    let address: ListenAddress
    let configuration: ServerConfiguration
    let codeSender: any CodeSender
    let log: Log

    var isSecure: Bool { configuration.certificatePath != nil }

    init(_ values: Values) throws(StartFailure) {
        directory = DataDirectory(path: values[ServerCommand.data])
        address = values[ServeCommand.listen]
        var configuration = ServerConfiguration(databasePath: directory.databasePath)
        configuration.host = address.host
        configuration.port = address.port
        configuration.isChallengeMode = try Self.isChallengeMode(values)
        configuration.hasEchoBot = !values[ServeCommand.noEchoBot]
        configuration.limitsRates = values[ServeCommand.rateLimits] == .on
        configuration.trustsForwardedFor = values[ServeCommand.behindProxy]
        (configuration.certificatePath, configuration.privateKeyPath) = try Self.identity(values)
        self.configuration = configuration
        let lines = LogLines(format: values[ServeCommand.logFormat], clock: SystemClock())
        codeSender = try Self.codeSender(values, lines)
        log = Log(lowest: values[ServeCommand.logLevel]) { Output.complain(lines.line($0)) }
    }

    /// Open to the world, challenge mode must be somebody's decision.
    private static func isChallengeMode(_ values: Values) throws(StartFailure) -> Bool {
        let (yes, no) = (values[ServeCommand.challenge], values[ServeCommand.noChallenge])
        if yes, no {
            throw StartFailure(
                "--challenge and --no-challenge exclude each other", exitCode: StartFailure.usage)
        }
        let address = values[ServeCommand.listen]
        let isPrivate = address.isLoopback && !values[ServeCommand.behindProxy]
        guard yes || no || isPrivate else {
            throw StartFailure(
                "\(address.argument) can be reached from outside: pass --no-challenge (random codes), "
                    + "or --challenge if anybody may sign in as anybody",
                exitCode: StartFailure.usage)
        }
        return !no
    }

    private static func identity(_ values: Values) throws(StartFailure) -> (String?, String?) {
        switch (values[ServeCommand.certificate], values[ServeCommand.key]) {
        case (nil, nil):
            return (nil, nil)
        case (let certificate?, let key?):
            for (flag, path) in [("--tls-certificate", certificate), ("--tls-key", key)] {
                guard access(path, R_OK) == 0 else {
                    throw StartFailure(
                        "cannot read \(path): \(String(cString: strerror(errno))): check \(flag)",
                        exitCode: StartFailure.noInput)
                }
            }
            return (certificate, key)
        default:
            throw StartFailure(
                "--tls-certificate and --tls-key go together: pass both", exitCode: StartFailure.usage)
        }
    }

    private static func codeSender(_ values: Values, _ lines: LogLines) throws(StartFailure) -> any CodeSender
    {
        switch values[ServeCommand.codeSender] {
        case .log:
            return LogCodeSender { Output.complain(lines.line(code: $0, phone: $1, workspace: $2)) }
        case .webhook:
            guard let text = values[ServeCommand.codeWebhook], let url = URL(string: text),
                ["http", "https"].contains(url.scheme), url.host != nil
            else {
                throw StartFailure(
                    "--code-sender webhook needs --code-webhook with an http or https URL",
                    exitCode: StartFailure.usage)
            }
            return WebhookCodeSender(url: url)
        }
    }
}
