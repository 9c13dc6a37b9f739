/// Room for the bytes of one write; what does not fit waits for the next.
struct WriteBuffer {
    private let base: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ base: UnsafeMutableRawBufferPointer) { self.base = base }

    var room: Int { base.count - count }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: base[..<count]) }

    /// Copies as much of `bytes` as fits and returns how much that was.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, room)
        guard taken > 0 else { return 0 }
        UnsafeMutableRawBufferPointer(rebasing: base[count...]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        count += taken
        return taken
    }

    /// The bytes from `start`, to be changed in place.
    subscript(from start: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: base[start..<count])
    }
}
