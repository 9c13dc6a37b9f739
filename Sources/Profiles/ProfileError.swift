import Foundation

/// Why a profile can't be used. Each program has its own words for it.
public enum ProfileError: Error, Equatable {
    /// What `profile.json` names as the server is no address.
    case noServer(file: URL)
    /// There is a `profile.json`, and it can't be read.
    case unreadable(file: URL)
    case noFolder(URL)
    case unwritable(URL)
}
