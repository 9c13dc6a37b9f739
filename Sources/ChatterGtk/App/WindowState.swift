import Foundation

/// The window's size, remembered over restarts.
struct WindowState {
    struct Size: Codable, Equatable {
        var width = 980
        var height = 720
        var isMaximized = false
    }

    let file: URL

    /// Whatever can't be read is no reason not to open.
    var size: Size {
        guard let data = try? Data(contentsOf: file),
            let size = try? JSONDecoder().decode(Size.self, from: data)
        else { return Size() }
        return Size(
            width: min(max(size.width, 360), 10_000), height: min(max(size.height, 294), 10_000),
            isMaximized: size.isMaximized)
    }

    func remember(_ size: Size) {
        do {
            try JSONEncoder().encode(size).write(to: file, options: .atomic)
        } catch {
            // A window opens at its first size then; nothing of the person's is lost.
        }
    }
}
