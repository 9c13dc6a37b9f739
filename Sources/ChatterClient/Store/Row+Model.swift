import ChatterModel
import Foundation
import SQLite

extension Row {
    func id<Entity>(_ column: Int) -> ID<Entity> { ID(text(column)) }
    func optionalID<Entity>(_ column: Int) -> ID<Entity>? { optionalText(column).map { ID($0) } }
    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: int64(column)) }
    func optionalTimestamp(_ column: Int) -> Timestamp? {
        optionalInt64(column).map { Timestamp(milliseconds: $0) }
    }

    /// Throws when the text is no UUID, which only a damaged file holds.
    func clientMessageID(_ column: Int) throws -> ClientMessageID {
        guard let id = ClientMessageID(text(column)) else {
            throw StoreError.unreadable("clientMessageID")
        }
        return id
    }

    func json<Value: Decodable>(_ column: Int, as type: Value.Type) throws -> Value {
        try withBlob(column) { try StoredJSON.decoder.decode(type, from: Data($0)) }
    }
}

extension Encodable {
    /// For a text column.
    var storedJSON: String {
        get throws {
            String(decoding: try StoredJSON.encoder.encode(self), as: UTF8.self)
        }
    }
}

/// Made once: making one costs more than using it.
private enum StoredJSON {
    static let decoder = JSONDecoder()
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

/// What the store refuses, apart from SQLite's own errors.
enum StoreError: Error, Hashable, Sendable {
    /// The file belongs to another account.
    case otherAccount
    /// A column holds what no build writes.
    case unreadable(String)
    case noSuchConversation
    case noSuchMessage
    case noSuchEntry
}
