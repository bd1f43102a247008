#if canImport(CCurl)
import CCurl
import OfflineCore

/// The exchanges of a loop, on its thread.
final class CurlWorker {
    /// How many exchanges libcurl carries at once; others wait in the order in which they came.
    ///
    /// Each may need a connection of its own, and a process has few to give away.
    static let limit = 100

    private let multi: UnsafeMutableRawPointer
    private let options: CurlOptions
    private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    private var waiting: ArraySlice<ObjectIdentifier> = []
    private var running = 0
    /// No deadline comes before this moment.
    private var nextCheck: ContinuousClock.Instant?

    init(_ multi: UnsafeMutableRawPointer, _ options: CurlOptions) {
        self.multi = multi
        self.options = options
        // A burst shall find the connections of the one before.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.limit)
    }

    var count: Int { exchanges.count }

    func start(_ job: CurlJob) {
        let exchange = CurlExchange(job)
        guard !job.ticket.isCancelled else { return exchange.finish(exchange.failure(.cancelled)) }
        let id = ObjectIdentifier(job.ticket)
        exchanges[id] = exchange
        waiting.append(id)
        if let next = exchange.deadlines.next { nextCheck = min(nextCheck ?? next, next) }
    }

    func cancel(_ ticket: CurlTicket) {
        guard let exchange = exchanges[ObjectIdentifier(ticket)] else { return }
        end(exchange, exchange.failure(.cancelled))
    }

    /// Moves everything on as far as it goes without waiting, then waits for more.
    func turn() {
        admitWaiting()
        var count: CInt = 0
        curl_multi_perform(multi, &count)
        endFinished()
        endOverdue()
        // What has ended may have made room for others.
        guard waiting.isEmpty || running == Self.limit else { return }
        let wait = nextCheck.map { ($0 - .now).roundedUpMilliseconds } ?? 1_000_000_000
        curl_multi_poll(multi, nil, 0, wait, nil)
    }

    func close() {
        for exchange in Array(exchanges.values) { end(exchange, exchange.failure(.closed)) }
    }

    private func admitWaiting() {
        while running < Self.limit, let id = waiting.popFirst() {
            guard let exchange = exchanges[id] else { continue }
            guard !exchange.deadlines.areOver(at: .now) else {
                end(exchange, exchange.failure(.timedOut))
                continue
            }
            do throws(TransportError) {
                let handle = try exchange.prepare(options)
                running += 1
                guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
                    end(exchange, exchange.failure(.other))
                    continue
                }
            } catch {
                end(exchange, .failure(error))
            }
        }
    }

    private func endFinished() {
        var left: CInt = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard let pointer = ccurl_finished_handle(message),
                let exchange = CurlHandle.exchange(of: pointer)
            else { continue }
            // Removing the handle frees the message.
            let code = ccurl_result(message)
            end(exchange, exchange.result(code))
        }
    }

    private func endOverdue() {
        let now = ContinuousClock.now
        guard let nextCheck, nextCheck <= now else { return }
        for exchange in Array(exchanges.values) where exchange.deadlines.areOver(at: now) {
            end(exchange, exchange.failure(.timedOut))
        }
        self.nextCheck = exchanges.values.compactMap(\.deadlines.next).min()
    }

    private func end(_ exchange: CurlExchange, _ result: Result<HTTPResponse, TransportError>) {
        if let handle = exchange.handle {
            // The callbacks may still be called until the handle is out.
            curl_multi_remove_handle(multi, handle.pointer)
            running -= 1
        }
        exchanges[ObjectIdentifier(exchange.ticket)] = nil
        exchange.finish(result)
    }
}
#endif
