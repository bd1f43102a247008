public import OfflineCore

/// The transport that suits the system.
public enum PlatformTransport {
    /// Makes one: over libcurl on Linux, over URLSession on Apple's systems.
    ///
    /// - Returns: A transport to keep for as long as requests are made, since it holds the
    ///   connections.
    public static func make() -> any HTTPTransport {
        #if canImport(CCurl)
        CurlTransport()
        #else
        URLSessionTransport()
        #endif
    }
}
