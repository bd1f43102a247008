#if canImport(CCurl)
public import OfflineCore

/// A transport over libcurl (7.73 or later), the default on Linux.
///
/// It has a thread of its own, on which everything happens, and keeps connections for the next
/// request; over TLS it speaks HTTP/2 where the server does. What it decides:
///
/// - **A write is sent once.** libcurl sends a request again by itself if a used connection closes
///   without a byte of an answer. Here only GET, HEAD and OPTIONS are; everything else ends as
///   `TransportError.Stage.unanswered`. For that reason a write does not use a connection that
///   was idle for more than five seconds.
/// - **A body that ends too early** is `TransportError.Cause.cutShort`; if the connection breaks
///   in its middle, and doesn't just end, it is `TransportError.Cause.connectionLost`.
/// - **Silence** is counted from the last complete line of a head, or from the last byte of a body.
/// - **Proxies** are used as libcurl does: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`
///   in the environment say which.
/// - **No more than a hundred exchanges** are under way at once; others wait, and their limits and
///   cancellations hold while they do.
/// - **A compressed body** (gzip) is whole only if its compression has come to its end too.
/// - `Content-Length` and `Transfer-Encoding` are its own: a request's fields of these names are
///   left out.
public final class CurlTransport: HTTPTransport {
    private let loop: CurlLoop

    /// Creates a transport and starts its thread.
    ///
    /// - Parameters:
    ///   - certificateFile: A file of certificates (PEM) to trust instead of the system's, for a
    ///     server with an authority of its own.
    ///   - usesProxies: Whether the proxies that the environment names are used.
    public convenience init(trusting certificateFile: String? = nil, usesProxies: Bool = true) {
        self.init(CurlOptions(certificateFile: certificateFile, usesProxies: usesProxies))
    }

    init(_ options: CurlOptions) { loop = CurlLoop(options) }

    /// Sends a request and gathers the body of its answer in memory.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `TransportError`, which tells how far the exchange came.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await exchange(request, path: nil)
    }

    /// Sends a request and streams the body of its answer into a new file, for its owner alone.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - path: The file to create. If it exists, it is emptied first; after an error it is gone.
    /// - Returns: The answer with an empty body.
    /// - Throws: `TransportError`, also when the file can't be written.
    public func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        try await exchange(request, path: path)
    }

    /// Ends what is under way, and returns when the thread and the connections are gone.
    ///
    /// Letting go of the last reference does the same.
    public func close() { loop.close() }

    /// How many exchanges are waiting or under way, for tests.
    func exchangeCount() async -> Int {
        await withCheckedContinuation { reply in
            if !loop.post(.count(reply)) { reply.resume(returning: 0) }
        }
    }

    private func exchange(
        _ request: HTTPRequest, path: String?
    ) async throws(TransportError) -> HTTPResponse {
        try request.checkForm()
        let began = ContinuousClock.now
        let ticket = CurlTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                let job = CurlJob(
                    request: request, path: path, began: began, ticket: ticket, reply: reply)
                guard !loop.post(.start(job)) else { return }
                reply.resume(returning: .failure(TransportError(.notSent, .closed)))
            }
        } onCancel: {
            ticket.cancel()
            loop.post(.cancel(ticket))
        }
        return try result.get()
    }

    deinit { loop.close() }
}
#endif
