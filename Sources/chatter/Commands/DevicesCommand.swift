import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let devices = ChatterCommand(
        "devices", "List the devices signed in to your account, or sign one out.",
        group: CommandGroup.account,
        subcommands: [
            ChatterCommand("list", "List them.", action: DevicesCommand.list),
            ChatterCommand(
                "sign-out", "Sign another device out.", parameters: [DevicesCommand.id],
                action: DevicesCommand.signOut),
        ],
        action: DevicesCommand.list)
}

enum DevicesCommand {
    static let id = Positional<String>("ID", "The device's id from the list, or its last characters.")

    @Sendable static func list(_ context: CommandContext) async throws {
        try await context.withAccount(.server, evenIncomplete: true) { account in
            let devices = try await account.client.devices.list()
            let time = TimeText.current
            let rows = devices.map { device in
                [
                    device.id.rawValue, Printable.line(device.name), Printable.line(device.platform),
                    device.isCurrent ? "this device" : "seen \(time.short(device.lastSeenAt))",
                ]
            }
            try context.console.result(ListShape(items: devices), Table.rows(rows))
        }
    }

    @Sendable static func signOut(_ context: CommandContext) async throws {
        try await context.withAccount(.server, evenIncomplete: true) { account in
            // Ids of one day begin alike: their ends tell them apart.
            let matches = try await account.client.devices.list().filter {
                $0.id.rawValue.hasSuffix(context[id])
            }
            guard matches.count == 1 else {
                let why = matches.isEmpty ? "No device has that id." : "Several devices match that id."
                throw Failure(.failure, code: "NOT_FOUND", "\(why) See: chatter devices")
            }
            guard !matches[0].isCurrent else {
                throw Failure(.failure, code: "THIS_DEVICE", "That is this device; use: chatter logout")
            }
            try await account.client.devices.signOut(matches[0].id)
            let name = Printable.line(matches[0].name)
            try context.console.result(DoneShape(done: "sign-out"), "\(name) is signed out.")
        }
    }
}
