import OfflineCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that takes the body of an answer, and is gone unless it was kept.
final class OutputFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let isClosed = Atomic(false)

    /// Creates the file, for its owner alone, or empties it.
    init(path: String) throws(TransportError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TransportError(.notSent, .file) }
        self.path = path
        self.descriptor = descriptor
        // It may have been there before, open to others.
        guard fchmod(descriptor, 0o600) == 0 else { throw TransportError(.notSent, .file) }
    }

    /// Adds bytes; false if they can't be written.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(descriptor, piece.baseAddress, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Closes the file and leaves it there; false if it could not be written to the end.
    func keep() -> Bool {
        isClosed.store(true, ordering: .relaxed)
        guard close(descriptor) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    deinit {
        guard !isClosed.load(ordering: .relaxed) else { return }
        close(descriptor)
        unlink(path)
    }
}

/// A file that is sent.
final class InputFile {
    /// Its length when it was opened, which is what gets announced.
    let length: Int
    private let descriptor: Int32

    init(path: String) throws(TransportError) {
        // Opening a pipe would wait for somebody to write to it.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw TransportError(.notSent, .file) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransportError(.notSent, .file)
        }
        length = Int(status.st_size)
    }

    /// Whether there is such a file, open to this process.
    static func exists(path: String) -> Bool { access(path, R_OK) == 0 }

    /// Reads the next bytes, and says how many; nil if they can't be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            #if canImport(Darwin)
            let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Glibc)
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count < 0 && errno == EINTR { continue }
            return count < 0 ? nil : count
        }
    }

    deinit { close(descriptor) }
}
