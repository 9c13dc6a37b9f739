import CWebSockets

/// The keys and rules that TLS sessions of one listener or one client share.
final class TLSContext: @unchecked Sendable {
    // Unchecked: an SSL_CTX counts its references atomically and is not changed after `init`.
    fileprivate let context: OpaquePointer

    /// For a server. Throws `.badIdentity` with the file that is wrong.
    init(identity: TLSIdentity) throws(WebSocketError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .system("cannot set up TLS") }
        self.context = context
        cws_ssl_set_modes(context)
        guard SSL_CTX_use_certificate_chain_file(context, identity.certificatePath) == 1 else {
            throw .badIdentity(
                "cannot read the certificate in \(identity.certificatePath)\(Self.lastError())")
        }
        guard SSL_CTX_use_PrivateKey_file(context, identity.privateKeyPath, SSL_FILETYPE_PEM) == 1 else {
            throw .badIdentity("cannot use the private key in \(identity.privateKeyPath)\(Self.lastError())")
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw .badIdentity(
                "the key in \(identity.privateKeyPath) does not belong to \(identity.certificatePath)")
        }
    }

    /// For a client that trusts this machine's authorities and, when given, those in one PEM file more.
    init(trusting certificatePath: String?) throws(WebSocketError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .system("cannot set up TLS") }
        self.context = context
        cws_ssl_set_modes(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_default_verify_paths(context)
        if let certificatePath, SSL_CTX_load_verify_locations(context, certificatePath, nil) != 1 {
            throw .tls("cannot read the certificate in \(certificatePath)\(Self.lastError())")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// OpenSSL's own words for what just failed, with a separator, or nothing.
    static func lastError() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "" }
        return ": " + String(cString: reason)
    }
}

/// TLS as a filter: ciphertext is fed in and taken out, plaintext is read and written. It touches no socket.
final class TLSSession {
    enum Reading {
        case bytes(Int)
        case nothing
        /// The peer said that it will send no more.
        case ended
        case failed(String)
    }

    private let session: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let isServer: Bool
    private(set) var isEstablished = false

    /// `host` is what the peer's certificate must be for, a name or a numeric address; nil for a server.
    init(_ shared: TLSContext, host: String?) throws(WebSocketError) {
        guard let session = SSL_new(shared.context), let input = BIO_new(BIO_s_mem()),
            let output = BIO_new(BIO_s_mem())
        else { throw .system("no memory for TLS") }
        self.session = session
        self.input = input
        self.output = output
        isServer = host == nil
        SSL_set_bio(session, input, output)
        guard let host else {
            SSL_set_accept_state(session)
            return
        }
        SSL_set_connect_state(session)
        // A certificate names addresses apart from names, and a server name is never an address.
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) != 1 {
            SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard SSL_set1_host(session, host) == 1, cws_ssl_set_server_name(session, host) == 1 else {
                throw .badURL(host)
            }
        }
    }

    deinit { SSL_free(session) }

    func feed(_ ciphertext: UnsafeRawBufferPointer) {
        BIO_write(input, ciphertext.baseAddress, Int32(ciphertext.count))
    }

    /// Goes as far as the bytes fed in allow.
    func handshake() throws(WebSocketError) {
        ERR_clear_error()
        let result = SSL_do_handshake(session)
        if result == 1 {
            isEstablished = true
            return
        }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
        default: throw .tls(failureReason())
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        ERR_clear_error()
        let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .nothing
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed(failureReason())
        }
    }

    /// Encrypts all of `plaintext`; memory is the only limit. False means that the session is broken.
    func write(_ plaintext: UnsafeRawBufferPointer) -> Bool {
        var rest = plaintext
        while rest.count > 0 {
            ERR_clear_error()
            let count = SSL_write(session, rest.baseAddress, Int32(rest.count))
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...])
        }
        return true
    }

    /// Says goodbye, so that the peer can tell the end from an attack that cut the connection.
    func end() { SSL_shutdown(session) }

    /// Moves the ciphertext that is ready to the end of `bytes`.
    func takeOutput(into bytes: inout [UInt8]) {
        var content: UnsafeMutablePointer<CChar>?
        let count = cws_bio_content(output, &content)
        guard count > 0, let content else { return }
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: content, count: count))
        cws_bio_clear(output)
    }

    private func failureReason() -> String {
        let verification = SSL_get_verify_result(session)
        if !isServer, verification != Int(X509_V_OK),
            let words = X509_verify_cert_error_string(verification)
        {
            ERR_clear_error()
            return String(cString: words)
        }
        let words = TLSContext.lastError().dropFirst(2)
        return words.isEmpty ? "the peer ended the handshake" : String(words)
    }
}
