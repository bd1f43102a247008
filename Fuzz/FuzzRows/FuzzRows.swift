import CFuzzer
import OfflineCore

/// Feeds the byte-level JSON code with whatever libFuzzer comes up with.
///
/// An input that starts with 1 is tried as a stored directory, which starts with its format; no JSON
/// does. Every other input is tried as everything else.
@main
enum FuzzRows {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let code = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            let bytes = UnsafeBufferPointer(start: start, count: count)
            if bytes.first == 1 {
                DirectoryChecks.run(Bytes(bytes))
            } else {
                JSONChecks.run(Bytes(bytes))
            }
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
