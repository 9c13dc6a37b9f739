import Foundation

/// Standard output for results, standard error for everything else. With `--json` results and failures are JSON;
/// questions and wrong usage stay text.
struct Console: Sendable {
    let json: Bool

    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }

    func line(_ text: String) throws(OutputFailure) { try StandardOutput.write(text + "\n") }

    /// The command's result: the shape for programs, or the text for people.
    func result(_ shape: some Encodable, _ text: @autoclosure () -> String) throws {
        if json { try line(JSONText.encode(shape)) } else { try line(text()) }
    }

    /// What a person should know, but no result; nothing with `--json`.
    func note(_ text: String) {
        if !json { complain(text) }
    }

    func complain(_ text: String) { prompt(text + "\n") }

    /// Prompts go to standard error too: standard output is for results.
    func prompt(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            // Closed by the person: there is nowhere left to tell it.
        }
    }

    func report(_ failure: Failure) {
        guard json else { return complain("chatter: \(failure.message)") }
        let shape = FailureShape(error: .init(code: failure.code, message: failure.message))
        complain((try? JSONText.encode(shape)) ?? failure.message)
    }
}

/// On standard error with `--json`.
struct FailureShape: Encodable {
    struct Content: Encodable {
        var code: String
        var message: String
    }

    var error: Content
}

enum JSONText {
    /// One line, keys in order.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
