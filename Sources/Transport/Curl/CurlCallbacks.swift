#if canImport(CCurl)
import CCurl
import Glibc
import OfflineCore

/// SOCK_CLOEXEC, as a number.
private let closeOnExec = CInt(SOCK_CLOEXEC.rawValue)

extension CurlHandle {
    /// Reports to an exchange, which has to outlive this handle's transfer.
    func attach(_ exchange: CurlExchange, countsBytes: Bool) {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        set(CURLOPT_PRIVATE, context)
        set(CURLOPT_HEADERFUNCTION, onHeaderLine)
        set(CURLOPT_HEADERDATA, context)
        set(CURLOPT_WRITEFUNCTION, onBody)
        set(CURLOPT_WRITEDATA, context)
        set(CURLOPT_READFUNCTION, onUpload)
        set(CURLOPT_READDATA, context)
        setSocket(onSocket)
        set(CURLOPT_OPENSOCKETDATA, context)
        if countsBytes {
            setProgress(onProgress)
            set(CURLOPT_XFERINFODATA, context)
            set(CURLOPT_NOPROGRESS, 0)
        }
    }

    /// Reports each attempt to send too; false if the library is older than 7.80 and can't tell.
    func attachPrerequest(_ exchange: CurlExchange) -> Bool {
        setPrerequest(onPrerequest, Unmanaged.passUnretained(exchange).toOpaque())
    }

    /// The exchange to which a handle reports.
    static func exchange(of pointer: UnsafeMutableRawPointer) -> CurlExchange? {
        exchange(ccurl_private(pointer))
    }

    fileprivate static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func onHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let isTaken = CurlHandle.exchange(context)?.take(headerLine: line) ?? false
    // Any other number than what came ends the transfer.
    return isTaken ? line.count : line.count &- 1
}

private func onBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let isTaken = CurlHandle.exchange(context)?.take(body: chunk) ?? false
    return isTaken ? chunk.count : chunk.count &- 1
}

private func onUpload(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return CurlHandle.exchange(context)?.fill(buffer) ?? Int(CURL_READFUNC_ABORT)
}

private func onSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let mayConnect = CurlHandle.exchange(context)?.mayConnect() ?? false
    guard mayConnect, let address = address?.pointee else { return -1 }
    // A child process must not inherit the connection, and keep it open.
    return socket(address.family, address.socktype | closeOnExec, address.`protocol`)
}

private func onProgress(
    _ context: UnsafeMutableRawPointer?, _ toDownload: curl_off_t, _ downloaded: curl_off_t,
    _ toUpload: curl_off_t, _ uploaded: curl_off_t
) -> CInt {
    CurlHandle.exchange(context)?.bodiesTravelled(Int(downloaded &+ uploaded))
    return 0
}

private func onPrerequest(
    _ context: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?, _ remotePort: CInt, _ localPort: CInt
) -> CInt {
    let maySend = CurlHandle.exchange(context)?.willSend() ?? false
    // CURL_PREREQFUNC_OK or CURL_PREREQFUNC_ABORT, which headers before 7.80 don't name.
    return maySend ? 0 : 1
}
#endif
