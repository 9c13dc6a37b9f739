import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("Counting by size")
struct HistogramTests {
    @Test("A value on a bound belongs to it, one above all is kept too, and the page adds them up")
    func buckets() {
        var histogram = Histogram(bounds: [1, 10])
        for value in [0.5, 1, 1.5, 10, 11] { histogram.add(value) }
        var page = MetricsPage()
        page.histogram("h", "Help.", histogram)
        #expect(
            page.text == """
                # HELP h Help.
                # TYPE h histogram
                h_bucket{le="1.0"} 2
                h_bucket{le="10.0"} 4
                h_bucket{le="+Inf"} 5
                h_sum 24.0
                h_count 5

                """)
    }
}

@Suite("Health and metrics", .timeLimit(.minutes(5)))
struct OperationsTests {
    @Test("Healthy is said only when something was just written and read")
    func health() async throws {
        let server = try await TestServer()
        let before = server.server.services.storage.statistics.groups
        let health = try await server.anonymous.call(Routes.health)
        #expect(health == Health(status: "ok"))
        #expect(server.server.services.storage.statistics.groups == before + 1)
        // Asked a thousand times a second it costs one write.
        for _ in 0..<50 { _ = try await server.anonymous.call(Routes.health) }
        #expect(server.server.services.storage.statistics.groups == before + 1)
        server.clock.advance(by: .seconds(1))
        _ = try await server.anonymous.call(Routes.health)
        #expect(server.server.services.storage.statistics.groups == before + 2)
        await server.stop()
    }

    @Test("On a full disk health is UNAVAILABLE, and well again when there is space")
    func unhealthy() async throws {
        let server = try await TestServer()
        let storage = server.server.services.storage
        try await storage.write { transaction in
            try transaction.database.run("CREATE TABLE ballast (bytes BLOB)")
            let pages = try transaction.database.first("PRAGMA page_count") { $0.int(0) } ?? 0
            try transaction.database.run("PRAGMA max_page_count = \(pages + 1)")
            // From now on every write needs space that is not there.
            try transaction.database.run(
                "CREATE TRIGGER full AFTER UPDATE ON counters BEGIN INSERT INTO ballast VALUES (zeroblob(100000)); END"
            )
        }
        let error = await #expect(throws: APIError.self) { try await server.anonymous.call(Routes.health) }
        #expect(error?.code == .unavailable && error?.retryAfter != nil)
        try await storage.write { try $0.database.run("PRAGMA max_page_count = 1000000") }
        #expect(try await server.anonymous.call(Routes.health) == Health(status: "ok"))
        await server.stop()
    }

    @Test("Neither needs a key")
    func open() async throws {
        let server = try await TestServer()
        var caller = server.anonymous
        caller.clientKey = ""
        _ = try await caller.call(Routes.health)
        #expect(await caller.send("GET", "/metrics").status == 200)
        await server.stop()
    }

    @Test(
        "The page counts requests by route and status, frames, commits, connections; without paths or people")
    func page() async throws {
        let server = try await TestServer()
        let device = try await server.signIn(phone: server.newPhone())
        let connection = try device.connect()
        try connection.send(.ping)
        connection.send(text: "nonsense")
        connection.send(text: #"{"type":"made.up.by.a.client","data":{}}"#)
        _ = await device.caller.send("DELETE", "/v1/devices/no-such-device")
        _ = await device.caller.send("GET", "/v1/no/such/path")
        let answer = await server.anonymous.send("GET", "/metrics")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
            #"chatter_requests_total{route="POST /v1/auth/verify",status="200"} 1"#,
            #"chatter_requests_total{route="DELETE /v1/devices/{id}",status="404"} 1"#,
            #"chatter_requests_total{route="none",status="404"} 1"#,
            #"chatter_frames_received_total{type="ping"} 1"#,
            #"chatter_frames_received_total{type="unknown"} 1"#,
            "chatter_frames_malformed_total 1", "chatter_connections 1", "chatter_frames_sent_total 3",
        ] {
            #expect(page.contains(line + "\n"), "missing: \(line)")
        }
        #expect(!page.contains("no-such-device") && !page.contains("made.up") && !page.contains(device.phone))
        let commits = try #require(page.value(of: "chatter_commit_jobs_count"))
        #expect(commits >= 3)
        #expect(try #require(page.value(of: "process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(page.value(of: "process_cpu_seconds_total")) > 0)
        await server.stop()
    }

    @Test("Echo bots are no connections")
    func echoBots() async throws {
        let server = try await TestServer { $0.hasEchoBot = true }
        let device = try await server.signIn(phone: server.newPhone())
        for expected in 0...1 {
            let answer = await server.anonymous.send("GET", "/metrics")
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(page.value(of: "chatter_connections") == Double(expected))
            if expected == 0 { _ = try device.connect() }
        }
        await server.stop()
    }

    @Test("Every line is one that Prometheus reads")
    func format() async throws {
        let server = try await TestServer()
        _ = try await server.signIn(phone: server.newPhone())
        let page = String(decoding: await server.anonymous.send("GET", "/metrics").body, as: UTF8.self)
        var declared = Set<String>()
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let match = line.wholeMatch(of: #/# TYPE ([a-z_]+) (counter|gauge|histogram)/#) {
                #expect(declared.insert(String(match.1)).inserted, "declared twice: \(match.1)")
            } else if !line.hasPrefix("# HELP ") {
                let match = line.wholeMatch(of: #/([a-z_]+)(\{([a-z]+="[^"\\]*",?)+\})? -?[0-9.e+-]+/#)
                let name = String(try #require(match, "\(line)").1)
                let family = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }
                    .map { String(name.dropLast($0.count)) }
                #expect(declared.contains(name) || declared.contains(family ?? ""), "\(line)")
            }
        }
        #expect(page.hasSuffix("\n"))
        await server.stop()
    }
}

extension String {
    fileprivate func value(of metric: String) -> Double? {
        split(separator: "\n").first { $0.hasPrefix(metric + " ") }
            .flatMap { Double($0.dropFirst(metric.count + 1)) }
    }
}
