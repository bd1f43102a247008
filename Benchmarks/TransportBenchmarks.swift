func transportBenchmarks(_ report: inout Report) async throws {}
