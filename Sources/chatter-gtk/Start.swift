import Arguments
import ChatterGtk
import Foundation
import Profiles

/// The process's exit code.
func start(_ arguments: [String], _ environment: [String: String]) -> Int32 {
    do {
        switch try desktopCommand.parse(arguments, environment: environment) {
        case .print(let text):
            print(text, terminator: "")
            return 0
        case .run(_, let values):
            return try Desktop(Profile(values, environment: environment)).run()
        }
    } catch {
        FileHandle.standardError.write(Data("\(words(error))\n".utf8))
        return error is UsageError ? 64 : 73
    }
}

private let desktopCommand = Command<Void>(
    "chatter-gtk", "Chat with your friends, in a window.", parameters: ProfileOptions.all,
    examples: [Example("A second account beside the first", "chatter-gtk --profile bob")],
    version: DesktopApp.version, action: ())

private func words(_ error: any Error) -> String {
    switch error {
    case let error as UsageError: error.description
    case ProfileError.noServer(let file):
        "chatter-gtk: \(file.path) names no server; start with --server URL."
    case ProfileError.unreadable(let file):
        "chatter-gtk: \(file.path) can't be read. Move it away and sign in again."
    case ProfileError.noFolder(let folder):
        "The folder \(folder.path) can't be made; choose another with --home DIR."
    case ProfileError.unwritable(let folder): "chatter-gtk: The folder \(folder.path) can't be written."
    default: "chatter-gtk: \(error)"
    }
}
