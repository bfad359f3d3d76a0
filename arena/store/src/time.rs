//! Time, which is always told and never read.

/// A point in time: seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnixSeconds(pub i64);

impl UnixSeconds {
    /// This many seconds earlier.
    pub(crate) fn earlier(self, seconds: i64) -> UnixSeconds {
        UnixSeconds(self.0.saturating_sub(seconds))
    }
}
