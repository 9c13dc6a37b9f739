import ChatterModel

@testable import ChatterClient

/// What a test may wait for.
struct FakeServerState: Sendable {
    var frames: [ClientFrame]
    var calls: [String]
    var connects: Int
    var refreshes: Int
    var openLinks: Int
    var model: ServerModel

    /// Every `message.send` that reached the server, repetitions included.
    var sends: [SendMessage] {
        frames.compactMap { if case .messageSend(let message) = $0.action { message } else { nil } }
    }

    var delivered: [Int64] {
        frames.compactMap {
            if case .receiptDelivered(let watermark) = $0.action { watermark.seq } else { nil }
        }
    }

    var read: [Int64] {
        frames.compactMap { if case .receiptRead(let watermark) = $0.action { watermark.seq } else { nil } }
    }

    var syncRequests: [SyncRequest] {
        frames.compactMap { if case .syncRequest(let request) = $0.action { request } else { nil } }
    }

    /// The calls for pages of messages.
    var pages: [String] { calls.filter { $0.hasPrefix("messages") } }

    var typing: [String] {
        frames.compactMap { frame in
            switch frame.action {
            case .typingStart, .typingStop: frame.action.type
            default: nil
            }
        }
    }
}
