//! Times as people write them.

use arena_store::UnixSeconds;
use time::OffsetDateTime;

fn utc(at: UnixSeconds) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(at.0).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// A time as people write it, in UTC.
pub(crate) fn date(at: UnixSeconds) -> String {
    format!("{} {:02}:{:02} UTC", day(at), utc(at).hour(), utc(at).minute())
}

/// The same of seconds since 1970, for templates.
pub(crate) fn date_of(seconds: &i64) -> String {
    date(UnixSeconds(*seconds))
}

/// The day of a time in UTC, such as `2027-01-31`.
pub(crate) fn day(at: UnixSeconds) -> String {
    let (year, month, day) = utc(at).to_calendar_date();
    format!("{year:04}-{:02}-{day:02}", u8::from(month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc() {
        assert_eq!(date(UnixSeconds(1_800_000_000)), "2027-01-15 08:00 UTC");
        assert_eq!(day(UnixSeconds(1_800_000_000)), "2027-01-15");
    }
}
