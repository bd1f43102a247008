package import Foundation

/// A program that ended with an error.
package struct SubprocessError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Runs a program and returns what it wrote.
///
/// - Parameters:
///   - program: The program, to be found in the search path, and its arguments.
///   - input: What it reads.
/// - Returns: Its standard output.
/// - Throws: ``SubprocessError`` with its standard error if it ends with another code than 0.
package func run(_ program: String..., input: String = "") async throws -> Data {
    try await onOwnThread {
        let (process, stdin, stdout, stderr) = (Process(), Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = program
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.runApart()
        stdin.fileHandleForWriting.write(Data(input.utf8))
        stdin.fileHandleForWriting.closeFile()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        let complaint = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SubprocessError(
                description: "\(program[0]): \(String(decoding: complaint, as: UTF8.self))")
        }
        return output
    }
}
