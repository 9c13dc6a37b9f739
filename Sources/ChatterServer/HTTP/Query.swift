import ChatterModel
import Foundation

/// A request's query parameters, read with types. What does not fit is VALIDATION_FAILED naming the parameter.
struct Query: Sendable {
    private let values: [String: String]

    /// The raw text behind the question mark. Of a repeated name the first counts.
    init(_ text: String) {
        var values: [String: String] = [:]
        for pair in text.utf8.isEmpty ? [] : text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decode(parts[0])
            if values[name] == nil { values[name] = parts.count > 1 ? Self.decode(parts[1]) : "" }
        }
        self.values = values
    }

    func text(_ name: String) -> String? { values[name] }

    func requiredText(_ name: String) throws -> String {
        guard let text = values[name], !text.isEmpty else { throw APIError.invalid(name, "is missing") }
        return text
    }

    func int64(_ name: String, atLeast lowest: Int64 = 0) throws -> Int64? {
        guard let text = values[name] else { return nil }
        guard let number = Int64(text), number >= lowest else {
            throw APIError.invalid(name, "must be a whole number, at least \(lowest)")
        }
        return number
    }

    /// `limit`, 1...200, 50 unless told.
    func limit(largest: Int = ChatterModel.Limits.largestPage) throws -> Int {
        guard let text = values["limit"] else { return min(ChatterModel.Limits.pageSize, largest) }
        guard let number = Int(text), (1...largest).contains(number) else {
            throw APIError.invalid("limit", "must be 1 to \(largest)")
        }
        return number
    }

    func value<Value: RawRepresentable & CaseIterable>(
        _ name: String, of type: Value.Type = Value.self
    ) throws -> Value? where Value.RawValue == String {
        guard let text = values[name] else { return nil }
        guard let value = Value(rawValue: text) else {
            let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.invalid(name, "must be one of \(choices)")
        }
        return value
    }

    private static func decode(_ text: Substring) -> String {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String(text)
    }
}
