import ChatterViewModels

extension StatusPage {
    init(icon: String, _ words: Placeholder?, child: (any WidgetHandle)? = nil) {
        self.init(icon: icon, words?.title ?? "", words?.sentence ?? "", child: child)
    }

    /// Without words the last ones stay: they slide out of sight with the page.
    func show(_ words: Placeholder?) {
        if let words { show(words.title, words.sentence) }
    }
}
