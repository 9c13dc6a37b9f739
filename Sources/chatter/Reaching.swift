import ChatterClient

extension ChatterClient {
    /// How long a server may say nothing before what is stored is shown without it.
    static let longestSilence = Duration.seconds(2)

    /// Waits until everything is up to date or this device turns out to be signed out: where the connection stands
    /// then, or when `timeout` ends first.
    func reach(within timeout: Duration) async -> ConnectionState? {
        await firstValue(of: connection, within: timeout) { state in
            switch state {
            case .online, .offline(.signedOut, _): true
            case .offline, .connecting, .syncing: false
            }
        }
    }

    /// The same for whoever can go on without: a server that refuses or says nothing is not waited for, one that
    /// answers gets its time.
    func reachSoon(within timeout: Duration) async -> ConnectionState? {
        let silence = min(timeout, Self.longestSilence)
        let sign = await firstValue(of: connection, within: silence) { state in
            switch state {
            case .offline(.stopped, _), .connecting: false
            case .offline, .syncing, .online: true
            }
        }
        guard case .syncing = sign else { return sign }
        return await firstValue(of: connection, within: timeout) { state in
            switch state {
            case .offline(.stopped, _), .connecting, .syncing: false
            case .offline, .online: true
            }
        }
    }
}

/// The first value that fits, or the last one seen when `limit` ends first; nil when the stream ends.
func firstValue<Value: Sendable>(
    of stream: AsyncStream<Value>, within limit: Duration, where fits: @escaping @Sendable (Value) -> Bool
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask {
            var last: Value?
            for await value in stream {
                last = value
                if fits(value) { break }
            }
            return last
        }
        group.addTask {
            // Only a cancelled wait throws: then the value was there first.
            try? await ContinuousClock().sleep(for: limit)
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        // When time ended first, the cancelled stream still hands over the last value it saw.
        return if let first { first } else { await group.next() ?? nil }
    }
}
