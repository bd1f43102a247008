@testable import OfflineCore

extension ReplayVerdict {
    /// A verdict as far as two are compared.
    enum Summary: Hashable {
        case accepted, renewToken, readBack, noRow, split
        case stop(ReplaySchedule.Stop, perhaps: Bool)
        case reject(MutationRejection, perhaps: Bool)

        /// What becomes of a plain insert by the class of the refusal.
        static func following(
            _ refusalClass: RefusalClass, _ error: PostgrestError, perhaps: Bool
        ) -> Summary {
            switch refusalClass {
            case .retry: .stop(.unanswered(retryAfter: nil), perhaps: perhaps)
            case .auth: .renewToken
            case .reload: .stop(.reload(1), perhaps: perhaps)
            case .hold: .stop(.hold, perhaps: perhaps)
            case .conflict, .reject: .reject(.refused(error), perhaps: perhaps)
            }
        }
    }

    var summary: Summary {
        switch self {
        case .accepted: .accepted
        case .renewToken: .renewToken
        case .stop(let stop, _, let perhaps, _): .stop(stop, perhaps: perhaps)
        case .reject(let rejection, let perhaps): .reject(rejection, perhaps: perhaps)
        case .readBack: .readBack
        case .noRow: .noRow
        case .split: .split
        }
    }
}

/// The verdict on an answer to a write that was not sent before and goes alone.
func verdict(
    on answer: WriteAnswer, to write: QueuedWrite = .insert("{}"),
    _ change: (inout ReplayVerdict.Circumstances) -> Void = { _ in }, wasPerhapsSent: Bool = false
) -> ReplayVerdict.Summary {
    var about = ReplayVerdict.Circumstances(write: write, wasPerhapsSent: wasPerhapsSent)
    change(&about)
    return ReplayVerdict(answer, retryAfter: nil, about).summary
}

/// The verdict on a refusal.
func verdict(
    on error: PostgrestError, to write: QueuedWrite = .insert("{}"), wasPerhapsSent: Bool = false,
    _ change: (inout ReplayVerdict.Circumstances) -> Void = { _ in }
) -> ReplayVerdict.Summary {
    verdict(
        on: .refused(.server(error), mayHaveTakenEffect: error.mayHaveTakenEffect), to: write,
        change, wasPerhapsSent: wasPerhapsSent)
}
