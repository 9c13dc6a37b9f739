import ChatterClient

/// Does what a person asked for; a sentence for them when that did not work.
func attempt(_ action: () async throws(ClientError) -> some Any) async -> String? {
    do throws(ClientError) {
        _ = try await action()
        return nil
    } catch {
        return ErrorWords.sentence(error)
    }
}
