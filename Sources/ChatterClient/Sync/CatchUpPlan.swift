import ChatterModel

/// What is still to be fetched on one connection, and what of it is under way. Inputs in, jobs out.
struct CatchUpPlan: Hashable, Sendable {
    enum Job: Hashable, Sendable {
        /// The pages of `GET /sync`.
        case records
        /// The missing changes, or undelivered history, of a conversation.
        case messages(ID<Conversation>)
    }

    /// Fetched side by side.
    static let width = 3

    private(set) var isConnected = false
    /// `sync.request` frames without their answer.
    private var asked: [String: [ID<Conversation>: SyncRequest.Held]] = [:]
    private var waiting: [Job] = []
    private var running: Set<Job> = []
    /// Asked for again while it was running.
    private var again: Set<Job> = []

    mutating func connected() {
        self = CatchUpPlan()
        isConnected = true
    }

    mutating func disconnected() { self = CatchUpPlan() }

    var isComplete: Bool { isConnected && asked.isEmpty && waiting.isEmpty && running.isEmpty }

    mutating func asking(_ frameID: String, _ held: [ID<Conversation>: SyncRequest.Held]) {
        asked[frameID] = held
    }

    /// What the request with this id had said; nil when it was answered, or belongs to a former connection.
    func asked(by frameID: String?) -> [ID<Conversation>: SyncRequest.Held]? {
        frameID.flatMap { asked[$0] }
    }

    mutating func answered(_ frameID: String) { asked[frameID] = nil }

    var unanswered: [String] { asked.keys.sorted() }

    /// The stream of a request brings what this would fetch.
    func isStreaming(_ id: ID<Conversation>) -> Bool { asked.values.contains { $0[id] != nil } }

    mutating func want(_ job: Job) {
        guard isConnected else { return }
        if running.contains(job) {
            again.insert(job)
        } else if !waiting.contains(job) {
            waiting.append(job)
        }
    }

    /// What to start now.
    mutating func next() -> [Job] {
        let free = max(0, Self.width - running.count)
        let jobs = Array(waiting.prefix(free))
        waiting.removeFirst(jobs.count)
        running.formUnion(jobs)
        return jobs
    }

    mutating func finished(_ job: Job) {
        running.remove(job)
        if again.remove(job) != nil { want(job) }
    }
}
