import ChatterModel

/// What is still to be fetched on one connection, and what of it is under way. Inputs in, jobs out.
///
/// A job that failed for good stays wanted: until the next connection, or an event of the same conversation, gives it
/// another try, nothing is complete and the client says "syncing", never "online". A job that the server answers with
/// nothing new counts as done: there is nothing more to be had.
struct CatchUpPlan: Hashable, Sendable {
    enum Job: Hashable, Sendable {
        /// The pages of `GET /sync`.
        case records
        /// The missing changes, or undelivered history, of a conversation.
        case messages(ID<Conversation>)
    }

    /// What became of a job.
    enum Ending: Hashable, Sendable {
        case done
        /// Something is missing that the server does not have (any more).
        case notToBeHad
        /// Refused, or broken off for good: trying again on this connection would not help.
        case failed
    }

    /// A `sync.request` without its answer.
    private struct Question: Hashable {
        var held: [ID<Conversation>: SyncRequest.Held]
        /// How many frames of the connection could not be read when it was asked.
        var unreadable: Int
    }

    /// Fetched side by side.
    static let width = 3

    private(set) var isConnected = false
    private var asked: [String: Question] = [:]
    private var waiting: [Job] = []
    private var running: Set<Job> = []
    /// Asked for again while it was running.
    private var again: Set<Job> = []
    /// The same, by news from the server and not by what the job itself had fetched.
    private var renewed: Set<Job> = []
    private var notToBeHad: Set<Job> = []
    private(set) var failed: Set<Job> = []

    mutating func connected() {
        self = CatchUpPlan()
        isConnected = true
    }

    mutating func disconnected() { self = CatchUpPlan() }

    var isComplete: Bool {
        isConnected && asked.isEmpty && waiting.isEmpty && running.isEmpty && failed.isEmpty
    }

    mutating func asking(
        _ frameID: String, _ held: [ID<Conversation>: SyncRequest.Held], unreadable: Int = 0
    ) {
        asked[frameID] = Question(held: held, unreadable: unreadable)
    }

    /// What the request with this id had said; nil when it was answered, or belongs to a former connection.
    func asked(by frameID: String?) -> [ID<Conversation>: SyncRequest.Held]? {
        frameID.flatMap { asked[$0]?.held }
    }

    /// Everything that the stream has sent so far could be read.
    func isWhole(_ frameID: String, unreadable: Int) -> Bool { asked[frameID]?.unreadable == unreadable }

    mutating func answered(_ frameID: String) { asked[frameID] = nil }

    var unanswered: [String] { asked.keys.sorted() }

    /// The stream of a request brings what this would fetch.
    func isStreaming(_ id: ID<Conversation>) -> Bool { asked.values.contains { $0.held[id] != nil } }

    mutating func want(_ job: Job) {
        guard isConnected, !notToBeHad.contains(job), !failed.contains(job) else { return }
        if running.contains(job) {
            again.insert(job)
        } else if !waiting.contains(job) {
            waiting.append(job)
        }
    }

    /// The server has sent news that the job may find something by.
    mutating func renew(_ job: Job) {
        guard isConnected else { return }
        notToBeHad.remove(job)
        if running.contains(job) { renewed.insert(job) }
        if failed.remove(job) != nil { want(job) }
    }

    /// What to start now.
    mutating func next() -> [Job] {
        let free = max(0, Self.width - running.count)
        let jobs = Array(waiting.prefix(free))
        waiting.removeFirst(jobs.count)
        running.formUnion(jobs)
        return jobs
    }

    mutating func finished(_ job: Job, _ ending: Ending = .done) {
        running.remove(job)
        let isRenewed = renewed.remove(job) != nil
        let isWanted = again.remove(job) != nil
        switch ending {
        case .done: if isWanted || isRenewed { want(job) }
        // What the job itself wanted again it would not find either.
        case .notToBeHad where isRenewed, .failed where isRenewed: want(job)
        case .notToBeHad: notToBeHad.insert(job)
        case .failed: failed.insert(job)
        }
    }
}
