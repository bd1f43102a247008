extension StoredList.Age {
    /// How far in the future a list may have been fetched before the clock must have been set back.
    private static let clockTolerance = Duration.seconds(60)

    /// Whether this list is not older than `maxAge`, by the device's clock.
    ///
    /// A list fetched a little in the future has age zero. Beyond a minute the clock was set back,
    /// its age can't be known, and it counts as older than any `maxAge`.
    func isWithin(_ maxAge: Duration?, at now: Timestamp) -> Bool {
        guard let maxAge else { return true }
        let age = Duration.microseconds(now.microseconds - fetchedAt.microseconds)
        return age >= .zero - Self.clockTolerance && max(age, .zero) <= maxAge
    }
}
