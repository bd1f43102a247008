import Testing

@testable import OfflineCore

@Suite("A list's key", .timeLimit(.minutes(5)))
struct ListKeyTests {
    @Test func `is the same whatever order the filters have`() throws {
        try World.run { world in
            let base = world.client.from("t").select("a,b")
            let left = base.eq("a", value: 1).gt("b", value: 2).order("a").limit(3)
            let right = base.gt("b", value: 2).eq("a", value: 1).limit(3).order("a")
            #expect(ListKey(left.request) == ListKey(right.request))
        }
    }

    @Test func `differs with everything that can change the answer`() throws {
        try World.run { world in
            let client = world.client
            let base = client.from("t").select("a,b")
            let requests = [
                base.request, client.from("u").select("a,b").request,
                client.schema("s").from("t").select("a,b").request,
                client.from("t").select("b,a").request,
                base.eq("a", value: 1).request, base.eq("a", value: 1).eq("a", value: 1).request,
                base.neq("a", value: 1).request, base.eq("b", value: 1).request,
                base.eq("c.a", value: 1).request, base.or("a.eq.1").request,
                base.order("a").request, base.order("a").order("b").request,
                base.order("b").order("a").request, base.order("a", ascending: false).request,
                base.order("a", referencedTable: "c").request,
                base.limit(1).request, base.limit(1, referencedTable: "c").request,
                base.range(from: 1, to: 1).request,
                base.setHeader(name: "Prefer", value: "timezone=UTC").request,
                base.setHeader(name: "Prefer", value: "timezone=CET").request,
                base.setHeader(name: "X-Tenant", value: "timezone=UTC").request,
            ]
            #expect(Set(requests.map { ListKey($0).text }).count == requests.count)
        }
    }

    @Test func `tells values apart that hold what separates its parts`() throws {
        try World.run { world in
            let base = world.client.from("t").select("a")
            let requests = [
                base.eq("a", value: "1&b=eq.2"), base.eq("a", value: "1").eq("b", value: "2"),
                base.eq("a", value: "1#x:y"),
                base.eq("a", value: "1").setHeader(name: "x", value: "y"),
                base.eq("a", value: "1%26"), base.eq("a", value: "1&"),
                base.eq("a", value: "\u{E9}"), base.eq("a", value: "e\u{301}"),
            ]
            #expect(Set(requests.map { ListKey($0.request).text }).count == requests.count)
        }
    }

    @Test func `doesn't count the case of a header's name`() throws {
        try World.run { world in
            let base = world.client.from("t").select("a")
            let keys = ["X-Tenant", "x-tenant"].map {
                ListKey(base.setHeader(name: $0, value: "1").request)
            }
            #expect(keys[0] == keys[1])
        }
    }
}
