import ChatterClient
import Foundation
import Testing

@testable import chatter

@Suite("Exit codes")
struct FailureTests {
    @Test(
        "Each kind of error has its code",
        arguments: [
            (ClientError.Kind.outage, ExitCode.offline), (.fault, .failure),
            (.refused(code: "BLOCKED"), .refused),
            (.unauthorised, .notSignedIn), (.clientKeyRefused, .refused), (.signedOut, .notSignedIn),
            (.invalid, .refused),
            (.notFound, .failure),
            (.profileInUse(processID: 7), .profileInUse), (.storage(isTransient: false), .failure),
            (.cancelled, .failure), (.closed, .failure),
        ])
    func codes(kind: ClientError.Kind, code: ExitCode) {
        #expect(Failure(ClientError(kind, "x")).exitCode == code)
    }

    @Test("A refusal is told in the app's words, a new server's code in the server's")
    func words() {
        #expect(Failure(ClientError(.refused(code: "NOT_FRIENDS"), "no")).message == "You are not friends.")
        #expect(Failure(ClientError(.refused(code: "NOT_FRIENDS"), "no")).code == "NOT_FRIENDS")
        #expect(Failure(ClientError(.refused(code: "TOO_TALL"), "too tall")).message == "too tall")
        let blank = ["field": "body", "rule": "must not be blank"]
        #expect(
            Failure(ClientError(.invalid, "body: must not be blank", details: blank)).message
                == "A message must not be blank.")
        #expect(Words.failure(FailureReason(code: "TOO_TALL")) == "The server said no (TOO_TALL).")
    }

    @Test("The documented numbers never change")
    func numbers() {
        let all: [(ExitCode, Int32)] = [
            (.ok, 0), (.failure, 1), (.refused, 2), (.offline, 3), (.notSignedIn, 4), (.usage, 64),
            (.noFolder, 73),
            (.profileInUse, 75),
        ]
        #expect(all.count == ExitCode.allCases.count)
        for (code, number) in all { #expect(code.rawValue == number) }
    }

    @Test("The table of exit codes in the documentation and the line in --help are these")
    func documented() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/command-line.md")
        let rows = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n")
            .compactMap {
                Int32($0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) ?? "")
            }
        #expect(rows == ExitCode.allCases.map(\.rawValue))
        guard case .print(let help) = try chatterCommand.parse(["--help"]) else { return }
        let line = help.replacing("\n", with: " ")
        for code in ExitCode.allCases { #expect(line.contains(" \(code.rawValue) "), "\(code)") }
    }
}
