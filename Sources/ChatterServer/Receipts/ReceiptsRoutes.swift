import ChatterModel

/// Watermarks by REST: a notification extension has no socket.
struct ReceiptsRoutes {
    let storage: Storage

    func register(on router: Router) {
        let storage = storage
        router.on(Routes.moveReceipts) { call, marks in
            guard marks.delivered != nil || marks.read != nil else {
                throw APIError.invalid("delivered", "one of delivered and read must be there")
            }
            return try await storage.write { transaction in
                try ReceiptQueries.move(marks, in: call.id(), by: call.user, in: transaction)
            }
        }
    }
}
