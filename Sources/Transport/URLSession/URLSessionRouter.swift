import Foundation
import OfflineCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of a session: brings what it hears to the exchange that it is about.
final class URLSessionRouter: NSObject, URLSessionDataDelegate {
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        var isClosed = false
    }

    private let state = Monitor(State())

    /// Makes a task and expects news of it; nil once closed.
    ///
    /// Nothing can be closed in between: to ask a closed session for a task ends the process.
    func start(
        _ make: () throws(TransportError) -> (URLSessionTask, URLSessionExchange)
    ) throws(TransportError) -> (URLSessionTask, URLSessionExchange)? {
        typealias Made = Result<(URLSessionTask, URLSessionExchange)?, TransportError>
        let made: Made = state.withLock { state in
            guard !state.isClosed else { return .success(nil) }
            do throws(TransportError) {
                let (task, exchange) = try make()
                state.exchanges[task.taskIdentifier] = exchange
                return .success((task, exchange))
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }

    /// Expects no more news of a task that was never begun.
    func forget(_ task: URLSessionTask) {
        state.withLock { $0.exchanges[task.taskIdentifier] = nil }
    }

    /// Takes no more exchanges, and answers those there are; nil if it was closed before.
    func close() -> [URLSessionExchange]? {
        state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed ? nil : Array(state.exchanges.values)
        }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { exchange(of: dataTask)?.headArrived(head) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.bodyArrived(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.bodyLeft()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let hasLeft = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
        if hasLeft { exchange(of: task)?.requestLeft() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
        exchange?.completed(error)
    }
}
