import Foundation

/// The app's style and icons.
enum Resources {
    static func install() {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        Appearance.addStyle(path: folder.appendingPathComponent("style.css").path)
        Appearance.addIcons(path: folder.appendingPathComponent("icons").path)
    }
}
