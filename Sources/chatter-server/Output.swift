import Foundation

/// Standard output and error, unbuffered: whoever reads a pipe sees each line at once.
enum Output {
    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// One line on standard error.
    static func complain(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Whole lines up to 4 KiB do not mix with other threads' on a pipe, which is all that logs need.
    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A reader that went away must not end the server.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
