import ChatterClient
import ChatterModel
import Glibc
import Profiles

/// Why a command did not do what was asked: an exit code for programs, one line for people.
struct Failure: Error {
    var exitCode: ExitCode
    /// A wire `ErrorCode` or a word of the client's; for `--json`.
    var code: String
    var message: String

    init(_ exitCode: ExitCode, code: String? = nil, _ message: String) {
        self.exitCode = exitCode
        self.code = code ?? exitCode.word
        self.message = message
    }

    init(_ error: ClientError) {
        switch error.kind {
        case .outage:
            self.init(.unreachable, code: error.serverCode, Words.outage(error))
        case .fault:
            self.init(.failure, code: "SERVER_FAULT", Words.fault(error))
        case .refused(let code):
            self.init(.refused, code: code, Words.refusal(code: code, error.details, fallback: error.message))
        case .clientKeyRefused:
            self.init(
                .refused, code: ErrorCode.clientKeyInvalid.rawValue,
                Words.refusal(code: ErrorCode.clientKeyInvalid.rawValue, fallback: error.message))
        case .unauthorised, .signedOut:
            self = .notSignedIn
        case .invalid:
            let code = ErrorCode.validationFailed.rawValue
            self.init(.refused, code: code, Words.refusal(code: code, error.details, fallback: error.message))
        case .notFound:
            self.init(.failure, code: "NOT_FOUND", "That is not stored on this machine.")
        case .profileInUse(let processID):
            let who = processID.map { " (process \($0))" } ?? ""
            self.init(
                .profileInUse,
                "Another chatter has this profile open\(who). Close it, or use another --profile.")
        case .storage(let isTransient):
            self.init(
                .failure, code: isTransient ? "STORAGE_BUSY" : "STORAGE",
                "What is stored on this machine can't be read or written: \(error.message).")
        case .cancelled, .closed:
            self.init(.failure, code: "INTERRUPTED", "It was interrupted.")
        }
    }

    init(_ error: ProfileError) {
        switch error {
        case .noServer(let file):
            self.init(.failure, "\(file.path) names no server; sign in with --server.")
        case .unreadable(let file):
            self.init(
                .noFolder,
                "\(file.path) can't be read. Move it away and sign in again with: chatter login")
        case .noFolder(let folder):
            self.init(
                .noFolder, "The folder \(folder.path) can't be made; choose another with --home DIR.")
        case .unwritable(let folder):
            self.init(.noFolder, "The folder \(folder.path) can't be written.")
        }
    }

    init(_ error: OutputFailure) {
        self.init(
            .failure, code: "OUTPUT",
            "Standard output can't be written: \(String(cString: strerror(error.code))).")
    }

    init(of error: any Error) {
        self =
            switch error {
            case let failure as Failure: failure
            case let error as ClientError: Failure(error)
            case let error as ProfileError: Failure(error)
            case let error as OutputFailure: Failure(error)
            // The contract's rules, checked on this side.
            case let error as APIError:
                Failure(
                    .refused, code: error.code.rawValue,
                    Words.refusal(code: error.code.rawValue, error.details, fallback: error.message))
            default: Failure(.failure, "\(error)")
            }
    }

    static let notSignedIn = Failure(
        .notSignedIn, "Nobody is signed in on this profile. Sign in with: chatter login")
    static let signedOutElsewhere = Failure(
        .notSignedIn, code: "SIGNED_OUT",
        "This device was signed out. Nothing stored here is lost: sign in again with: chatter login")
    static let queued = Failure(
        .offline, "The server can't be reached. It is queued and goes out with the next connection.")
    static let profileIncomplete = Failure(
        .notSignedIn, code: "PROFILE_INCOMPLETE",
        "Choose a name and a username first: chatter profile edit --name NAME --username NAME")
}
