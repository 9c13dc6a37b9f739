import ChatterViewModels

/// An open chat.
struct ConversationPage {
    let root: Widget

    init(_ model: ConversationViewModel, main: MainViewModel, leaflet: Leaflet) {
        root = Box.column(HeaderBar(), StatusPage("Conversation")).any
    }
}
