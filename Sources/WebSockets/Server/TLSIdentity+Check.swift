import CWebSockets

extension TLSIdentity {
    /// Whether a server can use the two files; throws `.badIdentity` with the one that is wrong, which libwebsockets
    /// only logs.
    func check() throws(WebSocketError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .system("cannot set up TLS") }
        defer { SSL_CTX_free(context) }
        guard SSL_CTX_use_certificate_chain_file(context, certificatePath) == 1 else {
            throw .badIdentity("cannot read the certificate in \(certificatePath)\(Self.lastError())")
        }
        guard SSL_CTX_use_PrivateKey_file(context, privateKeyPath, SSL_FILETYPE_PEM) == 1 else {
            throw .badIdentity("cannot use the private key in \(privateKeyPath)\(Self.lastError())")
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw .badIdentity("the key in \(privateKeyPath) does not belong to \(certificatePath)")
        }
    }

    /// OpenSSL's own words for what just failed, with a separator, or nothing.
    private static func lastError() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "" }
        return ": " + String(cString: reason)
    }
}
