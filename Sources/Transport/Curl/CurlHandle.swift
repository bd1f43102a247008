#if canImport(CCurl)
import CCurl
import OfflineCore

/// One of libcurl's easy handles, with what it points to.
final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    /// The first option that the library refused, if any.
    private(set) var refusal: CURLcode?
    private var headers: UnsafeMutablePointer<curl_slist>?

    init() throws(TransportError) {
        guard let pointer = curl_easy_init() else { throw TransportError(.notSent, .other) }
        self.pointer = pointer
    }

    func set(_ option: CURLoption, _ value: Int) {
        note(ccurl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, offset value: Int) {
        note(ccurl_set_offset(pointer, option, curl_off_t(value)))
    }

    /// Sets a text, which the library copies.
    func set(_ option: CURLoption, _ value: String?) {
        note(ccurl_set_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
        note(ccurl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, _ callback: @escaping ccurl_transfer_callback) {
        note(ccurl_set_transfer(pointer, option, callback))
    }

    func setProgress(_ callback: @escaping ccurl_progress_callback) {
        note(ccurl_set_progress(pointer, callback))
    }

    func setSocket(_ callback: @escaping ccurl_socket_callback) {
        note(ccurl_set_socket(pointer, callback))
    }

    /// Asks to be called before each attempt to send; false if the library is too old for it.
    func setPrerequest(
        _ callback: @escaping ccurl_prerequest_callback, _ context: UnsafeMutableRawPointer
    ) -> Bool {
        ccurl_set_prerequest(pointer, callback, context) == CURLE_OK
    }

    func allowHTTPOnly() { note(ccurl_allow_http_only(pointer)) }

    /// Keeps a look-up without an answer from holding up the thread when the handle is let go.
    func leaveLookups() { _ = ccurl_leave_lookups(pointer) }

    /// Trusts the certificates in a file, or the system's.
    ///
    /// With a directory beside the file the library could not keep what it has loaded, which costs
    /// it tens of milliseconds for each new connection.
    func trust(_ file: String?) {
        if let file { set(CURLOPT_CAINFO, file) }
        let known = file ?? ccurl_default_certificates(pointer).map { String(cString: $0) }
        if let known, InputFile.exists(path: known) { set(CURLOPT_CAPATH, nil) }
    }

    /// Adds a line to the request's head.
    func addHeader(_ line: String) {
        guard let longer = curl_slist_append(headers, line) else {
            return note(CURLE_OUT_OF_MEMORY)
        }
        headers = longer
        note(ccurl_set_headers(pointer, longer))
    }

    private func note(_ code: CURLcode) {
        if code != CURLE_OK && refusal == nil { refusal = code }
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headers)
    }
}
#endif
