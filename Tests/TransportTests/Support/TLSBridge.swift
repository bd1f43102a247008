#if canImport(CCurl)
import Foundation
import OfflineCore
import TestSupport
import Testing

/// Puts encryption in front of a server: a child process with a certificate made for it.
///
/// The certificate is nobody's but its own, so a client trusts it only if told to.
final class TLSBridge: Sendable {
    let port: Int
    let certificate: String
    private let process: Process
    // The process ends when nobody holds this any more.
    private let input: Pipe

    /// Starts a bridge that speaks one of the protocols named for ALPN.
    static func start(
        to server: LoopbackServer, protocols: [String] = [], directory: String
    ) async throws -> TLSBridge {
        try await withCheckedThrowingContinuation { reply in
            // Starting processes blocks, so it has a thread of its own.
            Thread.detachNewThread {
                reply.resume(
                    with: Result {
                        try TLSBridge(to: server, protocols: protocols, directory: directory)
                    })
            }
        }
    }

    private init(to server: LoopbackServer, protocols: [String], directory: String) throws {
        certificate = directory + "/certificate.pem"
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.script, directory, "\(server.port)"] + protocols
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let child = process
        try child.runApart()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    var url: String { "https://127.0.0.1:\(port)" }

    func stop() { process.terminate() }

    private static let script = """
        import asyncio, os, ssl, subprocess, sys, threading

        directory, target, *protocols = sys.argv[1:]
        certificate, key = directory + "/certificate.pem", directory + "/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec",
             "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=server",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if protocols:
            context.set_alpn_protocols(protocols)

        async def pump(reader, writer):
            try:
                while data := await reader.read(65536):
                    writer.write(data)
                    await writer.drain()
                writer.close()
            except OSError:
                writer.transport.abort()

        async def serve(reader, writer):
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", int(target))
            await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))

        async def main():
            server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
            print(server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        # The tests hold the other end of this, and let go of it even if they crash.
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        asyncio.run(main())
        """
}
#endif
