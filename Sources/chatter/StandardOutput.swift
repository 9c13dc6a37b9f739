import Glibc

/// Standard output, where the results go. What can't be written is an error: an answer that is cut off must not look
/// like a whole one.
enum StandardOutput {
    static func write(_ text: String) throws(OutputFailure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                waitForRoom()
            } else if errno != EINTR {
                throw OutputFailure(code: errno)
            }
        }
    }

    /// Some file systems tell only now that there is no room.
    static func close() throws(OutputFailure) {
        guard Glibc.close(STDOUT_FILENO) == 0 else { throw OutputFailure(code: errno) }
    }

    /// Fills the standard streams that the caller has closed. Otherwise the next file or socket would get such a
    /// number, and results would be written into the database. Writing to what is opened here fails.
    static func guardNumbers() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Somebody else has made the terminal or pipe non-blocking.
    private static func waitForRoom() {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&output, 1, -1)
    }
}

/// Standard output did not take what was written.
struct OutputFailure: Error {
    /// An `errno`.
    var code: Int32

    /// The reader went away (`chatter history bob | head`): that is how it said that it has enough.
    var isClosedPipe: Bool { code == EPIPE }
}
