import Dispatch
import Foundation
public import OfflineCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport over URLSession, the default on Apple's systems.
///
/// The session keeps no cache and no cookies, follows no redirect and uses the system's proxies.
/// URLSession doesn't tell when it starts to send; what was cancelled or ran out of time before
/// its head therefore counts as `TransportError.Stage.unanswered`.
///
/// On Linux it is an alternative for where libcurl can't be linked, and only for servers that
/// behave. There Foundation's URLSession, as of Swift 6.3,
///
/// - ends the process when a server closes its connection in the middle of the headers;
/// - never finishes a 401 that asks for `Basic` authentication;
/// - deadlocks or crashes when a task is cancelled close to its end. So here a task is never
///   cancelled: whoever waits for it is let go at once, while it runs out by itself;
/// - reports bodies cut short, refused certificates and bytes that can't be decompressed all as
///   `unknown`, which becomes `TransportError.Cause.other`;
/// - cuts its own limits to whole seconds, and has none for a whole exchange. Those of
///   `HTTPRequest.Limits` are kept by timers of this transport, on every system;
/// - writes the names of header fields in its own capitals;
/// - takes several times as long as ``CurlTransport`` for a small request.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let router = URLSessionRouter()
    private let timers = DispatchQueue(label: "offline.transport.timers")

    /// Creates a transport with a session of its own.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // Its own limits must not come before those of a request.
        configuration.timeoutIntervalForRequest = 604_800
        configuration.timeoutIntervalForResource = 604_800
        session = URLSession(configuration: configuration, delegate: router, delegateQueue: nil)
    }

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

    /// Ends what is under way; the session goes when its tasks have.
    ///
    /// Letting go of the last reference does the same.
    public func close() {
        guard let exchanges = router.close() else { return }
        for exchange in exchanges { exchange.end(.closed) }
        session.finishTasksAndInvalidate()
    }

    private func exchange(
        _ request: HTTPRequest, path: String?
    ) async throws(TransportError) -> HTTPResponse {
        try request.checkForm()
        guard !Task.isCancelled else { throw TransportError(.notSent, .cancelled) }
        let began = try router.start { () throws(TransportError) in
            let task = try makeTask(request)
            var file: OutputFile?
            if let path { file = try OutputFile(path: path) }
            return (task, URLSessionExchange(task, limits: request.limits, file: file))
        }
        guard let (task, exchange) = began else { throw TransportError(.notSent, .closed) }
        watch(exchange)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                if !exchange.begin(reply) { router.forget(task) }
            }
        } onCancel: {
            exchange.end(.cancelled)
        }
        return try result.get()
    }

    private func makeTask(_ request: HTTPRequest) throws(TransportError) -> URLSessionTask {
        guard let url = URL(string: request.url) else {
            throw TransportError(.notSent, .invalidRequest)
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        for field in request.fieldsToSend {
            message.addValue(field.value, forHTTPHeaderField: field.name)
        }
        switch request.body {
        case .none:
            if request.announcesEmptyBody { message.httpBody = Data() }
            return session.dataTask(with: message)
        case .bytes(let bytes):
            message.httpBody = Data(bytes)
            return session.dataTask(with: message)
        case .file(let path):
            // Opened only to learn now, not later, that it can't be.
            _ = try InputFile(path: path)
            return session.uploadTask(with: message, fromFile: URL(filePath: path))
        }
    }

    /// Ends an exchange when its limits say so; looks again whenever bytes have moved them.
    private func watch(_ exchange: URLSessionExchange) {
        guard let deadline = exchange.nextDeadline else { return }
        let wait = Int((deadline - .now).roundedUpMilliseconds)
        timers.asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self, weak exchange] in
            guard let exchange else { return }
            exchange.endIfOverdue()
            self?.watch(exchange)
        }
    }

    deinit { close() }
}
