import Foundation
import OfflineCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What one of URLSession's codes says about an exchange.
struct URLErrorMeaning: Hashable {
    /// Why it ended.
    let cause: TransportError.Cause
    /// Whether the code shows that nothing of the request has left.
    let comesBeforeSending: Bool

    /// The error for a code.
    ///
    /// - Parameters:
    ///   - code: What URLSession reports.
    ///   - progress: How far the exchange is known to have come. URLSession doesn't say when it
    ///     starts to send, so ``Progress/connecting`` means that nothing is known.
    /// - Returns: The error, with the code in it.
    static func error(for code: URLError.Code, after progress: Progress) -> TransportError {
        let meaning = URLErrorMeaning(code)
        let progress =
            progress == .connecting && !meaning.comesBeforeSending ? .sending : progress
        let cause = progress == .receiving ? meaning.causeAfterHead : meaning.cause
        return TransportError(progress.stage, cause, code: code.rawValue)
    }

    private init(_ cause: TransportError.Cause, comesBeforeSending: Bool) {
        self.cause = cause
        self.comesBeforeSending = comesBeforeSending
    }

    init(_ code: URLError.Code) {
        self =
            switch code {
            case .cannotFindHost, .dnsLookupFailed:
                URLErrorMeaning(.hostNotFound, comesBeforeSending: true)
            case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff,
                .callIsActive, .dataNotAllowed:
                URLErrorMeaning(.cannotConnect, comesBeforeSending: true)
            case .secureConnectionFailed, .serverCertificateHasBadDate,
                .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                URLErrorMeaning(.insecure, comesBeforeSending: true)
            case .badURL, .unsupportedURL, .dataLengthExceedsMaximum:
                URLErrorMeaning(.invalidRequest, comesBeforeSending: true)
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile:
                URLErrorMeaning(.file, comesBeforeSending: true)
            case .requestBodyStreamExhausted, .cannotCreateFile, .cannotOpenFile,
                .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile:
                URLErrorMeaning(.file, comesBeforeSending: false)
            case .networkConnectionLost, .zeroByteResource, .resourceUnavailable,
                .cannotLoadFromNetwork:
                URLErrorMeaning(.connectionLost, comesBeforeSending: false)
            case .timedOut:
                URLErrorMeaning(.timedOut, comesBeforeSending: false)
            case .cancelled:
                URLErrorMeaning(.cancelled, comesBeforeSending: false)
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData,
                .cannotDecodeContentData, .downloadDecodingFailedMidStream,
                .downloadDecodingFailedToComplete, .redirectToNonExistentLocation,
                .httpTooManyRedirects:
                URLErrorMeaning(.malformed, comesBeforeSending: false)
            default:
                // `unknown`, what concerns authentication and background sessions, and later codes.
                URLErrorMeaning(.other, comesBeforeSending: false)
            }
    }

    /// With the head there, a lost connection is a body that broke off.
    private var causeAfterHead: TransportError.Cause {
        cause == .cannotConnect ? .connectionLost : cause
    }
}
