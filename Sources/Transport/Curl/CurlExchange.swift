#if canImport(CCurl)
import CCurl
import OfflineCore
import Synchronization

/// What the caller of an exchange and the loop's thread both hold.
final class CurlTicket: Sendable {
    private let cancelled = Atomic(false)

    /// Whether the caller wants no answer any more.
    ///
    /// A cancellation may overtake the request that it is meant for. It leaves this mark for it,
    /// and so nobody has to remember cancellations of what may never come.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// A request on its way to the loop's thread.
struct CurlJob: Sendable {
    let request: HTTPRequest
    /// The file that takes the body of the answer.
    let path: String?
    let began: ContinuousClock.Instant
    let ticket: CurlTicket
    let reply: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
}

/// One exchange; the loop's thread alone touches it.
final class CurlExchange {
    let ticket: CurlTicket
    private(set) var handle: CurlHandle?
    private(set) var deadlines: Deadlines
    private let job: CurlJob
    private var progress = Progress.connecting
    private var isProgressExact = true
    private var wasSentOnce = false
    private var isRepeated = false
    private var head = ResponseHead()
    private var headArrival: ContinuousClock.Instant?
    private var answer = AnswerBody(file: nil)
    private var coding = Coding.plain
    private var upload = CurlUpload.none
    private var lastCount = 0

    /// How the body of the answer is written.
    private enum Coding {
        case plain
        case gzip(Gunzip)
        /// In a way that was not asked for.
        case unknown

        init(_ name: String?) {
            switch name?.lowercased() {
            case nil, "", "identity": self = .plain
            case "gzip", "x-gzip": self = Gunzip().map { .gzip($0) } ?? .unknown
            default: self = .unknown
            }
        }
    }

    init(_ job: CurlJob) {
        self.job = job
        ticket = job.ticket
        deadlines = Deadlines(job.request.limits, from: job.began)
    }

    /// Opens the files and makes the handle.
    func prepare(_ options: CurlOptions) throws(TransportError) -> CurlHandle {
        upload = try CurlUpload(job.request.body)
        if let path = job.path { answer = AnswerBody(file: try OutputFile(path: path)) }
        let handle = try CurlHandle()
        options.apply(to: handle, for: job.request)
        handle.attach(self, countsBytes: deadlines.countsSilence)
        if !options.watchesSending || !handle.attachPrerequest(self) {
            // Nobody tells when the request leaves, nor can a second attempt be stopped. So it
            // counts as sent, and what may not be repeated gets a connection of its own, since
            // only on a used one would libcurl try again.
            isProgressExact = false
            progress = .sending
            if !job.request.mayBeRepeated { handle.set(CURLOPT_FRESH_CONNECT, 1) }
        }
        if job.request.body != .none || job.request.announcesEmptyBody {
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: upload.length)
        }
        if let code = handle.refusal {
            throw TransportError(.notSent, .other, code: Int(code.rawValue))
        }
        deadlines.bytesTravelled(at: .now)
        self.handle = handle
        return handle
    }

    /// Hands the outcome to the caller; called once.
    func finish(_ result: Result<HTTPResponse, TransportError>) {
        handle = nil
        // Letting go of the file removes it, before the caller can look for it.
        if case .failure = result { answer = AnswerBody(file: nil) }
        job.reply.resume(returning: result)
    }

    /// What the caller gets if the exchange ends here and now.
    func failure(_ cause: TransportError.Cause) -> Result<HTTPResponse, TransportError> {
        .failure(TransportError(progress.stage, cause))
    }

    /// What the caller gets when libcurl says that the transfer is over.
    func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
        if isRepeated { return failure(.connectionLost) }
        if answer.fileFailed || upload.hasFailed { return failure(.file) }
        guard code == CURLE_OK else {
            return .failure(
                CurlFailure.error(for: code, after: progress, isProgressExact: isProgressExact))
        }
        guard let headArrival else { return failure(.connectionLost) }
        if case .gzip(let gunzip) = coding, !gunzip.isWhole { return failure(.malformed) }
        guard answer.keep() else { return failure(.file) }
        return .success(
            HTTPResponse(
                status: head.status, headers: head.headers, body: answer.bytes,
                timeSinceHead: .now - headArrival))
    }
}

// What libcurl tells, by way of the callbacks.
extension CurlExchange {
    /// A connection stands and the request is about to be written; false keeps it from being sent.
    ///
    /// This is the moment from which a request counts as sent. And here it shows that libcurl
    /// tries again on its own, which it does if a used connection closes without an answer: it
    /// can't know whether the server carried the request out before.
    func willSend() -> Bool {
        guard mayConnect() else { return false }
        wasSentOnce = true
        progress = max(progress, .sending)
        deadlines.bytesTravelled(at: .now)
        return true
    }

    /// A connection is about to be made; false keeps it from being made.
    func mayConnect() -> Bool {
        if wasSentOnce && !job.request.mayBeRepeated { isRepeated = true }
        return !isRepeated
    }

    /// Takes a line of the head; false ends the transfer, because there are too many.
    func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        deadlines.bytesTravelled(at: .now)
        guard head.take(line: line) else { return false }
        guard head.isComplete, headArrival == nil else { return true }
        let now = ContinuousClock.now
        headArrival = now
        progress = .receiving
        deadlines.headArrived(at: now)
        coding = Coding(head.headers["Content-Encoding"])
        answer.reserve(job.request.method == "HEAD" ? nil : head.announcedLength)
        return true
    }

    func take(body chunk: UnsafeRawBufferPointer) -> Bool {
        switch coding {
        case .plain: answer.append(chunk)
        case .gzip(let gunzip): gunzip.decompress(chunk) { answer.append($0) }
        case .unknown: false
        }
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        upload.read(into: buffer)
    }

    /// Hears how many bytes of bodies have travelled by now.
    func bodiesTravelled(_ count: Int) {
        guard count != lastCount else { return }
        lastCount = count
        deadlines.bytesTravelled(at: .now)
    }
}
#endif
