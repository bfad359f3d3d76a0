//! Who may open a tournament, and what its log accepts.

use crate::limits::DAY_SECONDS;
use crate::{CONTEST_EVENTS_MAX, ContestError, Counted, Limits, StoreError, UnixSeconds};

/// What decides on the opening of a tournament, at one moment.
#[derive(Clone, Default, Debug)]
pub(crate) struct OpenView {
    /// Whether the operator has closed starting tournaments.
    pub(crate) closed: bool,
    /// Whether the owner is disabled; `None` if there is no such account.
    pub(crate) disabled: Option<bool>,
    /// Whether the disk has room for something new.
    pub(crate) has_space: bool,
    /// Unfinished tournaments of the owner.
    pub(crate) own: u64,
    /// All unfinished tournaments.
    pub(crate) all: u64,
    /// What these may use.
    pub(crate) under_way: Usage,
    /// What each of those may use that the owner opened within a day, and when it was opened; the earliest first.
    pub(crate) today: Vec<(UnixSeconds, Usage)>,
}

/// What the games of tournaments may use.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Usage {
    pub(crate) games: u64,
    pub(crate) fuel: u64,
}

impl Usage {
    /// Whether this is within limits with what one more tournament may use, where that is something.
    fn takes(self, more: &Counted, games_max: u32, fuel_max: u64) -> bool {
        let games = more.games == 0 || self.games.saturating_add(more.games.into()) <= games_max.into();
        games && (more.fuel == 0 || self.fuel.saturating_add(more.fuel) <= fuel_max)
    }

    fn and(self, other: Usage) -> Usage {
        Usage { games: self.games.saturating_add(other.games), fuel: self.fuel.saturating_add(other.fuel) }
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
    if !view.has_space {
        return Err(StoreError::NoSpace.into());
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
    let used = |today: &[(UnixSeconds, Usage)]| today.iter().fold(Usage::default(), |sum, (_, one)| sum.and(*one));
    if used(&view.today).takes(counted, games, fuel) {
        return Ok(());
    }
    // The first moment at which enough of them are a day old. An operator may have lowered the limit, even below this.
    let rest = (1..=view.today.len()).find(|gone| used(&view.today[*gone..]).takes(counted, games, fuel));
    let last = rest.and_then(|gone| view.today.get(gone - 1)).ok_or(ContestError::TooLarge { games, fuel })?;
    Err(ContestError::TooMuchToday { games, fuel, again_in: now.seconds_until(last.0.later(DAY_SECONDS)) })
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

    fn view() -> OpenView {
        OpenView { disabled: Some(false), has_space: true, ..OpenView::default() }
    }

    fn decided(view: OpenView, games: u32, fuel: u64) -> Result<(), String> {
        let counted = Counted { phase: Phase::Entry, games, fuel };
        may_open(&view, &LIMITS, &counted, NOW).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn every_quota_holds_at_its_edge() {
        let Limits { contests_max, contests_per_account_max, .. } = LIMITS;
        let Limits { contest_games_max, contest_fuel_max, .. } = LIMITS;
        let Limits { contest_games_per_day_max, contest_fuel_per_day_max, .. } = LIMITS;
        let today = |today| OpenView { today: vec![(UnixSeconds(NOW.0 - 60), today)], ..view() };
        type Case<'a> = (&'a dyn Fn(u64) -> OpenView, u64, &'a str);
        let cases: [Case<'_>; 6] = [
            (&|all| OpenView { all, ..view() }, contests_max.into(), "TooMany("),
            (&|own| OpenView { own, ..view() }, contests_per_account_max.into(), "TooManyOfAccount("),
            (
                &|games| OpenView { under_way: Usage { games, fuel: 0 }, ..view() },
                contest_games_max.into(),
                "TooMuch {",
            ),
            (&|fuel| OpenView { under_way: Usage { games: 0, fuel }, ..view() }, contest_fuel_max, "TooMuch {"),
            (&|games| today(Usage { games, fuel: 0 }), contest_games_per_day_max.into(), "again_in: 86340"),
            (&|fuel| today(Usage { games: 0, fuel }), contest_fuel_per_day_max, "again_in: 86340"),
        ];
        for (view, full, code) in cases {
            assert_eq!(decided(view(full - 1), 1, 1), Ok(()), "{code}");
            assert!(decided(view(full), 1, 1).is_err_and(|error| error.contains(code)), "{code}");
        }
        assert!(decided(view(), u32::MAX, u64::MAX).is_err_and(|error| error.contains("TooMuch {")));
    }

    #[test]
    fn what_is_closed_or_disabled_is_refused() {
        for (view, code) in [
            (OpenView { disabled: None, closed: true, ..view() }, "NoSuchAccount"),
            (OpenView { disabled: Some(true), closed: true, ..view() }, "Disabled"),
            (OpenView { closed: true, has_space: false, ..view() }, "Closed"),
        ] {
            assert_eq!(decided(view, 0, 0), Err(code.into()));
        }
        let full = OpenView { has_space: false, all: u64::MAX, ..view() };
        assert!(decided(full, 0, 0).is_err_and(|error| error.contains("NoSpace")));
    }

    #[test]
    fn a_limit_below_what_a_day_has_already_is_kept_to_and_says_when_there_is_room() {
        let max = LIMITS.contest_games_per_day_max;
        let of = |age, games| (UnixSeconds(NOW.0 - age), Usage { games, fuel: 0 });
        let today = vec![of(90, 7), of(60, max.into()), of(30, 1)];
        let view = OpenView { today, ..view() };
        assert!(decided(view.clone(), 1, 0).is_err_and(|error| error.contains("again_in: 86340")));
        assert_eq!(decided(view.clone(), 0, 0), Ok(()), "what counts for nothing is always within");
        let alone = decided(view, max + 1, 0);
        assert!(alone.is_err_and(|error| error.contains("TooLarge {")), "no time helps");
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
