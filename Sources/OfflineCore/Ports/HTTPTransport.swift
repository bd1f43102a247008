/// What carries requests to the server and answers back.
///
/// A transport moves bytes and tells exactly how far it came. Whether to try again, which token to
/// send and what an answer means is decided by those who call it. Rules for adapters:
///
/// - An answer is handed over whole or not at all: a body shorter than announced, headers that
///   break off and bytes that can't be decoded are errors.
/// - Whatever status the server gives is an answer, not an error.
/// - A redirect is handed over like any other answer and never followed, so that no token travels
///   to a place it was not meant for.
/// - Compressed bodies arrive decompressed; cookies and caches don't exist.
/// - The limits of ``HTTPRequest/limits`` are kept to a few milliseconds.
/// - Cancelling the calling task ends the exchange at once, with ``TransportError/Cause/cancelled``.
/// - Nothing that a server does ends or hangs the process.
public protocol HTTPTransport: Sendable {
    /// Sends a request and gathers the body of its answer in memory.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``, which tells how far the exchange came.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

    /// Sends a request and streams the body of its answer into a new file.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - path: The file to create. If it exists, it is emptied first; after an error it is gone.
    /// - Returns: The answer with an empty ``HTTPResponse/body``. Its status tells what the file
    ///   holds: what was asked for, or the server's explanation.
    /// - Throws: ``TransportError``, also when the file can't be written.
    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse

    /// Ends what is under way and gives everything back; later requests throw
    /// ``TransportError/Cause/closed``.
    func close()
}
