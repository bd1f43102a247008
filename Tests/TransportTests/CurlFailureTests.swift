#if canImport(CCurl)
import CCurl
import OfflineCore
import Testing

@testable import Transport

@Suite("A code of libcurl's", .timeLimit(.minutes(5)))
struct CurlFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let code: UInt32
        let connecting, sending, receiving: TransportError.Cause

        init(
            _ code: CURLcode, _ connecting: TransportError.Cause,
            _ sending: TransportError.Cause? = nil, _ receiving: TransportError.Cause? = nil
        ) {
            self.code = code.rawValue
            self.connecting = connecting
            self.sending = sending ?? connecting
            self.receiving = receiving ?? sending ?? connecting
        }

        var testDescription: String { "\(code)" }
    }

    /// What each code means before, while and after the request leaves.
    static let rows = [
        Row(CURLE_COULDNT_RESOLVE_HOST, .hostNotFound, .connectionLost, .hostNotFound),
        Row(CURLE_COULDNT_RESOLVE_PROXY, .hostNotFound, .connectionLost, .hostNotFound),
        Row(CURLE_COULDNT_CONNECT, .cannotConnect, .connectionLost, .cannotConnect),
        Row(CURLE_INTERFACE_FAILED, .cannotConnect, .connectionLost, .cannotConnect),
        Row(CURLE_PROXY, .cannotConnect, .connectionLost, .cannotConnect),
        Row(CURLE_NO_CONNECTION_AVAILABLE, .cannotConnect, .connectionLost, .cannotConnect),
        Row(CURLE_SSL_CONNECT_ERROR, .insecure), Row(CURLE_PEER_FAILED_VERIFICATION, .insecure),
        Row(CURLE_SSL_CERTPROBLEM, .insecure), Row(CURLE_SSL_CIPHER, .insecure),
        Row(CURLE_SSL_CACERT_BADFILE, .insecure), Row(CURLE_SSL_CRL_BADFILE, .insecure),
        Row(CURLE_SSL_ISSUER_ERROR, .insecure), Row(CURLE_SSL_INVALIDCERTSTATUS, .insecure),
        Row(CURLE_SSL_PINNEDPUBKEYNOTMATCH, .insecure), Row(CURLcode(rawValue: 98), .insecure),
        Row(CURLE_SSL_ENGINE_NOTFOUND, .insecure), Row(CURLE_SSL_ENGINE_SETFAILED, .insecure),
        Row(CURLE_SSL_ENGINE_INITFAILED, .insecure), Row(CURLE_USE_SSL_FAILED, .insecure),
        Row(CURLE_URL_MALFORMAT, .invalidRequest, .malformed),
        Row(CURLE_UNSUPPORTED_PROTOCOL, .invalidRequest, .malformed),
        Row(CURLE_LOGIN_DENIED, .invalidRequest, .malformed),
        Row(CURLE_GOT_NOTHING, .cannotConnect, .connectionLost),
        Row(CURLE_SEND_ERROR, .cannotConnect, .connectionLost),
        Row(CURLE_RECV_ERROR, .cannotConnect, .connectionLost),
        Row(CURLE_HTTP2, .cannotConnect, .connectionLost),
        Row(CURLE_HTTP2_STREAM, .cannotConnect, .connectionLost),
        Row(CURLE_SEND_FAIL_REWIND, .cannotConnect, .connectionLost),
        Row(CURLE_PARTIAL_FILE, .cutShort, .connectionLost, .cutShort),
        Row(CURLE_OPERATION_TIMEDOUT, .timedOut),
        Row(CURLE_BAD_CONTENT_ENCODING, .malformed), Row(CURLE_WEIRD_SERVER_REPLY, .malformed),
        Row(CURLE_WRITE_ERROR, .malformed), Row(CURLE_READ_ERROR, .file),
        Row(CURLE_ABORTED_BY_CALLBACK, .other), Row(CURLE_OUT_OF_MEMORY, .other),
        Row(CURLE_FAILED_INIT, .other), Row(CURLE_UNKNOWN_OPTION, .other),
        Row(CURLE_FTP_COULDNT_RETR_FILE, .other), Row(CURLcode(rawValue: 9999), .other),
    ]

    @Test(arguments: rows)
    func `becomes a cause, by how far the exchange came`(_ row: Row) {
        let code = CURLcode(rawValue: row.code)
        let number = Int(row.code)
        #expect(
            CurlFailure.error(for: code, after: .connecting)
                == TransportError(.notSent, row.connecting, code: number))
        #expect(
            CurlFailure.error(for: code, after: .sending)
                == TransportError(.unanswered, row.sending, code: number))
        #expect(
            CurlFailure.error(for: code, after: .receiving)
                == TransportError(.answeredBadly, row.receiving, code: number))
    }

    /// The codes that can only come before the first byte of a request.
    static let early = [
        CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_URL_MALFORMAT,
    ].map(\.rawValue)

    @Test(arguments: early)
    func `shows that nothing left, where libcurl doesn't say when it sends`(_ code: UInt32) {
        let error = CurlFailure.error(
            for: CURLcode(rawValue: code), after: .sending, isProgressExact: false)
        #expect(error.stage == .notSent)
    }

    @Test(arguments: rows.map(\.code).filter { !CurlFailureTests.isEarly($0) })
    func `leaves it open otherwise whether the request left`(_ code: UInt32) {
        let error = CurlFailure.error(
            for: CURLcode(rawValue: code), after: .sending, isProgressExact: false)
        #expect(error.stage == .unanswered)
    }

    private static func isEarly(_ code: UInt32) -> Bool {
        CurlFailure(CURLcode(rawValue: code)).comesBeforeSending
    }
}
#endif
