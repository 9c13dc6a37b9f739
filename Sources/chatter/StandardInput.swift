import Foundation

/// Reads one line when asked and nothing ahead of it, so that a screen can take the keyboard over afterwards.
enum StandardInput {
    /// nil at the end of the input.
    static func line() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readLine(strippingNewline: true)) }
        }
    }
}

/// Questions on a terminal; scripts answer them with lines.
struct Interview: Sendable {
    let console: Console

    /// Asks until `accept` takes the answer or says why not; an empty answer means `suggestion`.
    func ask(
        _ question: String, suggestion: String? = nil,
        accept: (String) async throws -> String? = { _ in nil }
    ) async throws -> String {
        while true {
            let hint = suggestion.map { " [\($0)]" } ?? ""
            console.prompt("\(question)\(hint): ")
            guard let typed = await StandardInput.line() else {
                throw Failure(.failure, code: "NO_ANSWER", "“\(question)” was not answered.")
            }
            let trimmed = typed.trimmingCharacters(in: .whitespaces)
            let answer = trimmed.isEmpty ? suggestion ?? "" : trimmed
            guard !answer.isEmpty else { continue }
            guard let objection = try await accept(answer) else { return answer }
            console.complain(objection)
        }
    }

    /// True only for a clear yes.
    func confirm(_ question: String) async throws -> Bool {
        try await ask("\(question) (yes/no)").lowercased() == "yes"
    }
}
