#if canImport(CCurl)
import CCurl
import OfflineCore

/// What a transport asks of libcurl for every exchange.
struct CurlOptions: Sendable {
    /// A file of certificates to trust instead of the system's.
    var certificateFile: String?
    /// Whether the proxies of the environment are used.
    var usesProxies = true
    /// Whether libcurl is asked to tell when it starts to send, which it can since 7.80.
    var watchesSending = true

    /// For how many seconds a connection may have been idle to be used for a read.
    var idleBeforeRead = 50
    /// The same for a write.
    ///
    /// The longer it was, the likelier the server has just closed it. A read is then simply sent
    /// again; a write is not, and its caller would have to find out what became of it.
    var idleBeforeWrite = 5

    func apply(to handle: CurlHandle, for request: HTTPRequest) {
        handle.set(CURLOPT_URL, request.url)
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.allowHTTPOnly()
        handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        applyVersion(to: handle, request)
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        handle.trust(certificateFile)
        if !usesProxies { handle.set(CURLOPT_PROXY, "") }
        // The lines of a proxy's own answer are not the answer.
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        let idle = request.mayBeRepeated ? idleBeforeRead : idleBeforeWrite
        handle.set(CURLOPT_MAXAGE_CONN, idle)
        // Limits are kept by the loop; the library's own one for connecting must not come first.
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, 1_000_000_000)
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.leaveLookups()
        applyMethod(to: handle, request)
        applyHeaders(to: handle, request)
    }

    private func applyVersion(to handle: CurlHandle, _ request: HTTPRequest) {
        // In the clear there is no HTTP/2 to wait for. Told that there might be, libcurl would hold
        // back every request until the first one to that server has its answer.
        guard request.url.lowercased().hasPrefix("https:") else {
            return handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        }
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // A request waits to learn whether it can share the connection that is being made, instead
        // of making its own.
        handle.set(CURLOPT_PIPEWAIT, 1)
    }

    private func applyMethod(to handle: CurlHandle, _ request: HTTPRequest) {
        if request.method == "HEAD" {
            handle.set(CURLOPT_NOBODY, 1)
        } else if request.body != .none || request.announcesEmptyBody {
            handle.set(CURLOPT_POST, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        } else {
            handle.set(CURLOPT_HTTPGET, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func applyHeaders(to handle: CurlHandle, _ request: HTTPRequest) {
        for field in request.fieldsToSend {
            // A name with a semicolon stands for a field with an empty value.
            let rest = field.value.isEmpty ? ";" : ": \(field.value)"
            handle.addHeader(field.name + rest)
        }
        // Not as libcurl's option, which would decompress the answer as well: see ``Gunzip``.
        if request.headers["Accept-Encoding"] == nil { handle.addHeader("Accept-Encoding: gzip") }
        // A name with a colon and nothing else takes away what the library would add by itself.
        for name in ["Content-Type", "Expect"] where request.headers[name] == nil {
            handle.addHeader("\(name):")
        }
    }
}
#endif
