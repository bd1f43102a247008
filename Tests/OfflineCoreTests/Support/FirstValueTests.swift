import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Waiting for a value", .timeLimit(.minutes(5)))
struct FirstValueTests {
    @Test func `ends with the value, with the limit or with the caller, whichever is first`() throws
    {
        try World.run { world in
            let runtime = world.runtime
            let gate = Gate()
            let quick = runtime.task(name: "quick") { 7 }
            let slow = runtime.task(name: "slow") {
                await gate.wait()
                return 8
            }
            #expect(await runtime.value(of: quick, within: .seconds(1)) == 7)
            #expect(await runtime.value(of: slow, within: .seconds(1)) == nil)
            #expect(world.elapsed == .seconds(1))
            let caller = runtime.task(name: "caller") {
                await runtime.value(of: slow, within: nil)
            }
            caller.cancel()
            #expect(await caller.value == nil)
            gate.open()
            #expect(await runtime.value(of: slow, within: nil) == 8)
        }
    }
}
