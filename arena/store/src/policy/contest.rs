//! Who may open a tournament, and what its log accepts.

use crate::limits::DAY_SECONDS;
use crate::{CONTEST_EVENTS_MAX, ContestError, Counted, Limits, UnixSeconds};

/// What decides on the opening of a tournament, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenView {
    /// Whether the operator has closed starting tournaments.
    pub(crate) closed: bool,
    /// Whether the owner is disabled; `None` if there is no such account.
    pub(crate) disabled: Option<bool>,
    /// Unfinished tournaments of the owner.
    pub(crate) own: u64,
    /// All unfinished tournaments.
    pub(crate) all: u64,
    /// What these may use.
    pub(crate) under_way: Usage,
    /// What those may use that the owner opened within a day.
    pub(crate) today: Usage,
    /// When the first of the latter was opened.
    pub(crate) first_today: Option<UnixSeconds>,
}

/// What the games of tournaments may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub(crate) games: u64,
    pub(crate) fuel: u64,
}

impl Usage {
    /// Whether this is within limits with what one more tournament may use.
    fn takes(self, more: &Counted, games_max: u32, fuel_max: u64) -> bool {
        self.games.saturating_add(more.games.into()) <= games_max.into()
            && self.fuel.saturating_add(more.fuel) <= fuel_max
    }
}

/// Whether an account may open a tournament that counts as much.
pub(crate) fn may_open(
    view: &OpenView,
    limits: &Limits,
    counted: &Counted,
    now: UnixSeconds,
) -> Result<(), ContestError> {
    if view.disabled.ok_or(ContestError::NoSuchAccount)? {
        return Err(ContestError::Disabled);
    }
    if view.closed {
        return Err(ContestError::Closed);
    }
    if view.all >= limits.contests_max.into() {
        return Err(ContestError::TooMany(limits.contests_max));
    }
    if view.own >= limits.contests_per_account_max.into() {
        return Err(ContestError::TooManyOfAccount(limits.contests_per_account_max));
    }
    let (games, fuel) = (limits.contest_games_max, limits.contest_fuel_max);
    if !view.under_way.takes(counted, games, fuel) {
        return Err(ContestError::TooMuch { games, fuel });
    }
    let (games, fuel) = (limits.contest_games_per_day_max, limits.contest_fuel_per_day_max);
    if !view.today.takes(counted, games, fuel) {
        let again_in = now.seconds_until(view.first_today.unwrap_or(now).later(DAY_SECONDS));
        return Err(ContestError::TooMuchToday { games, fuel, again_in });
    }
    Ok(())
}

/// Whether a log accepts an event at the place `seq`; `next` is its next one.
pub(crate) fn may_append(is_over: bool, next: u64, seq: u32) -> Result<(), ContestError> {
    if seq >= CONTEST_EVENTS_MAX || is_over {
        return Err(ContestError::Over);
    }
    if u64::from(seq) == next { Ok(()) } else { Err(ContestError::Taken) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Phase;

    const NOW: UnixSeconds = UnixSeconds(1_000_000);
    const LIMITS: Limits = Limits::DEFAULT;
    const NOTHING: Usage = Usage { games: 0, fuel: 0 };
    const VIEW: OpenView = OpenView {
        closed: false,
        disabled: Some(false),
        own: 0,
        all: 0,
        under_way: NOTHING,
        today: NOTHING,
        first_today: None,
    };

    fn decided(view: OpenView, games: u32, fuel: u64) -> Result<(), String> {
        let counted = Counted { phase: Phase::Entry, games, fuel };
        may_open(&view, &LIMITS, &counted, NOW).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn every_quota_holds_at_its_edge() {
        let Limits { contests_max, contests_per_account_max, .. } = LIMITS;
        let Limits { contest_games_max, contest_fuel_max, .. } = LIMITS;
        let Limits { contest_games_per_day_max, contest_fuel_per_day_max, .. } = LIMITS;
        let today = |today| OpenView { today, first_today: Some(UnixSeconds(NOW.0 - 60)), ..VIEW };
        type Case<'a> = (&'a dyn Fn(u64) -> OpenView, u64, &'a str);
        let cases: [Case<'_>; 6] = [
            (&|all| OpenView { all, ..VIEW }, contests_max.into(), "TooMany("),
            (&|own| OpenView { own, ..VIEW }, contests_per_account_max.into(), "TooManyOfAccount("),
            (&|games| OpenView { under_way: Usage { games, fuel: 0 }, ..VIEW }, contest_games_max.into(), "TooMuch {"),
            (&|fuel| OpenView { under_way: Usage { games: 0, fuel }, ..VIEW }, contest_fuel_max, "TooMuch {"),
            (&|games| today(Usage { games, fuel: 0 }), contest_games_per_day_max.into(), "again_in: 86340"),
            (&|fuel| today(Usage { games: 0, fuel }), contest_fuel_per_day_max, "again_in: 86340"),
        ];
        for (view, full, code) in cases {
            assert_eq!(decided(view(full - 1), 1, 1), Ok(()), "{code}");
            assert!(decided(view(full), 1, 1).is_err_and(|error| error.contains(code)), "{code}");
        }
        assert!(decided(VIEW, u32::MAX, u64::MAX).is_err_and(|error| error.contains("TooMuch {")));
    }

    #[test]
    fn what_is_closed_or_disabled_is_refused() {
        for (view, code) in [
            (OpenView { disabled: None, closed: true, ..VIEW }, "NoSuchAccount"),
            (OpenView { disabled: Some(true), closed: true, ..VIEW }, "Disabled"),
            (OpenView { closed: true, ..VIEW }, "Closed"),
        ] {
            assert_eq!(decided(view, 0, 0), Err(code.into()));
        }
    }

    #[test]
    fn of_events_for_one_place_the_first_gets_it_and_a_log_has_an_end() {
        let decided = |is_over, next, seq| may_append(is_over, next, seq).map_err(|error| format!("{error:?}"));
        assert_eq!(decided(false, 3, 3), Ok(()));
        for seq in [2, 4] {
            assert_eq!(decided(false, 3, seq), Err("Taken".into()));
        }
        assert_eq!(decided(true, 3, 3), Err("Over".into()));
        let end = CONTEST_EVENTS_MAX;
        assert_eq!(decided(false, u64::from(end) - 1, end - 1), Ok(()));
        assert_eq!(decided(false, end.into(), end), Err("Over".into()));
    }
}
