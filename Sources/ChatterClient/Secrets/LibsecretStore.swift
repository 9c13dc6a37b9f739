#if os(Linux)
    import CSecret
    import Foundation

    /// Secrets in the session's keyring (GNOME Keyring, KWallet, KeePassXC, …), through libsecret.
    ///
    /// libsecret's calls block and may wait for a person who unlocks the keyring, so they run on a thread of their own
    /// and are cancelled at a time limit.
    final class LibsecretStore: SecretStore {
        let name = "libsecret"
        /// Tells the profiles of one session apart.
        private let profile: String
        private let timeLimit: Duration
        private let thread = DispatchQueue(label: "chatter.libsecret")

        init(profile: String, timeLimit: Duration = .seconds(60)) {
            self.profile = profile
            self.timeLimit = timeLimit
        }

        func read(_ key: String) async throws(ClientError) -> Data? {
            let text: String? = try await perform(key) { attributes, cancellable, error in
                guard let secret = secret_password_lookupv_sync(Self.schema, attributes, cancellable, error)
                else { return nil }
                defer { secret_password_free(secret) }
                return String(cString: secret)
            }
            guard let text else { return nil }
            guard let data = Data(base64Encoded: text) else {
                throw ClientError(.storage(isTransient: false), "the keyring's entry \(key) is damaged")
            }
            return data
        }

        func write(_ key: String, _ secret: Data) async throws(ClientError) {
            // Passwords are C strings: Base64 keeps any bytes.
            let text = secret.base64EncodedString()
            try await perform(key) { attributes, cancellable, error in
                _ = secret_password_storev_sync(
                    Self.schema, attributes, SECRET_COLLECTION_DEFAULT, "Chatter: \(key)", text, cancellable,
                    error)
            }
        }

        func remove(_ key: String) async throws(ClientError) {
            try await perform(key) { attributes, cancellable, error in
                // Answers false when there was none.
                _ = secret_password_clearv_sync(Self.schema, attributes, cancellable, error)
            }
        }

        /// True when a service answers and keeps what it is given, without anybody's help within the time limit.
        func works() async -> Bool {
            let (key, secret) = ("probe", Data("chatter".utf8))
            do {
                try await write(key, secret)
                guard try await read(key) == secret else { return false }
                try await remove(key)
                return true
            } catch {
                return false  // Whatever the reason: the file takes over.
            }
        }

        private typealias Failure = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

        private func perform<T: Sendable>(
            _ key: String,
            _ body: @escaping @Sendable (OpaquePointer, UnsafeMutablePointer<GCancellable>, Failure) -> T
        ) async throws(ClientError) -> T {
            let (profile, timeLimit) = (profile, timeLimit)
            let result: Result<T, ClientError> = await withCheckedContinuation { continuation in
                thread.async {
                    continuation.resume(returning: Self.blocking(profile, key, timeLimit, body))
                }
            }
            return try result.get()
        }

        private static func blocking<T>(
            _ profile: String, _ key: String, _ timeLimit: Duration,
            _ body: (OpaquePointer, UnsafeMutablePointer<GCancellable>, Failure) -> T
        ) -> Result<T, ClientError> {
            let attributes = hashTable(["profile": profile, "key": key])
            defer { g_hash_table_unref(attributes) }
            let cancellable = Cancellable()
            let timer = DispatchWorkItem { cancellable.cancel() }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit.seconds, execute: timer)
            defer { timer.cancel() }
            var failure: UnsafeMutablePointer<GError>?
            let value = body(attributes, cancellable.pointer, &failure)
            guard let failure else { return .success(value) }
            defer { g_error_free(failure) }
            return .failure(
                ClientError(
                    .storage(isTransient: true),
                    "the session's keyring: \(String(cString: failure.pointee.message))"))
        }

        /// Made once and never freed, as libsecret expects of a schema.
        nonisolated(unsafe) private static let schema: UnsafePointer<SecretSchema> = {
            let types = g_hash_table_new(g_str_hash, g_str_equal)
            defer { g_hash_table_unref(types) }
            for name in [strdup("profile"), strdup("key")] {
                g_hash_table_insert(
                    types, name,
                    UnsafeMutableRawPointer(bitPattern: Int(SECRET_SCHEMA_ATTRIBUTE_STRING.rawValue)))
            }
            // Unsafe: read-only once made.
            return UnsafePointer(secret_schema_newv("dev.chatter.Session", SECRET_SCHEMA_NONE, types))
        }()

        private static func hashTable(_ values: [String: String]) -> OpaquePointer {
            // `!`: GLib aborts rather than return NULL.
            let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)!
            for (name, value) in values { g_hash_table_insert(table, g_strdup(name), g_strdup(value)) }
            return table
        }
    }

    /// A `GCancellable` that lives as long as somebody may cancel it.
    private final class Cancellable: @unchecked Sendable {  // GCancellable is thread-safe
        let pointer: UnsafeMutablePointer<GCancellable> = g_cancellable_new()

        func cancel() { g_cancellable_cancel(pointer) }

        deinit { g_object_unref(pointer) }
    }
#endif
