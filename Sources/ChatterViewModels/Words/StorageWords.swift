import ChatterClient

/// How this device's storage does, in words.
nonisolated enum StorageWords {
    /// nil while there is nothing to tell.
    static func notice(_ state: StorageState) -> String? {
        switch state {
        case .sound: nil
        case .repaired: "The messages on this device were damaged and have been repaired. Nothing was lost."
        case .salvaged:
            "The messages on this device were damaged. What could be read was saved, and the rest is fetched again."
        case .failing(let error) where error.isDiskFull:
            "This device is full. Free some space, so that messages can be kept; nothing is lost meanwhile."
        case .failing: "The messages on this device can't be used right now. It is tried again by itself."
        case .damaged: "The messages on this device are damaged. Restart the app to repair them."
        }
    }

    /// What has happened is told until somebody has read it; what goes on is told while it does.
    static func canClose(_ state: StorageState) -> Bool { state == .repaired || state == .salvaged }
}
