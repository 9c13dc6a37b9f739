import Foundation

/// What the process has used so far.
struct ProcessUse: Sendable {
    let cpuSeconds: Double
    let residentBytes: Int

    static func now() -> ProcessUse {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        return ProcessUse(cpuSeconds: cpu, residentBytes: residentPages() * Int(sysconf(Int32(_SC_PAGESIZE))))
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// The second number of /proc/self/statm; 0 where there is no such file.
    private static func residentPages() -> Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }
}
