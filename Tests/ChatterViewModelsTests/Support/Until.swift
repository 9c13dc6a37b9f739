import Observation

/// Returns once `condition` holds: it is looked at again whenever something observable that it read has changed.
@MainActor
func until(_ condition: @escaping @MainActor () -> Bool) async {
    // A test that has run out of time is cancelled, and waits for nothing any more.
    while !Task.isCancelled {
        let (changes, change) = AsyncStream<Void>.makeStream()
        let holds = withObservationTracking(condition) { change.finish() }
        if holds { return }
        for await _ in changes {}
    }
}
