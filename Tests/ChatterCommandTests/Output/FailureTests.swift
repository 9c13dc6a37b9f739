import ChatterClient
import Foundation
import Profiles
import Testing

@testable import chatter

@Suite("Exit codes")
struct FailureTests {
    @Test(
        "Each kind of error has its code",
        arguments: [
            (ClientError.Kind.outage, ExitCode.unreachable), (.fault, .failure),
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

    @Test("A profile that can't be used is told with what to do about it")
    func profiles() {
        let folder = URL(fileURLWithPath: "/profiles/bob")
        let file = folder.appendingPathComponent("profile.json")
        let told: [(ProfileError, ExitCode, String)] = [
            (.noServer(file: file), .failure, "names no server; sign in with --server."),
            (
                .unreadable(file: file), .noFolder,
                "can't be read. Move it away and sign in again with: chatter login"
            ),
            (.noFolder(folder), .noFolder, "can't be made; choose another with --home DIR."),
            (.unwritable(folder), .noFolder, "can't be written."),
        ]
        for (error, code, words) in told {
            let failure = Failure(of: error)
            #expect(failure.exitCode == code)
            #expect(failure.message.contains("/profiles/bob"))
            #expect(failure.message.hasSuffix(words))
        }
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
        #expect(RefusalLabel.text(FailureReason(code: "TOO_TALL")) == "The server said no (TOO_TALL).")
    }

    @Test("The documented numbers never change")
    func numbers() {
        let all: [(ExitCode, Int32)] = [
            (.ok, 0), (.failure, 1), (.refused, 2), (.offline, 3), (.notSignedIn, 4), (.usage, 64),
            (.unreachable, 69), (.noFolder, 73), (.profileInUse, 75),
        ]
        #expect(all.count == ExitCode.allCases.count)
        for (code, number) in all { #expect(code.rawValue == number) }
    }

    @Test("The table of exit codes in the documentation and the line in --help are these")
    func documented() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/command-line.md")
        let rows = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { Int32($0.first ?? "") != nil }
        #expect(rows.map { $0[0] } == ExitCode.allCases.map { "\($0.rawValue)" })
        for (row, code) in zip(rows, ExitCode.allCases) {
            #expect(row[1].hasPrefix(code.meaning), "\(code)")
        }
        guard case .print(let help) = try chatterCommand.parse(["--help"]) else {
            Issue.record("no help")
            return
        }
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Exit codes: \(ExitCode.summary)."))
    }

    @Test("What the system says about a connection is for developers: people get a sentence")
    func sentences() {
        let refused = ClientError(.outage, "URL session error -1004")
        #expect(Failure(refused).message == "The server can't be reached.")
        #expect(Failure(refused).code == "UNREACHABLE")
        let busy = ClientError(.outage, "503 HTTP_503: no error body", status: 503)
        #expect(Failure(busy).message == "The server can't answer now (HTTP 503); try again later.")
        let limited = ClientError(
            .outage, "429 RATE_LIMITED: slow down", status: 429, serverCode: "RATE_LIMITED")
        #expect(Failure(limited).message == "Too many tries; wait a little.")
        #expect(Failure(limited).code == "RATE_LIMITED")
        let broken = ClientError(.fault, "500 INTERNAL: no error body", status: 500)
        #expect(Failure(broken).message == "The server failed (HTTP 500).")
        for kind in [ClientError.Kind.notFound, .cancelled, .closed, .storage(isTransient: false)] {
            let message = Failure(ClientError(kind, "x")).message
            #expect(message.first?.isUppercase == true && message.hasSuffix("."), "\(message)")
        }
    }
}
