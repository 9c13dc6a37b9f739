import Dispatch
import Foundation

/// Reads one line when asked and nothing ahead of it, so that a screen can take the keyboard over afterwards.
enum StandardInput {
    /// nil at the end of the input, and when the task is cancelled: a line that comes later is lost.
    static func line() async -> String? {
        let answer = AsyncStream<String?>.makeStream()
        DispatchQueue.global().async {
            answer.continuation.yield(readLine(strippingNewline: true))
            answer.continuation.finish()
        }
        return await answer.stream.first { _ in true } ?? nil
    }
}

/// Questions on a terminal; scripts answer them with lines.
struct Interview: Sendable {
    let console: Console

    /// What `use` makes of the answer; an empty answer means `suggestion`. One that is refused is asked for again.
    func ask<Value>(
        _ question: String, suggestion: String? = nil, use: (String) async throws -> Value
    ) async throws -> Value {
        while true {
            let hint = suggestion.map { " [\($0)]" } ?? ""
            console.prompt("\(question)\(hint): ")
            guard let typed = await StandardInput.line() else {
                throw Failure(
                    .failure, code: "NO_ANSWER",
                    "“\(question)” was not answered. Answer with a line of input, or with flags (--help lists them)."
                )
            }
            let trimmed = typed.trimmingCharacters(in: .whitespaces)
            let answer = trimmed.isEmpty ? suggestion ?? "" : trimmed
            guard !answer.isEmpty else { continue }
            do {
                return try await use(answer)
            } catch {
                let failure = Failure(of: error)
                guard failure.exitCode == .refused else { throw error }
                console.complain(failure.message)
            }
        }
    }

    /// The same for an answer that may be given on the command line; there a refusal ends it.
    func answer<Value>(
        _ given: String?, _ question: String, suggestion: String?, use: (String) async throws -> Value
    ) async throws -> Value {
        if let given { return try await use(given) }
        return try await ask(question, suggestion: suggestion, use: use)
    }

    /// True only for a clear yes.
    func confirm(_ question: String) async throws -> Bool {
        try await ask("\(question) (yes/no)") { $0.lowercased() == "yes" }
    }
}
