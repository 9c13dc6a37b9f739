import ChatterModel

/// History, sending by REST, deleting.
struct MessagesRoutes {
    let storage: Storage

    func register(on router: Router) {
        let storage = storage
        router.on(Routes.messages) { call, _ in
            let place = try HistoryQueries.Place(call.query)
            let limit = try call.query.limit()
            return try await storage.read { database in
                try HistoryQueries.page(place, of: call.id(), for: call.user, limit: limit, in: database)
            }
        }
        router.on(Routes.sendMessage, limit: .messages) { call, message in
            let draft = try MessageDraft(message, in: call.id())
            return try await storage.write { try SendQueries.send(draft, by: call.user, in: $0) }
        }
        router.on(Routes.deleteMessage) { call, _ in
            guard let scope: DeletionScope = try call.query.value("scope") else {
                throw APIError.invalid("scope", "is missing")
            }
            return try await storage.write { transaction in
                try DeletionQueries.delete(call.id(), for: scope, by: call.user, in: transaction)
            }
        }
    }
}

extension HistoryQueries.Place {
    /// Throws VALIDATION_FAILED for more than one place.
    init(_ query: Query) throws {
        let places: [HistoryQueries.Place] = [
            try query.int64("beforeSeq").map { .beforeSeq($0) },
            try query.int64("afterSeq").map { .afterSeq($0) },
            try query.int64("afterChange").map { .afterChange($0) },
        ].compactMap { $0 }
        guard places.count <= 1 else {
            throw APIError.invalid("beforeSeq", "can't stand beside afterSeq or afterChange")
        }
        self = places.first ?? .newest
    }
}
