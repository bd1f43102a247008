/// What the queue does about an answer: the one place where that is decided.
///
/// By the answer's class (``RefusalTable``) and by what is known of the write: whether an earlier attempt
/// may have been carried out, and how often the server has failed with it.
enum ReplayVerdict: Sendable {
    /// The server has carried it out.
    case accepted(AcceptedWrite.Account)
    /// Send it again with another token.
    case renewToken(PostgrestError)
    /// It stays, and the pass stops.
    case stop(ReplaySchedule.Stop, QueuedWrite.Failures, mayHaveTakenEffect: Bool, PostgrestError?)
    /// It leaves the queue.
    case reject(MutationRejection, mayHaveTakenEffect: Bool)
    /// Look whether the row that is in the way is this write's own.
    case readBack(PostgrestError)
    /// One row was to be hit, and none was.
    case noRow(PostgrestError)
    /// Send the writes one by one.
    case split

    /// How often a statement may take too long, and how often the server may fail otherwise.
    static let mostTimeouts: UInt8 = 3
    static let mostTemporaryFailures: UInt8 = 10
    /// How often a schema may be tried again.
    static let mostReloads: UInt8 = 3

    /// What is known of a write, or of several that were sent as one.
    struct Circumstances {
        let write: QueuedWrite
        /// Whether it may have been carried out by an earlier attempt.
        let wasPerhapsSent: Bool
        /// Whether others were sent in the same request.
        var isBatch = false
        /// Whether a token was sent that has not been renewed for this write yet.
        var canRenew = true
        /// Whether other requests of this client succeeded since the server last failed with it.
        var othersSucceed = false
    }

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer, or that there is none.
    ///   - retryAfter: When the server says to come again.
    ///   - about: What is known of the write.
    init(_ answer: WriteAnswer, retryAfter: Duration?, _ about: Circumstances) {
        switch answer {
        case .accepted(let account): self = .accepted(account)
        case .rolledBack: self = .accepted(.count(0))
        case .unknown:
            if about.write.mayBeSentAgain {
                self = .stop(
                    .unanswered(retryAfter: nil), about.write.failures, mayHaveTakenEffect: true,
                    nil)
            } else {
                self = .reject(.outcomeUnknown, mayHaveTakenEffect: true)
            }
        case .refused(.server(let error), let mayHaveTakenEffect):
            self = .init(
                error, mayHaveTakenEffect: mayHaveTakenEffect, retryAfter: retryAfter, about)
        case .refused(.closed, _):
            self = .stop(.halted, about.write.failures, mayHaveTakenEffect: false, nil)
        case .refused(.invalidRequest(let problem), _):
            self = .reject(
                .refused(PostgrestError(status: 400, message: problem)), mayHaveTakenEffect: false)
        case .refused(_, let mayHaveTakenEffect):
            self = .stop(
                .unanswered(retryAfter: nil), about.write.failures,
                mayHaveTakenEffect: mayHaveTakenEffect, nil)
        }
    }

    private init(
        _ error: PostgrestError, mayHaveTakenEffect: Bool, retryAfter: Duration?,
        _ about: Circumstances
    ) {
        var failures = about.write.failures
        func stop(_ stop: ReplaySchedule.Stop) -> ReplayVerdict {
            .stop(stop, failures, mayHaveTakenEffect: mayHaveTakenEffect, error)
        }
        if about.isBatch, error.splitsBatches {
            self = .split
        } else if mayHaveTakenEffect, !about.write.mayBeSentAgain {
            self = .reject(.outcomeUnknown, mayHaveTakenEffect: true)
        } else if error.saysNoRow, [.update, .delete].contains(about.write.operation) {
            self = .noRow(error)
        } else {
            switch error.refusalClass {
            case .auth:
                self = about.canRenew ? .renewToken(error) : stop(.auth)
            case .hold: self = stop(.hold)
            case .reload:
                failures.reloads += 1
                self =
                    failures.reloads > Self.mostReloads
                    ? .reject(.refused(error), mayHaveTakenEffect: false)
                    : stop(.reload(Int(failures.reloads)))
            case .retry:
                if error.code == "57014" {
                    failures.timeouts += 1
                    if failures.timeouts >= Self.mostTimeouts {
                        self = .reject(.refused(error), mayHaveTakenEffect: mayHaveTakenEffect)
                        return
                    }
                }
                // The first counts, and then each before which something else has worked.
                if error.countsAsFailure, about.othersSucceed || failures.temporary == 0 {
                    failures.temporary += 1
                    if failures.temporary >= Self.mostTemporaryFailures {
                        self = .reject(
                            .persistentFailure(error), mayHaveTakenEffect: mayHaveTakenEffect)
                        return
                    }
                }
                self = stop(.unanswered(retryAfter: retryAfter))
            case .conflict:
                let isOwn =
                    error.code == "23505" && about.write.operation == .insert
                    && about.wasPerhapsSent
                self =
                    isOwn ? .readBack(error) : .reject(.refused(error), mayHaveTakenEffect: false)
            case .reject:
                self = .reject(.refused(error), mayHaveTakenEffect: mayHaveTakenEffect)
            }
        }
    }
}

extension QueuedWrite {
    /// Whether it may be sent again though it may have been carried out.
    ///
    /// An insert is refused the second time; what else is sent twice sets the same values again.
    var mayBeSentAgain: Bool { operation != .call || isIdempotent }
}

extension PostgrestError {
    /// Whether the writes of a batch could fare differently one by one.
    fileprivate var splitsBatches: Bool {
        switch refusalClass {
        case .conflict, .reject, .reload: true
        case .retry: code == "57014" || status == 504 || status == 413
        case .auth, .hold: false
        }
    }

    /// Whether the server has failed with the write itself, as far as one can tell: not for being too
    /// busy, nor for having no connection to its database.
    fileprivate var countsAsFailure: Bool {
        status != 429 && status != 503 && !(code?.hasPrefix("PGRST00") ?? false)
    }
}
