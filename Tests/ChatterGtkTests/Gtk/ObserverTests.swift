import Observation
import Testing

@testable import ChatterGtk

@Suite("Observing a model")
struct ObserverTests {
    @Test("A model that stays as it is keeps no observer that has stopped")
    func stopping() {
        let account = Account()
        weak var page: Observer?
        do {
            let observer = Observer { _ = account.name }
            observer.run()
            page = observer
            observer.stop()
        }
        #expect(page == nil)
        #expect(Observer.isIdle)
    }
}

@Observable
private final class Account {
    var name = ""
}
