import ChatterModel
import ChatterTestSupport
import Foundation
import FoundationNetworking

/// `chatter-server` as a process of its own.
final class ServerProcess: Sendable {
    let process: ChildProcess
    let url: String
    let lines: [String]
    private let log: URL

    /// Starts it and waits for its ready line. Throws with its output when it ends before.
    init(_ arguments: [String], directory: TemporaryDirectory, environment: [String: String] = [:])
        async throws
    {
        log = directory.file("log-\(UUID().uuidString).txt")
        process = try ChildProcess("chatter-server", arguments, environment: environment, log: log)
        var seen: [String] = []
        var ready: String?
        for await line in process.lines {
            seen.append(line)
            if line.hasPrefix("listening on ") {
                ready = String(line.dropFirst("listening on ".count))
                break
            }
        }
        lines = seen
        guard let ready else { throw NotReady(output: seen + [try String(contentsOf: log, encoding: .utf8)]) }
        url = ready
    }

    struct NotReady: Error {
        let output: [String]
    }

    var logText: String {
        get throws { try String(contentsOf: log, encoding: .utf8) }
    }

    /// One call over HTTP; nil when no answer came.
    func call(
        _ method: String, _ path: String, body: [UInt8] = [], clientKey: String = "ck_demo",
        token: String? = nil
    ) async -> (status: Int, body: [UInt8])? {
        // `!`: the ready line's URL and a fixed path.
        var request = URLRequest(url: URL(string: url + path)!)
        request.httpMethod = method
        request.setValue(clientKey, forHTTPHeaderField: "X-Client-Key")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if !body.isEmpty {
            request.httpBody = Data(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, [UInt8](data))
        } catch {
            // Killed under us: that is what the caller wants to know.
            return nil
        }
    }

    func signIn(phone: String) async throws -> SignedIn? {
        let code = try Wire.encode(RequestCode(phone: phone))
        guard await call("POST", "/v1/auth/request-code", body: code)?.status == 200 else { return nil }
        let verify = VerifyCode(
            phone: phone, code: "000000", device: DeviceDescription(name: "test", platform: "test"))
        guard let answer = await call("POST", "/v1/auth/verify", body: try Wire.encode(verify)),
            answer.status == 200
        else { return nil }
        return try Wire.decode(SignedIn.self, from: answer.body)
    }
}

/// Runs `chatter-server` to its end.
func runServer(
    _ arguments: [String], environment: [String: String] = [:]
) async throws -> (status: Int32, output: String, errors: String) {
    let directory = try TemporaryDirectory()
    let log = directory.file("errors.txt")
    let process = try ChildProcess("chatter-server", arguments, environment: environment, log: log)
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    let status = await process.exit()
    return (status, lines.joined(separator: "\n"), try String(contentsOf: log, encoding: .utf8))
}
