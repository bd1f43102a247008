import CFuzzer
import OfflineCore

/// Feeds filters and order with whatever libFuzzer comes up with.
///
/// An input is a query and a row with a tab between them. The query isn't percent-decoded.
@main
enum FuzzFilters {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let code = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            let bytes = Bytes(UnsafeBufferPointer(start: start, count: count))
            let end = bytes.firstIndex(of: UInt8(ascii: "\t")) ?? bytes.endIndex
            FilterChecks.run(
                query: String(decoding: bytes[..<end], as: UTF8.self),
                row: Bytes(bytes[end...].dropFirst()))
            return 0
        }
        precondition(code == 0, "libFuzzer could not run")
    }
}

/// Ends the process, which is how libFuzzer hears of a failure, and keeps the input.
func check(_ condition: Bool, _ rule: StaticString) {
    guard !condition else { return }
    fatalError("broken: \(rule)")
}
