//! Times as people write them.

use arena_store::UnixSeconds;
use time::OffsetDateTime;

/// A time as people write it, in UTC.
pub(crate) fn date(at: UnixSeconds) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at.0).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    format!("{year}-{:02}-{day:02} {:02}:{:02} UTC", u8::from(month), at.hour(), at.minute())
}

/// The day of a time, in UTC: year, month and day.
pub(crate) fn day(at: UnixSeconds) -> (i32, u8, u8) {
    let at = OffsetDateTime::from_unix_timestamp(at.0).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    (year, u8::from(month), day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc() {
        assert_eq!(date(UnixSeconds(1_800_000_000)), "2027-01-15 08:00 UTC");
        assert_eq!(day(UnixSeconds(1_800_000_000)), (2027, 1, 15));
    }
}
