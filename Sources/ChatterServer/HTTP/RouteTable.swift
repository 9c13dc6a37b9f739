import ChatterModel
import Foundation

/// Finds the route of a request.
struct RouteTable: Sendable {
    enum Match {
        case found(Route, parameters: [String: String])
        /// The path exists, with these methods only.
        case wrongMethod(allowed: [String])
        case notFound
    }

    /// By number of segments: all routes of a request's length are compared.
    private let routes: [Int: [Route]]

    init(_ routes: [Route]) {
        self.routes = Dictionary(grouping: routes) { $0.pattern.segments.count }
    }

    func match(method: String, path: String) -> Match {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let matching = (routes[segments.count] ?? []).filter { Self.matches($0.pattern, segments) }
        // `/v1/users/search` beats `/v1/users/{id}`.
        guard let best = matching.max(by: { Self.fixed($0) < Self.fixed($1) }) else { return .notFound }
        let candidates = matching.filter { $0.pattern.text == best.pattern.text }
        let wanted = method == "HEAD" ? "GET" : method
        guard let route = candidates.first(where: { $0.method.rawValue == wanted }) else {
            let allowed = candidates.map(\.method.rawValue)
            return .wrongMethod(allowed: (allowed + (allowed.contains("GET") ? ["HEAD"] : [])).sorted())
        }
        return .found(route, parameters: Self.parameters(route.pattern, segments))
    }

    private static func fixed(_ route: Route) -> Int {
        route.pattern.segments.count { if case .fixed = $0 { true } else { false } }
    }

    private static func matches(_ pattern: PathPattern, _ segments: ArraySlice<Substring>) -> Bool {
        zip(pattern.segments, segments).allSatisfy { expected, segment in
            switch expected {
            case .fixed(let text): segment == text
            case .named: !segment.isEmpty
            }
        }
    }

    private static func parameters(
        _ pattern: PathPattern, _ segments: ArraySlice<Substring>
    ) -> [String: String] {
        var parameters: [String: String] = [:]
        for case (.named(let name), let segment) in zip(pattern.segments, segments) {
            parameters[name] = segment.removingPercentEncoding ?? String(segment)
        }
        return parameters
    }
}
