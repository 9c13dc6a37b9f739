import Arguments
import ChatterModel
import ChatterServer
import Foundation

/// `serve`: opens the data directory, listens, and drains at a signal.
enum ServeCommand {
    static let listen = Option<ListenAddress>(
        "listen", "HOST:PORT", default: ListenAddress(host: "127.0.0.1", port: 8080),
        environment: "CHATTER_LISTEN", "Where to listen; port 0 picks a free one.")
    static let challenge = Option<Bool>(
        "challenge", environment: "CHATTER_CHALLENGE",
        "Every code is 000000: anybody can sign in as anybody. The default on a loopback address.")
    static let noChallenge = Option<Bool>(
        "no-challenge", environment: "CHATTER_NO_CHALLENGE", "Codes are random and go to the code sender.")
    static let noEchoBot = Option<Bool>(
        "no-echo-bot", environment: "CHATTER_NO_ECHO_BOT", "Leave out the bot that answers everybody.")
    static let codeSender = Option<CodeSenderChoice>(
        "code-sender", "log|webhook", default: .log, environment: "CHATTER_CODE_SENDER",
        "Who brings codes to people.")
    static let codeWebhook = Option<String?>(
        "code-webhook", "URL", environment: "CHATTER_CODE_WEBHOOK",
        "Gets each code as POST {phone, code, workspace}; for --code-sender webhook.")
    static let certificate = Option<String?>(
        "tls-certificate", "FILE", environment: "CHATTER_TLS_CERTIFICATE", "PEM certificate chain: serve TLS."
    )
    static let key = Option<String?>(
        "tls-key", "FILE", environment: "CHATTER_TLS_KEY", "PEM private key of the certificate.")
    static let behindProxy = Option<Bool>(
        "behind-proxy", environment: "CHATTER_BEHIND_PROXY",
        "Take the caller's address from X-Forwarded-For; only behind a reverse proxy.")
    static let rateLimits = Option<Switch>(
        "rate-limits", "on|off", default: .on, environment: "CHATTER_RATE_LIMITS",
        "Limits per user and address; off is for measuring.")
    static let logFormat = Option<Log.Format>(
        "log-format", "text|json", default: .text, environment: "CHATTER_LOG_FORMAT",
        "Of the log on standard error.")
    static let logLevel = Option<Log.Level>(
        "log-level", "LEVEL", default: .info, environment: "CHATTER_LOG_LEVEL",
        "debug, info, notice, warning or error.")

    static let parameters: [any Parameter] = [
        listen, challenge, noChallenge, noEchoBot, codeSender, codeWebhook, certificate, key, behindProxy,
        rateLimits, logFormat, logLevel,
    ]

    static let description = """
        Prints "listening on URL" on standard output when it is ready. SIGTERM or SIGINT lets what was begun finish \
        and ends it within 5 seconds; a second one ends it at once.
        """
    static let examples = [
        Example("try it on this machine", "chatter-server"),
        Example(
            "behind a reverse proxy",
            "chatter-server --no-challenge --behind-proxy --code-sender webhook --code-webhook URL"),
    ]

    @Sendable static func run(_ values: Values) async throws {
        // Before anything is begun: whoever starts the server may stop it at any moment.
        let signals = try Signals()
        let options = try ServeOptions(values)
        let directory = options.directory
        try directory.create()
        let lock = try directory.lock()
        let log = options.log
        let server = try await open(options, log)
        let port = try listen(server, options)
        announce(port, options)
        log.notice("started", ["address": .place(options.address.argument), "port": .number(Int(port))])
        await signals.wait()
        log.notice("stopping")
        endAnyway(log)
        await server.stop(within: .seconds(3))
        log.notice("stopped")
        // Until here nobody else may open the directory.
        withExtendedLifetime(lock) {}
    }

    private static func open(_ options: ServeOptions, _ log: Log) async throws -> ChatterServer {
        do {
            return try await ChatterServer(
                options.configuration, clock: SystemClock(), codeSender: options.codeSender, log: log)
        } catch {
            throw StartFailure(error, directory: options.directory.path)
        }
    }

    private static func listen(_ server: ChatterServer, _ options: ServeOptions) throws -> UInt16 {
        do {
            return try server.start()
        } catch {
            throw StartFailure(listening: error, address: options.address.argument)
        }
    }

    /// The last line is the one that scripts wait for.
    private static func announce(_ port: UInt16, _ options: ServeOptions) {
        var text = "chatter-server \(Version.current), data in \(options.directory.path)\n"
        if options.configuration.isChallengeMode {
            text += """
                challenge mode: every code is 000000, anybody can sign in as anybody (for development only)
                client key: \(ChatterServer.demoClientKey)

                """
        }
        text += "listening on \(options.address.url(port: port, isSecure: options.isSecure))\n"
        Output.write(text)
    }

    /// What was acknowledged is on the disk already, so that nothing is lost by not waiting longer.
    private static func endAnyway(_ log: Log) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 4.5) {
            log.warning("stopped before everything had ended by itself")
            exit(0)
        }
    }
}

enum CodeSenderChoice: String, ArgumentValue, CaseIterable {
    case log, webhook
}

enum Switch: String, ArgumentValue, CaseIterable {
    case on, off
}

extension Log.Format: ArgumentValue {}
extension Log.Level: ArgumentValue {}
