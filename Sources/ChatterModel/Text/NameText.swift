/// The name that other people see, 1–64 characters.
public enum DisplayName {
    /// The name as it is stored: one line, without direction controls, hidden characters and stacks of marks.
    /// Throws VALIDATION_FAILED when nothing visible is left or it is too long.
    public static func canonical(_ raw: String) throws(APIError) -> String {
        try name(raw, field: "displayName", characters: Limits.displayNameCharacters)
    }
}

/// What somebody says about themselves, at most 140 characters on one line; empty: nothing.
public enum About {
    /// The text as it is stored, cleaned as a display name is. Throws VALIDATION_FAILED when it is too long.
    public static func canonical(_ raw: String) throws(APIError) -> String {
        try line(raw, field: "about", characters: Limits.aboutCharacters)
    }
}

/// How a device is listed among its owner's devices, 1–64 characters.
public enum DeviceName {
    /// The name as it is stored, cleaned as a display name is. Throws VALIDATION_FAILED when nothing visible is
    /// left or it is too long.
    public static func canonical(_ raw: String) throws(APIError) -> String {
        try name(raw, field: "device.name", characters: Limits.deviceNameCharacters)
    }
}

extension DeviceDescription {
    /// Both parts as they are stored. Throws VALIDATION_FAILED for either.
    public func canonical() throws(APIError) -> DeviceDescription {
        DeviceDescription(
            name: try DeviceName.canonical(name),
            platform: try ChatterModel.name(
                platform, field: "device.platform", characters: Limits.deviceNameCharacters))
    }
}

private func name(_ raw: String, field: String, characters: Int) throws(APIError) -> String {
    let name = try line(raw, field: field, characters: characters)
    guard !name.isEmpty else { throw .invalid(field, "must not be blank") }
    return name
}

/// Empty when nothing in it would show.
private func line(_ raw: String, field: String, characters: Int) throws(APIError) -> String {
    guard raw.utf8.count <= Limits.rawNameBytes else {
        throw .invalid(field, "must be at most \(characters) characters")
    }
    let line = PlainLine.clean(raw)
    guard line.count <= characters else {
        throw .invalid(field, "must be at most \(characters) characters")
    }
    guard line.utf8.count <= Limits.nameBytes else {
        throw .invalid(field, "must be at most \(Limits.nameBytes) bytes")
    }
    return line.looksBlank ? "" : line
}
