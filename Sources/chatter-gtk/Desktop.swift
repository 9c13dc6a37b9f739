import ChatterClient
import ChatterGtk
import Foundation
import Profiles

/// The desktop app on one profile's folder.
struct Desktop {
    let profile: Profile

    init(_ profile: Profile) { self.profile = profile }

    func run() throws(ProfileError) -> Int32 {
        try profile.makeDirectory()
        let configuration = try profile.configuration(
            deviceName: "Chatter on \(ProcessInfo.processInfo.hostName)", platform: "linux")
        let app = DesktopApp(
            profile: InstanceName(
                profile: profile.isStandard ? nil : profile.name.argument,
                folder: profile.isAtHome ? nil : profile.directory),
            stateFile: profile.directory.appendingPathComponent("window.json")
        ) { [profile] () async throws(ClientError) in
            let client = try await ChatterClient.open(configuration)
            Task { await remember(profile, client) }
            return client
        }
        return app.run()
    }
}

/// Which server a profile belongs to counts from its first sign-in.
private func remember(_ profile: Profile, _ client: ChatterClient) async {
    for await session in client.session {
        if case .signedOut = session { continue }
        do {
            try profile.remember()
        } catch {
            // The flags say it again at the next start; without them the default server answers that nobody is signed in.
            FileHandle.standardError.write(Data("chatter-gtk: the profile's server can't be stored\n".utf8))
        }
        return
    }
}
