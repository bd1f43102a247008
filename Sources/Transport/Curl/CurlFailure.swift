#if canImport(CCurl)
import CCurl
import OfflineCore

/// What one of libcurl's codes says about an exchange.
struct CurlFailure: Hashable {
    /// Why it ended.
    let cause: TransportError.Cause
    /// Whether the code alone shows that nothing of the request has left.
    let comesBeforeSending: Bool

    /// CURLE_SSL_CLIENTCERT, which headers before 7.77 don't name.
    private static let clientCertificateMissing = CURLcode(rawValue: 98)

    /// The error for a code.
    ///
    /// - Parameters:
    ///   - code: What libcurl reports.
    ///   - progress: How far the exchange came.
    ///   - isProgressExact: Whether libcurl says when it starts to send. Otherwise the exchange
    ///     counts as sent from the start, and only the code can show that it was not.
    /// - Returns: The error, with the code in it.
    static func error(
        for code: CURLcode, after progress: Progress, isProgressExact: Bool = true
    ) -> TransportError {
        let failure = CurlFailure(code)
        let progress =
            !isProgressExact && progress == .sending && failure.comesBeforeSending
            ? .connecting : progress
        return TransportError(
            progress.stage, failure.cause(after: progress), code: Int(code.rawValue))
    }

    private init(_ cause: TransportError.Cause, comesBeforeSending: Bool) {
        self.cause = cause
        self.comesBeforeSending = comesBeforeSending
    }

    init(_ code: CURLcode) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
                CurlFailure(.hostNotFound, comesBeforeSending: true)
            case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY,
                CURLE_NO_CONNECTION_AVAILABLE:
                CurlFailure(.cannotConnect, comesBeforeSending: true)
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
                CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_NOTFOUND,
                CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
                CurlFailure(.insecure, comesBeforeSending: true)
            case Self.clientCertificateMissing:
                // With TLS 1.3 a server asks for a certificate after the client has begun.
                CurlFailure(.insecure, comesBeforeSending: false)
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_LOGIN_DENIED:
                CurlFailure(.invalidRequest, comesBeforeSending: true)
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
                CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR,
                CURLE_SEND_FAIL_REWIND, CURLE_SSL_SHUTDOWN_FAILED, CURLE_AGAIN:
                CurlFailure(.connectionLost, comesBeforeSending: false)
            case CURLE_PARTIAL_FILE:
                CurlFailure(.cutShort, comesBeforeSending: false)
            case CURLE_OPERATION_TIMEDOUT:
                CurlFailure(.timedOut, comesBeforeSending: false)
            case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR,
                CURLE_CHUNK_FAILED, CURLE_RANGE_ERROR, CURLE_HTTP_RETURNED_ERROR,
                CURLE_FILESIZE_EXCEEDED, CURLE_TOO_MANY_REDIRECTS:
                CurlFailure(.malformed, comesBeforeSending: false)
            case CURLE_READ_ERROR, CURLE_FILE_COULDNT_READ_FILE:
                CurlFailure(.file, comesBeforeSending: false)
            case CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_OUT_OF_MEMORY,
                CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_FUNCTION_NOT_FOUND,
                CURLE_SETOPT_OPTION_SYNTAX, CURLE_AUTH_ERROR, CURLE_ABORTED_BY_CALLBACK:
                CurlFailure(.other, comesBeforeSending: false)
            default:
                // The codes of FTP, TFTP, LDAP, SSH and mail, and those of a newer library.
                CurlFailure(.other, comesBeforeSending: false)
            }
    }

    private func cause(after progress: Progress) -> TransportError.Cause {
        switch (cause, progress) {
        // A connection that breaks while it is being made, a refusing proxy's among them.
        case (.connectionLost, .connecting): .cannotConnect
        // Once a request was sent this is about bytes that are no HTTP, such as HTTP/0.9.
        case (.invalidRequest, .sending), (.invalidRequest, .receiving): .malformed
        // The connection broke, and so did the attempt to make another.
        case (.hostNotFound, .sending), (.cannotConnect, .sending): .connectionLost
        // What is missing is a part of the head, or all of it.
        case (.cutShort, .sending): .connectionLost
        default: cause
        }
    }
}
#endif
