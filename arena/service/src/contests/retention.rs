//! Which finished tournaments are forgotten. An account that starts many cannot push out those of others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arena_store::{AccountId, Contest, ContestId, UnixSeconds};

use super::DAY_SECONDS;
use crate::limits::{CONTESTS_CANCELLED_MAX, CONTESTS_CANCELLED_OF_ACCOUNT_MAX, CONTESTS_KEPT_MAX};

/// The finished tournaments to forget, in the order of their numbers.
///
/// Those cancelled before their start are counted apart. Of the rest, the oldest of the account with the most is
/// forgotten first, but none of the last 24 hours, because the quota counts those.
pub(crate) fn surplus(mut over: Vec<Contest>, now: UnixSeconds) -> Vec<ContestId> {
    over.sort_by_key(|contest| Reverse(contest.id));
    let (mut cancelled, mut of_account) = (0, BTreeMap::<AccountId, usize>::new());
    let (mut surplus, mut played) = (Vec::new(), BTreeMap::<AccountId, Vec<&Contest>>::new());
    for contest in &over {
        if contest.counted.games > 0 {
            // The newest first.
            played.entry(contest.owner).or_default().push(contest);
            continue;
        }
        let own = of_account.entry(contest.owner).or_default();
        if cancelled < CONTESTS_CANCELLED_MAX && *own < CONTESTS_CANCELLED_OF_ACCOUNT_MAX {
            (cancelled, *own) = (cancelled + 1, *own + 1);
        } else {
            surplus.push(contest.id);
        }
    }
    let mut kept: usize = played.values().map(Vec::len).sum();
    while kept > CONTESTS_KEPT_MAX {
        let old = played
            .values_mut()
            .filter(|own| own.last().is_some_and(|oldest| oldest.opened_at.0.saturating_add(DAY_SECONDS) <= now.0));
        let Some(most) = old.max_by_key(|own| (own.len(), own.last().map(|oldest| Reverse(oldest.id)))) else { break };
        surplus.extend(most.pop().map(|oldest| oldest.id));
        kept -= 1;
    }
    surplus.sort_unstable();
    surplus
}

#[cfg(test)]
mod tests {
    use arena_store::{Counted, DisplayName, Phase};

    use super::*;

    fn over(id: i64, owner: i64, games: u32, opened_at: i64) -> Contest {
        Contest {
            id: ContestId(id),
            owner: AccountId(owner),
            owner_name: DisplayName::parse("Ann").expect("a name"),
            name: "cup".into(),
            game: "conquerors@2".into(),
            opened_at: UnixSeconds(opened_at),
            counted: Counted { phase: Phase::Over, games, fuel: u64::from(games) },
        }
    }

    fn forgotten(over: Vec<Contest>, now: i64) -> Vec<i64> {
        surplus(over, UnixSeconds(now)).into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn who_opens_and_cancels_all_day_loses_only_these() {
        let kept = (1..=200).map(|id| over(id, id % 7, 2, 0));
        let cancelled = (201..=600).map(|id| over(id, 9, 0, 0));
        let surplus = forgotten(kept.chain(cancelled).collect(), DAY_SECONDS);
        assert_eq!(surplus, (201..=580).collect::<Vec<_>>());
    }

    #[test]
    fn all_cancelled_ones_together_are_bounded() {
        let cancelled = (1..=300).map(|id| over(id, id, 0, 0));
        assert_eq!(forgotten(cancelled.collect(), 0), (1..=100).collect::<Vec<_>>());
    }

    #[test]
    fn the_oldest_of_the_account_with_the_most_goes_first_and_none_that_a_quota_counts() {
        let one = (1..=3).map(|id| over(id, 1, 2, 0));
        let many: Vec<_> = (4..=203).map(|id| over(id, 2, 2, id)).collect();
        let all: Vec<_> = one.chain(many).collect();
        assert_eq!(forgotten(all.clone(), DAY_SECONDS + 203), [4, 5, 6]);
        // Of the account with many, only the first is old enough, so the accounts with few give the rest.
        assert_eq!(forgotten(all.clone(), DAY_SECONDS + 4), [1, 2, 4]);
        assert!(forgotten(all, DAY_SECONDS - 1).is_empty());
    }
}
