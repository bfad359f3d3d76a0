//! Who may claim games, which and for how long, and which of the submitted results counts.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use crate::{
    AskedGame, END_BYTES_MAX, GAMES_OF_A_CALL_MAX, JOB_BYTES_MAX, LEASE_MS_MAX, NewEnd, QueueError, REFUTED_VOIDS_MAX,
    Taken, VOLUNTEER_FIRST_GAMES, VOLUNTEER_GAMES_MAX, VOLUNTEER_LEASE_MS_MAX, WorkerError, WorkerName,
};

/// Whether a worker may be added. `quarantined` is the reason if one of this name gets no games.
pub(crate) fn may_add(is_taken: bool, quarantined: Option<String>) -> Result<(), WorkerError> {
    match quarantined {
        Some(reason) => Err(WorkerError::Quarantined(reason)),
        None if is_taken => Err(WorkerError::NameTaken),
        None => Ok(()),
    }
}

/// Whether a worker may use the queue. `quarantined` is the reason if it gets no games.
pub(crate) fn may_ask(worker: &WorkerName, quarantined: Option<String>) -> Result<(), QueueError> {
    quarantined.map_or(Ok(()), |reason| Err(refused(worker, reason)))
}

/// The error for a quarantined worker.
fn refused(worker: &WorkerName, reason: String) -> QueueError {
    match worker.volunteer() {
        Some(_) => QueueError::Banned { reason },
        None => QueueError::Quarantined { name: worker.clone(), reason },
    }
}

/// How many games a worker that holds `held` may claim of those that it asks for, and for how long.
pub(crate) fn granted(worker: &WorkerName, held: usize, games_max: usize, lease_ms: u64) -> (usize, u64) {
    match worker.volunteer() {
        Some(_) => (games_max.min(VOLUNTEER_GAMES_MAX.saturating_sub(held)), lease_ms.min(VOLUNTEER_LEASE_MS_MAX)),
        None => (games_max, lease_ms.min(LEASE_MS_MAX)),
    }
}

/// Games that a worker may claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claimable {
    /// Sampled ones that another of the site's own workers has played.
    Sampled,
    /// Those that nobody holds.
    Free,
    /// Those that a volunteer holds.
    Lent,
}

/// What a worker claims: each only where there is nothing of those before it.
pub(crate) fn claimable(worker: &WorkerName) -> &'static [Claimable] {
    match worker.volunteer() {
        Some(_) => &[Claimable::Free],
        None => &[Claimable::Sampled, Claimable::Free, Claimable::Lent],
    }
}

/// Whether a worker had the lease with a `token`, of a game that was claimed so many times, the last two times by
/// these. Who had earlier ones is not kept: the site's own workers are believed, a volunteer is not, for it might name
/// any game.
pub(crate) fn was_held(worker: &WorkerName, token: u64, claims: u64, [holder, before]: [Option<&str>; 2]) -> bool {
    let is = |name: Option<&str>| name == Some(worker.as_str());
    match claims.checked_sub(token) {
        _ if token == 0 => false,
        None => false,
        Some(0) => is(holder),
        Some(1) => is(before),
        Some(_) => worker.volunteer().is_none(),
    }
}

pub(crate) fn checked_count(count: usize) -> Result<(), QueueError> {
    if count > GAMES_OF_A_CALL_MAX { Err(QueueError::TooMany) } else { Ok(()) }
}

pub(crate) fn checked_games(games: &[AskedGame]) -> Result<(), QueueError> {
    checked_texts(games.iter().map(|game| game.job.len()), JOB_BYTES_MAX)
}

pub(crate) fn checked_ends(ends: &[NewEnd]) -> Result<(), QueueError> {
    checked_texts(ends.iter().map(|end| end.text.len()), END_BYTES_MAX)
}

fn checked_texts(mut bytes: impl ExactSizeIterator<Item = usize>, most: usize) -> Result<(), QueueError> {
    checked_count(bytes.len())?;
    bytes.find(|bytes| *bytes > most).map_or(Ok(()), |bytes| Err(QueueError::TooLong(bytes)))
}

/// Why a worker is quarantined if others contradict it.
pub(crate) const WRONG: &str = "it submitted a game that other workers played otherwise";

/// Why a volunteer is quarantined whose void games others play.
pub(crate) const VOID: &str = "it submitted games as void that the site's own workers played to a result";

/// One worker's result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Vote {
    pub(crate) worker: WorkerName,
    pub(crate) hash: Hex<32>,
    pub(crate) is_void: bool,
}

/// The outcome of the votes on a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judged {
    /// The result, if the votes settle on one.
    pub(crate) end: Option<Hex<32>>,
    /// Workers that were wrong.
    pub(crate) liars: BTreeSet<WorkerName>,
    /// Volunteers that say it is void, although one of the site's own workers has played it. A machine may fail once,
    /// so only [`REFUTED_VOIDS_MAX`](crate::REFUTED_VOIDS_MAX) of these make a liar.
    pub(crate) refuted: BTreeSet<WorkerName>,
}

/// Whether a volunteer's new result counts only once one of the site's own workers has played the game, too; `verified`
/// of its games are.
pub(crate) fn is_to_be_checked(end: &NewEnd, verified: u64) -> bool {
    end.is_sampled || end.is_void || verified < VOLUNTEER_FIRST_GAMES
}

/// Whether the votes on a game, whose result is now `end`, free it from its holder: it needs no other player, or not
/// this one.
pub(crate) fn is_freed(votes: &[Vote], end: Option<Hex<32>>, is_sampled: bool, holder: Option<&str>) -> bool {
    let is_own = |vote: &Vote| Some(vote.hash) == end && !vote.is_void && vote.worker.volunteer().is_none();
    let is_compared = is_sampled && votes.iter().any(is_own);
    (end.is_some() && !is_compared) || votes.iter().any(|vote| Some(vote.worker.as_str()) == holder)
}

/// Whether a volunteer is quarantined that called so many games void which the site's own workers have played.
pub(crate) fn is_refuted(voids: usize) -> bool {
    voids >= REFUTED_VOIDS_MAX
}

/// What became of a worker's result, once it was counted and the game's result is `end`.
pub(crate) fn taken(submitted: Hex<32>, end: Option<Hex<32>>, is_quarantined: bool) -> Taken {
    match end {
        Some(end) if end == submitted => Taken::Counts,
        Some(_) => Taken::Wrong,
        None if is_quarantined => Taken::Wrong,
        None => Taken::Disputed,
    }
}

/// The results that each worker submitted, without void ones.
fn said(votes: &[Vote]) -> BTreeMap<&WorkerName, BTreeSet<Hex<32>>> {
    let mut said: BTreeMap<&WorkerName, BTreeSet<Hex<32>>> = BTreeMap::new();
    for vote in votes.iter().filter(|vote| !vote.is_void) {
        said.entry(&vote.worker).or_default().insert(vote.hash);
    }
    said
}

/// Evaluates the votes on a game whose result was `before`. Once one of the site's own workers has played it to its
/// end, these decide. Until then a result counts if all volunteers agree on it, unless the game is to be `checked`.
pub(crate) fn judge(votes: &[Vote], before: Option<Hex<32>>, checked: bool) -> Judged {
    let (volunteers, own): (Vec<Vote>, Vec<Vote>) =
        votes.iter().cloned().partition(|vote| vote.worker.volunteer().is_some());
    let Judged { end, mut liars, .. } = decide(&own, before);
    let is_played = own.iter().any(|vote| !vote.is_void && !liars.contains(&vote.worker));
    let known = end.filter(|_| is_played);
    // Two volunteers may be the same person, so it means nothing how many of them agree.
    let theirs = said(&volunteers);
    let is_wrong = |ends: &BTreeSet<Hex<32>>| ends.len() > 1 || known.is_some_and(|end| !ends.contains(&end));
    liars.extend(theirs.iter().filter(|(_, ends)| is_wrong(ends)).map(|(worker, _)| (*worker).clone()));
    let agreed: BTreeSet<Hex<32>> = theirs.into_values().flatten().collect();
    let counts = !is_played && !checked && agreed.len() == 1;
    let void = volunteers.iter().filter(|vote| is_played && vote.is_void);
    let refuted = void.map(|vote| vote.worker.clone()).collect();
    Judged { end: if counts { agreed.first().copied() } else { end }, liars, refuted }
}

/// Evaluates the votes of the site's own workers. A played game replaces a void one, which says only that a process
/// died. A result counts if none contradicts it, or if more workers than for any other submitted it, and at least two.
/// A worker that submitted two different results is wrong in any case.
fn decide(votes: &[Vote], before: Option<Hex<32>>) -> Judged {
    let said = said(votes);
    let mut liars: BTreeSet<WorkerName> =
        said.iter().filter(|(_, ends)| ends.len() > 1).map(|(worker, _)| (*worker).clone()).collect();
    let mut backed: BTreeMap<Hex<32>, usize> = BTreeMap::new();
    for (_, ends) in said.iter().filter(|(worker, _)| !liars.contains(**worker)) {
        ends.iter().for_each(|end| *backed.entry(*end).or_default() += 1);
    }
    let most = backed.values().copied().max().unwrap_or(0);
    let leading: Vec<Hex<32>> = backed.iter().filter(|(_, count)| **count == most).map(|(end, _)| *end).collect();
    let end = match (backed.len(), leading.as_slice()) {
        (0, _) => {
            let mut void = votes.iter().filter(|vote| vote.is_void && !liars.contains(&vote.worker));
            let kept = void.clone().find(|vote| Some(vote.hash) == before);
            kept.or_else(|| void.next()).map(|vote| vote.hash)
        }
        (1, _) => leading.first().copied(),
        (_, [one]) if most > 1 => Some(*one),
        _ => None,
    };
    if let Some(end) = end.filter(|end| backed.contains_key(end)) {
        liars.extend(said.iter().filter(|(_, ends)| !ends.contains(&end)).map(|(worker, _)| (*worker).clone()));
    }
    Judged { end, liars, refuted: BTreeSet::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AccountId;
    use crate::queue::VOLUNTEER;

    fn name(text: &str) -> WorkerName {
        match text.parse() {
            Ok(account) => WorkerName::of_volunteer(AccountId(account)),
            Err(_) => WorkerName::parse(text).expect(text),
        }
    }

    /// Votes as a text: each is a worker, and a digit for a result or `-` for void. Volunteers' names are digits.
    fn judged(votes: &str, before: Option<u8>) -> (Option<u8>, String) {
        judged_if(votes, before, false)
    }

    fn judged_if(votes: &str, before: Option<u8>, checked: bool) -> (Option<u8>, String) {
        let vote = |word: &str| {
            let (worker, end) = word.split_at(1);
            let is_void = end.starts_with('-');
            let number = end.trim_start_matches('-').parse().unwrap_or(99);
            Vote { worker: name(worker), hash: Hex([number; 32]), is_void }
        };
        let votes: Vec<Vote> = votes.split_whitespace().map(vote).collect();
        let Judged { end, liars, refuted } = judge(&votes, before.map(|end| Hex([end; 32])), checked);
        assert!(refuted.iter().all(|name| name.volunteer().is_some()));
        let short = |name: &WorkerName| name.as_str().trim_start_matches(VOLUNTEER).to_string();
        (end.map(|end| end.0[0]), liars.iter().map(short).collect())
    }

    #[test]
    fn an_end_counts_that_nobody_contradicts_or_that_most_submitted() {
        for (votes, end, liars) in [
            ("", None, ""),
            ("a1", Some(1), ""),
            ("a1 b1", Some(1), ""),
            ("a1 b2", None, ""),
            ("a1 b2 c1", Some(1), "b"),
            ("a1 b2 c3", None, ""),
            ("a1 b2 c3 d2", Some(2), "ac"),
            ("a1 b1 c2 d2", None, ""),
            ("a1 a2", None, "a"),
            ("a1 a2 b1", Some(1), "a"),
            ("a1 a2 b3 c1", None, "a"),
            ("a-", Some(99), ""),
            ("a- b1", Some(1), ""),
            ("a- b1 c2", None, ""),
        ] {
            assert_eq!(judged(votes, None), (end, liars.into()), "{votes}");
        }
        assert_eq!(judged("a-7 b-8", Some(8)), (Some(8), String::new()), "a void game stays as it was");
        assert_eq!(judged("a-7 b-8", None), (Some(7), String::new()));
    }

    #[test]
    fn a_volunteers_word_counts_until_one_of_the_sites_own_has_played_the_game() {
        for (votes, end, checked, liars) in [
            ("71", Some(1), None, ""),
            ("71 81", Some(1), None, ""),
            ("71 82", None, None, ""),
            ("71 82 92", None, None, ""),
            ("71 a1", Some(1), Some(1), ""),
            ("71 81 91 a2", Some(2), Some(2), "789"),
            ("71 a1 b2", None, None, ""),
            ("71 a1 b2 c2", Some(2), Some(2), "a7"),
            ("71 72", None, None, "7"),
            ("71 a-", Some(1), Some(99), ""),
            ("7-", None, None, ""),
            ("7- a1", Some(1), Some(1), ""),
        ] {
            assert_eq!(judged_if(votes, None, false), (end, liars.into()), "{votes}");
            assert_eq!(judged_if(votes, None, true), (checked, liars.into()), "{votes}, checked");
        }
    }
    #[test]
    fn a_quarantined_worker_is_neither_added_nor_served() {
        let added = |is_taken, reason: Option<&str>| may_add(is_taken, reason.map(str::to_owned)).err();
        assert!(added(false, None).is_none());
        assert!(matches!(added(true, None), Some(WorkerError::NameTaken)));
        assert!(matches!(added(true, Some("why")), Some(WorkerError::Quarantined(reason)) if reason == "why"));
        assert!(may_ask(&name("a"), None).is_ok());
        assert!(matches!(may_ask(&name("a"), Some("why".into())), Err(QueueError::Quarantined { .. })));
        assert!(matches!(may_ask(&name("7"), Some("why".into())), Err(QueueError::Banned { .. })));
    }

    #[test]
    fn a_volunteer_holds_few_games_for_a_short_time_and_takes_none_from_others() {
        assert_eq!(granted(&name("a"), 0, 1_000, u64::MAX), (1_000, LEASE_MS_MAX));
        assert_eq!(granted(&name("7"), 0, 1_000, u64::MAX), (VOLUNTEER_GAMES_MAX, VOLUNTEER_LEASE_MS_MAX));
        assert_eq!(granted(&name("7"), VOLUNTEER_GAMES_MAX + 1, 1, 1), (0, 1));
        assert_eq!(claimable(&name("7")), [Claimable::Free]);
        assert_eq!(claimable(&name("a")), [Claimable::Sampled, Claimable::Free, Claimable::Lent]);
    }

    #[test]
    fn a_result_is_from_somebody_who_had_the_game() {
        let held = |who: &str, token| was_held(&name(who), token, 5, [Some("b"), Some("a")]);
        assert_eq!([held("b", 5), held("a", 5), held("a", 4), held("b", 4)], [true, false, true, false]);
        assert_eq!([held("c", 3), held("7", 3)], [true, false], "a volunteer might name any game");
        assert_eq!([held("b", 0), held("b", 6)], [false, false]);
    }

    #[test]
    fn the_first_games_of_a_volunteer_and_samples_are_checked() {
        let key = Hex([0; 32]);
        let lease = crate::Lease { tournament: crate::TournamentId::parse("cup-1").expect("an id"), key, token: 1 };
        let end = NewEnd { lease, is_void: false, is_sampled: false, text: String::new() };
        assert!(is_to_be_checked(&end, VOLUNTEER_FIRST_GAMES - 1) && !is_to_be_checked(&end, VOLUNTEER_FIRST_GAMES));
        assert!(is_to_be_checked(&NewEnd { is_void: true, ..end.clone() }, u64::MAX));
        assert!(is_to_be_checked(&NewEnd { is_sampled: true, ..end }, u64::MAX));
        assert!(is_refuted(REFUTED_VOIDS_MAX) && !is_refuted(REFUTED_VOIDS_MAX - 1));
    }

    #[test]
    fn a_game_is_freed_with_its_result_unless_another_is_to_play_it_too() {
        let vote = |who: &str| Vote { worker: name(who), hash: Hex([1; 32]), is_void: false };
        let freed = |who: &str, end: Option<u8>, is_sampled, holder| {
            is_freed(&[vote(who)], end.map(|end| Hex([end; 32])), is_sampled, holder)
        };
        assert!(freed("a", Some(1), false, Some("b")) && !freed("a", Some(1), true, Some("b")));
        assert!(freed("7", Some(1), true, Some("b")), "none of the site's own has played it");
        assert!(!freed("a", None, false, Some("b")) && freed("a", None, false, Some("a")));
        let end = |end: u8| Some(Hex([end; 32]));
        for (counted, is_quarantined, became) in [
            (end(1), true, Taken::Counts),
            (end(2), false, Taken::Wrong),
            (None, true, Taken::Wrong),
            (None, false, Taken::Disputed),
        ] {
            assert_eq!(taken(Hex([1; 32]), counted, is_quarantined), became);
        }
    }
}
