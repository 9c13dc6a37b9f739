import ChatterModel

/// What client frames do. Called on the loop thread, in the order of arrival: must not wait. Answers go out by
/// `WriteTransaction.publish`, `LiveConnection.send` or `LiveConnection.reject`.
protocol FrameActions: Sendable {
    func syncRequest(_ request: SyncRequest, id: String?, from connection: LiveConnection)
    func messageSend(_ message: SendMessage, id: String?, from connection: LiveConnection)
    func receiptDelivered(_ mark: Watermark, id: String?, from connection: LiveConnection)
    func receiptRead(_ mark: Watermark, id: String?, from connection: LiveConnection)
    func typing(_ typing: TypingIn, isTyping: Bool, id: String?, from connection: LiveConnection)
}
