import CYAML

/// Reads the part of YAML that means JSON. Refuses what readers understand differently: aliases, tags, keys that
/// stand twice, plain words that YAML 1.1 takes for booleans or dates.
struct YAMLReader {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var parser: UnsafeMutablePointer<yaml_parser_t>

    static func read(_ bytes: [UInt8]) throws -> JSONValue {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { throw Failure(description: "no memory") }
        defer { yaml_parser_delete(parser) }
        return try bytes.withUnsafeBufferPointer { input in
            yaml_parser_set_input_string(parser, input.baseAddress, input.count)
            var reader = YAMLReader(parser: parser)
            return try reader.document()
        }
    }

    private enum Event {
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        /// Of the stream or of a document.
        case boundary
        case streamEnd
    }

    private mutating func document() throws -> JSONValue {
        guard case .boundary = try next(), case .boundary = try next() else { throw failure("no document") }
        let value = try value(startingWith: try next())
        guard case .boundary = try next(), case .streamEnd = try next() else {
            throw failure("more than one document")
        }
        return value
    }

    private mutating func value(startingWith event: Event) throws -> JSONValue {
        switch event {
        case .scalar(let text, isPlain: false): return .string(text)
        case .scalar(let text, isPlain: true): return try plain(text)
        case .sequenceStart:
            var items: [JSONValue] = []
            while true {
                let event = try next()
                if case .sequenceEnd = event { return .array(items) }
                items.append(try value(startingWith: event))
            }
        case .mappingStart: return .object(try fields())
        case .sequenceEnd, .mappingEnd, .boundary, .streamEnd: throw failure("a value is missing")
        }
    }

    private mutating func fields() throws -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        while true {
            switch try next() {
            case .mappingEnd: return fields
            case .scalar(let key, _):
                guard fields.updateValue(try value(startingWith: try next()), forKey: key) == nil else {
                    throw failure("\(key) stands twice")
                }
            default: throw failure("a key is no text")
            }
        }
    }

    private func plain(_ text: String) throws -> JSONValue {
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "", "~", "null": throw failure("an empty value, perhaps a comma in a text without quotes")
        default: break
        }
        let lower = text.lowercased()
        let isTrap =
            ["yes", "no", "on", "off", "y", "n", "true", "false"].contains(lower)
            || text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?/) != nil
            || text.wholeMatch(of: /[+-]?0[0-9_]+|[0-9]+(:[0-9]+)+/) != nil
        guard !isTrap else { throw failure("\(text) needs quotes") }
        if let number = Int64(text) { return .integer(number) }
        if let number = Double(text), text.first?.isNumber == true { return .number(number) }
        return .string(text)
    }

    private func next() throws -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            throw failure(parser.pointee.problem.map { String(cString: $0) } ?? "not YAML")
        }
        defer { yaml_event_delete(&event) }
        switch event.type {
        case YAML_SCALAR_EVENT: return try scalar(event.data.scalar)
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT: return .mappingStart
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: return .boundary
        case YAML_STREAM_END_EVENT: return .streamEnd
        default: throw failure("aliases are not read")
        }
    }

    private func scalar(_ scalar: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar) throws -> Event {
        guard scalar.tag == nil else { throw failure("tags are not read") }
        let text = String(
            decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        return .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    }

    private func failure(_ problem: String) -> Failure {
        Failure(description: "line \(parser.pointee.mark.line + 1): \(problem)")
    }
}
