//! Time, which is always passed in and never read from a clock.

/// A point in time: seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnixSeconds(pub i64);

impl UnixSeconds {
    /// This many seconds earlier.
    pub(crate) fn earlier(self, seconds: i64) -> UnixSeconds {
        UnixSeconds(self.0.saturating_sub(seconds))
    }

    /// This many seconds later.
    pub(crate) fn later(self, seconds: i64) -> UnixSeconds {
        UnixSeconds(self.0.saturating_add(seconds))
    }

    /// Seconds from this moment to `then`; 0 if that has passed.
    pub(crate) fn seconds_until(self, then: UnixSeconds) -> u64 {
        u64::try_from(then.0.saturating_sub(self.0)).unwrap_or(0)
    }
}
