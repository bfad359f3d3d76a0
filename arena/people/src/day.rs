//! Days and months in UTC, computed from given Unix seconds.

use std::fmt;
use std::str::FromStr;

use time::OffsetDateTime;

const DAY_SECONDS: i64 = 86_400;

/// A day of UTC: days since 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day(pub i64);

impl Day {
    /// The day of a moment in Unix seconds. It begins with the second 00:00:00.
    pub fn of(unix_seconds: i64) -> Day {
        Day(unix_seconds.div_euclid(DAY_SECONDS))
    }
}

/// A month of UTC. As text `2026-11`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Month {
    year: i32,
    /// From 1.
    month: u8,
}

impl Month {
    /// The month of a moment in Unix seconds. Moments beyond the calendar, after the year 9999, count as 1970-01.
    pub fn of(unix_seconds: i64) -> Month {
        let at = OffsetDateTime::from_unix_timestamp(unix_seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        Month { year: at.year(), month: u8::from(at.month()) }
    }

    /// The month before.
    #[must_use]
    pub fn before(self) -> Month {
        match self {
            Month { year, month: 1 } => Month { year: year - 1, month: 12 },
            Month { year, month } => Month { year, month: month - 1 },
        }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// A text that is not a month.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a month is written as 2026-11")]
pub struct ParseMonthError;

impl FromStr for Month {
    type Err = ParseMonthError;

    fn from_str(text: &str) -> Result<Month, ParseMonthError> {
        let (year, month) = text.split_once('-').ok_or(ParseMonthError)?;
        let parsed = Month {
            year: year.parse().map_err(|_| ParseMonthError)?,
            month: month.parse().map_err(|_| ParseMonthError)?,
        };
        let is_month = (0..=9999).contains(&parsed.year) && (1..=12).contains(&parsed.month);
        if is_month && parsed.to_string() == text { Ok(parsed) } else { Err(ParseMonthError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_of_utc() {
        assert_eq!([-1, 0, 86_399, 86_400].map(Day::of), [Day(-1), Day(0), Day(0), Day(1)]);
    }

    #[test]
    fn months_are_those_of_the_calendar() {
        // 2026-11-30T23:59:59Z and the second after it; a leap day; the first second of all; beyond the calendar.
        let at = [1_796_083_199, 1_796_083_200, 1_709_164_800, 0, i64::MAX];
        let months = at.map(|at| Month::of(at).to_string());
        assert_eq!(months, ["2026-11", "2026-12", "2024-02", "1970-01", "1970-01"]);
        assert_eq!(Month::of(0).before().to_string(), "1969-12");
        assert_eq!(Month::of(1_796_083_200).before(), Month::of(1_796_083_199));
    }

    #[test]
    fn a_month_has_one_spelling() {
        assert_eq!("2026-11".parse(), Ok(Month { year: 2026, month: 11 }));
        for bad in ["", "2026", "2026-13", "2026-00", "2026-1", "26-01", "+2026-01", "2026-11-01", "-001-01"] {
            assert_eq!(bad.parse::<Month>(), Err(ParseMonthError), "{bad}");
        }
    }
}
