import ChatterClient

/// The wait for the moment at which labels of days and times are due to be made again.
final class Midnight {
    private let words: TimeWords
    private var sleeper: Task<Void, Never>?

    init(_ words: TimeWords) { self.words = words }

    /// Returns at the next midnight here, when the clock or the zone has changed, and when the task is cancelled.
    func wait() async {
        let sleeper = Task { [words] in
            do { try await words.untilLabelsChange() } catch {}  // Woken: that is all there is to it.
        }
        self.sleeper = sleeper
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }

    /// What was waited for lies elsewhere now.
    func clockChanged() { sleeper?.cancel() }
}
