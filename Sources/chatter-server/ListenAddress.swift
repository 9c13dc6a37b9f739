import Arguments

/// `HOST:PORT`, `[::1]:8080`, or a port alone on the loopback address.
struct ListenAddress: ArgumentValue, Equatable {
    let host: String
    let port: UInt16

    static let expected = "an address such as 127.0.0.1:8080 or [::]:8080"

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":") else {
            guard let port = UInt16(argument) else { return nil }
            self.init(host: "127.0.0.1", port: port)
            return
        }
        guard let port = UInt16(argument[argument.index(after: colon)...]) else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.init(host: host.isEmpty ? "::" : String(host), port: port)
    }

    var argument: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Only this machine reaches it.
    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    func url(port: UInt16, isSecure: Bool) -> String {
        "\(isSecure ? "https" : "http")://\(ListenAddress(host: host, port: port).argument)"
    }
}
