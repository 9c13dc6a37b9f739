import CWebSockets
import Foundation

/// What a socket tells its owner, always on the loop's thread.
protocol SocketDelegate: AnyObject {
    /// The connection is up, TLS handshake included.
    func socketOpened()
    /// Plaintext arrived; `bytes` may be changed in place and is gone after the call.
    func socketReceived(_ bytes: UnsafeMutableRawBufferPointer)
    /// Adds what there is to send. Called until nothing is added or the kernel takes no more.
    func socketFill(_ buffer: inout WriteBuffer)
    /// Everything filled in so far is in the kernel's hands.
    func socketDrained()
    /// The kernel took bytes again after it had been full: the peer is reading.
    func socketProgressed()
    /// The last call: the descriptor is closed, or about to be.
    func socketClosed(_ failure: WebSocketError?)
    /// Looks at the time; returns when to look again, nil for never.
    func socketTick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant?
    /// A listening socket has connections to accept.
    func socketAcceptReady()
}

extension SocketDelegate {
    func socketOpened() {}
    func socketReceived(_ bytes: UnsafeMutableRawBufferPointer) {}
    func socketFill(_ buffer: inout WriteBuffer) {}
    func socketDrained() {}
    func socketProgressed() {}
    func socketTick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { nil }
    func socketAcceptReady() {}
}

/// One descriptor on an event loop: plaintext in and out, TLS in between when there is a session.
///
/// It sends by itself rather than through `lws_write`: libwebsockets stops reading a raw socket while it
/// holds unsent bytes, and two such peers with much to say would wait for each other for ever.
final class Socket {
    let descriptor: Int32
    let loop: EventLoop
    private let tls: TLSSession?
    private var delegate: (any SocketDelegate)?
    private var wsi: OpaquePointer?

    /// Position in `EventLoop.sockets`.
    var slot = 0
    /// The loop gave back its reference.
    var isReleased = false
    /// Bytes the kernel did not take yet, from `unsentStart`.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    private var isWaitingToWrite = false
    private var isReading = true
    private var isFlushing = false
    private var isClosing = false
    private var isClosed = false
    private var failure: WebSocketError?

    init(descriptor: Int32, loop: EventLoop, tls: TLSSession? = nil, delegate: any SocketDelegate) {
        self.descriptor = descriptor
        self.loop = loop
        self.tls = tls
        self.delegate = delegate
    }

    /// Bytes taken from the delegate that the kernel did not take yet.
    var unsentBytes: Int { unsent.count - unsentStart }

    // MARK: For the delegate

    /// Begins: a plain socket is open at once, one with TLS after its handshake.
    func open() {
        guard let tls else {
            delegate?.socketOpened()
            return flush()
        }
        advance(tls)
    }

    /// Sends what the delegate fills in.
    func flush() {
        guard !isFlushing, !isClosing, !isClosed, !isWaitingToWrite, tls?.isEstablished ?? true else {
            return
        }
        isFlushing = true
        defer { isFlushing = false }
        while sendUnsent() {
            var buffer = WriteBuffer(loop.scratch)
            delegate?.socketFill(&buffer)
            guard buffer.count > 0 else { break }
            send(buffer.bytes)
        }
        if unsentBytes == 0, !isClosing { delegate?.socketDrained() }
    }

    /// No more bytes will be sent; the peer sees the end after those already filled in.
    func endOutput() {
        if let tls {
            tls.end()
            takeCiphertext(tls)
            _ = sendUnsent()
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Stops or resumes reading; the kernel then holds the peer back.
    func setReading(_ isReading: Bool) {
        guard let wsi, !isClosing, !isClosed, isReading != self.isReading else { return }
        self.isReading = isReading
        lws_rx_flow_control(wsi, isReading ? 1 : 0)
    }

    /// Closes soon, without sending anything more. The delegate hears `socketClosed` later.
    func close(_ failure: WebSocketError? = nil) {
        guard !isClosing, !isClosed else { return }
        isClosing = true
        self.failure = failure
        if let wsi { cws_close_soon(wsi) }
    }

    /// Has `SocketDelegate.socketTick` called no later than `instant`.
    func watch(until instant: ContinuousClock.Instant) { loop.watch(until: instant) }

    // MARK: For the loop

    func attach(_ wsi: OpaquePointer) {
        self.wsi = wsi
        if isClosing { cws_close_soon(wsi) }
    }

    func tick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        isClosing || isClosed ? nil : delegate?.socketTick(now)
    }

    func acceptReady() {
        loop.serving { delegate?.socketAcceptReady() }
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer) {
        guard !isClosing, bytes.count > 0 else { return }
        loop.serving {
            if let tls {
                tls.feed(UnsafeRawBufferPointer(bytes))
                advance(tls)
            } else {
                delegate?.socketReceived(bytes)
                flush()
            }
        }
    }

    func writable() {
        guard !isClosing else { return }
        loop.serving {
            let wasWaiting = isWaitingToWrite
            isWaitingToWrite = false
            if wasWaiting { delegate?.socketProgressed() }
            if let tls, !tls.isEstablished { advance(tls) } else { flush() }
        }
    }

    /// Idempotent, as libwebsockets tells of the end in more than one way.
    func closed() {
        guard !isClosed else { return }
        isClosed = true
        wsi = nil
        if loop.sockets.indices.contains(slot), loop.sockets[slot] === self { loop.forget(self) }
        let delegate = delegate
        self.delegate = nil
        delegate?.socketClosed(failure)
    }

    // MARK: TLS

    /// Takes the handshake and then decrypted bytes as far as the received ciphertext goes.
    private func advance(_ tls: TLSSession) {
        if !tls.isEstablished {
            do throws(WebSocketError) {
                try tls.handshake()
            } catch {
                takeCiphertext(tls)  // the alert that tells the peer why
                _ = sendUnsent()
                return close(error)
            }
            takeCiphertext(tls)
            _ = sendUnsent()
            guard tls.isEstablished else { return }
            delegate?.socketOpened()
        }
        while !isClosing {
            switch tls.read(into: loop.plaintext) {
            case .bytes(let count):
                delegate?.socketReceived(UnsafeMutableRawBufferPointer(rebasing: loop.plaintext[..<count]))
            case .nothing:
                takeCiphertext(tls)
                return flush()
            case .ended:
                flush()
                return close()
            case .failed(let why):
                return close(.tls(why))
            }
        }
    }

    private func takeCiphertext(_ tls: TLSSession) {
        compact()
        tls.takeOutput(into: &unsent)
    }

    // MARK: Sending

    private func send(_ bytes: UnsafeRawBufferPointer) {
        if let tls {
            guard tls.write(bytes) else { return close(.tls("cannot encrypt")) }
            return takeCiphertext(tls)
        }
        let sent = sendNow(bytes)
        if sent < bytes.count, !isClosing {
            unsent.append(contentsOf: bytes[sent...])
        }
    }

    /// Returns whether nothing is left unsent.
    private func sendUnsent() -> Bool {
        guard unsentBytes > 0 else { return !isClosing }
        guard !isWaitingToWrite else { return false }
        let sent = unsent.withUnsafeBytes { sendNow(UnsafeRawBufferPointer(rebasing: $0[unsentStart...])) }
        unsentStart += sent
        if unsentBytes == 0 {
            unsentStart = 0
            // An idle connection keeps no buffer.
            unsent = []
            return !isClosing
        }
        return false
    }

    private func compact() {
        guard unsentStart > 0 else { return }
        unsent.removeFirst(unsentStart)
        unsentStart = 0
    }

    /// Gives the kernel what it takes; asks to be called when it takes more.
    private func sendNow(_ bytes: UnsafeRawBufferPointer) -> Int {
        var sent = 0
        while sent < bytes.count, !isClosing {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = Foundation.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                isWaitingToWrite = true
                if let wsi { lws_callback_on_writable(wsi) }
                break
            } else if errno != EINTR {
                close()
            }
        }
        return sent
    }
}
