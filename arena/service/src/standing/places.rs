//! Which bots get a place in an edition when more are active than can play. Pure.
//!
//! Copies cannot fill it. Modules that differ in custom sections alone count as one, and so do scripts that differ in
//! comments and spaces alone; the one whose owner submitted it first plays. An owner has a few places. The rest goes by
//! merit: bots of the last edition keep their places in the order of their ranks there. A part of the places is for
//! newcomers. If there are more newcomers than that, they play a few qualifying games against built-in opponents
//! (`qualifying.rs`), and the best of them are tried in an edition. So whatever is submitted, the best of the last
//! edition play on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use arena_store::{AccountId, UnixSeconds};

use crate::cores::Core;

/// One in this many places is for newcomers.
const NEWCOMERS_PART: usize = 4;

/// An active bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) owner: AccountId,
    pub(super) core: Core,
    /// When its owner first submitted this core. Looked up only if several candidates have it.
    pub(super) since: UnixSeconds,
}

/// What is known from the kept editions and the newcomers' games.
#[derive(Clone, Default, Debug)]
pub(super) struct Merit {
    /// The place of each bot of the last edition, from 0.
    pub(super) ranks: BTreeMap<String, usize>,
    /// The cores that played in any edition.
    pub(super) tried: BTreeSet<Core>,
    /// Newcomers' scores against built-in opponents, in millionths of the maximum.
    pub(super) scores: BTreeMap<Core, u64>,
}

/// Why a candidate has no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Out {
    /// It has the same core as this candidate.
    Copy(usize),
    /// Its owner's other bots take the owner's places.
    Owner,
    /// It is new, and other newcomers come first.
    Newcomer,
    /// It was tried, and others were better.
    Beaten,
}

/// Which candidates play, by their numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Choice {
    /// The candidates that play, in order.
    pub(super) chosen: Vec<usize>,
    /// All others, in the same order.
    pub(super) out: Vec<(usize, Out)>,
    /// Newcomers without a score, if there are more newcomers than places for them, in the order of their turns.
    pub(super) unscored: Vec<usize>,
}

/// Chooses from bots, given the oldest first, those that play.
pub(super) fn choose(candidates: &[Candidate], merit: &Merit, places: usize, of_owner_max: usize) -> Choice {
    let rank = |bot: &usize| merit.ranks.get(&candidates[*bot].name).copied();
    let was_tried = |bot: &usize| merit.tried.contains(&candidates[*bot].core);
    let score = |bot: &usize| merit.scores.get(&candidates[*bot].core).copied();
    let mut out = BTreeMap::new();
    // Until no original is beyond its owner's places: where one is, the next bot with its core plays.
    let (originals, by_merit) = loop {
        let originals = originals(candidates, &out);
        // An owner's best ranked bots come first, then newcomers, then other bots that were tried; the oldest first in
        // each group.
        let mut by_merit: Vec<usize> = originals.values().copied().collect();
        by_merit.sort_by_key(|bot| (rank(bot).unwrap_or(usize::MAX), was_tried(bot), *bot));
        let mut of_owner: BTreeMap<AccountId, usize> = BTreeMap::new();
        by_merit.retain(|bot| {
            let owned = of_owner.entry(candidates[*bot].owner).or_default();
            *owned += 1;
            *owned <= of_owner_max || out.insert(*bot, Out::Owner).is_some()
        });
        if by_merit.len() == originals.len() {
            break (originals, by_merit);
        }
    };
    let (ranked, others): (Vec<usize>, Vec<usize>) = by_merit.into_iter().partition(|bot| rank(bot).is_some());
    let (tried, mut newcomers): (Vec<usize>, Vec<usize>) = others.into_iter().partition(was_tried);
    let mut owned: BTreeMap<AccountId, usize> = BTreeMap::new();
    // Owners whose bots were tried already have later turns.
    for bot in (0..candidates.len()).filter(|bot| rank(bot).is_some() || was_tried(bot)) {
        *owned.entry(candidates[bot].owner).or_default() += 1;
    }
    newcomers.sort_by_cached_key(|bot| {
        let owned = owned.entry(candidates[*bot].owner).or_default();
        *owned += 1;
        (*owned, *bot)
    });
    let without_score: Vec<usize> = newcomers.iter().copied().filter(|bot| score(bot).is_none()).collect();
    // Equal scores keep the order of turns.
    newcomers.sort_by_key(|bot| Reverse(score(bot)));
    let kept_free = newcomers.len().min(places.div_ceil(NEWCOMERS_PART));
    let stay = ranked.iter().take(places.saturating_sub(kept_free));
    let next = newcomers.iter().chain(ranked.iter().skip(places.saturating_sub(kept_free))).chain(&tried);
    let in_turn: Vec<usize> = stay.chain(next).copied().collect();
    let (chosen, beyond) = in_turn.split_at(in_turn.len().min(places));
    for bot in beyond {
        let is_new = rank(bot).is_none() && !was_tried(bot);
        out.insert(*bot, if is_new { Out::Newcomer } else { Out::Beaten });
    }
    for (bot, candidate) in candidates.iter().enumerate() {
        if let Some(original) = originals.get(&candidate.core).filter(|original| **original != bot) {
            out.entry(bot).or_insert(Out::Copy(*original));
        }
    }
    let too_many = out.values().any(|why| *why == Out::Newcomer);
    let mut chosen = chosen.to_vec();
    chosen.sort_unstable();
    Choice { chosen, out: out.into_iter().collect(), unscored: if too_many { without_score } else { Vec::new() } }
}

/// The candidate that plays for each core: of those that are not out, the one whose owner had it first.
fn originals(candidates: &[Candidate], out: &BTreeMap<usize, Out>) -> BTreeMap<Core, usize> {
    let mut originals: BTreeMap<Core, usize> = BTreeMap::new();
    for (bot, candidate) in candidates.iter().enumerate().filter(|(bot, _)| !out.contains_key(bot)) {
        let original = originals.entry(candidate.core).or_insert(bot);
        // In the same second, the older bot.
        if candidate.since < candidates[*original].since {
            *original = bot;
        }
    }
    originals
}

#[cfg(test)]
mod tests {
    use arena_record::Hex;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const OF_OWNER: usize = 3;

    fn bot(number: u64, owner: i64, core: u64) -> Candidate {
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&core.to_le_bytes());
        let since = UnixSeconds(number as i64);
        Candidate { name: format!("bot {number}"), owner: AccountId(owner), core: Hex(hash), since }
    }

    /// Plays an edition in which the chosen are ranked by their strength: the lower the number, the better.
    fn played(merit: &mut Merit, candidates: &[Candidate], chosen: &[usize], strength: impl Fn(usize) -> u64) {
        let mut order = chosen.to_vec();
        order.sort_by_key(|bot| strength(*bot));
        merit.ranks = order.iter().enumerate().map(|(rank, bot)| (candidates[*bot].name.clone(), rank)).collect();
        merit.tried.extend(chosen.iter().map(|bot| candidates[*bot].core));
    }

    #[test]
    fn a_strong_newcomer_is_tried_and_stays_although_a_flood_came_before_it() {
        let mut candidates: Vec<Candidate> = (0..8).map(|number| bot(number, number as i64, number)).collect();
        let mut merit = Merit::default();
        played(&mut merit, &candidates, &(0..8).collect::<Vec<_>>(), |bot| 10 + bot as u64);
        // Seven accounts with ten bots each, and after them one honest newcomer.
        candidates.extend((0..70).map(|number| bot(100 + number, 100 + number as i64 / 10, 100 + number)));
        candidates.push(bot(999, 999, 999));
        let newest = candidates.len() - 1;
        let strength = |bot: usize| if bot == newest { 0 } else { 10 + bot as u64 };
        let mut editions = 0;
        loop {
            let chosen = choose(&candidates, &merit, 8, OF_OWNER).chosen;
            played(&mut merit, &candidates, &chosen, strength);
            editions += 1;
            if chosen.contains(&newest) {
                break;
            }
        }
        assert_eq!(editions, 4, "the first bot of each owner comes before the second of any");
        let chosen = choose(&candidates, &merit, 8, OF_OWNER).chosen;
        assert!(chosen.contains(&newest), "it was the best");
    }

    #[test]
    fn an_older_bot_that_takes_the_bytes_of_the_leader_does_not_take_its_place() {
        let leader = bot(7, 1, 100);
        // A bot of another owner that is older, and played other bytes in the last edition.
        let copier = bot(3, 2, 50);
        let field = [copier.clone(), leader.clone()];
        let mut merit = Merit::default();
        played(&mut merit, &field, &[0, 1], |bot| 1 - bot as u64);
        let copy = Candidate { core: leader.core, since: UnixSeconds(90), ..copier };
        let choice = choose(&[copy.clone(), leader.clone()], &merit, 8, OF_OWNER);
        assert_eq!((choice.chosen, choice.out), (vec![1], vec![(0, Out::Copy(1))]), "the leader had it first");
        // The author withdraws it: the copy plays until the author's bot returns.
        assert_eq!(choose(std::slice::from_ref(&copy), &merit, 8, OF_OWNER).chosen, [0]);
        played(&mut merit, std::slice::from_ref(&copy), &[0], |_| 0);
        assert_eq!(choose(&[copy, leader], &merit, 8, OF_OWNER).chosen, [1]);
    }

    #[test]
    fn a_copy_plays_where_its_original_is_beyond_its_owners_places() {
        // Four bots of one owner, then a copy of the last by another, and a copy of that.
        let mut candidates: Vec<Candidate> = (0..4).map(|number| bot(number, 1, number)).collect();
        candidates.extend([bot(4, 2, 3), bot(5, 3, 3)]);
        let choice = choose(&candidates, &Merit::default(), 8, OF_OWNER);
        assert_eq!((choice.chosen, choice.out), (vec![0, 1, 2, 4], vec![(3, Out::Owner), (5, Out::Copy(4))]));
    }

    #[test]
    fn the_best_newcomer_is_tried_first_however_many_came_before_it() {
        let mut candidates: Vec<Candidate> = (0..8).map(|number| bot(number, number as i64, number)).collect();
        let mut merit = Merit::default();
        played(&mut merit, &candidates, &(0..8).collect::<Vec<_>>(), |bot| bot as u64);
        // Four hundred accounts with one bot each, and after them one honest newcomer.
        candidates.extend((100..500).map(|number| bot(number, number as i64, number)));
        candidates.push(bot(999, 999, 999));
        let newest = candidates.len() - 1;
        let choice = choose(&candidates, &merit, 8, OF_OWNER);
        assert_eq!(choice.unscored, (8..=newest).collect::<Vec<_>>(), "in the order of their turns");
        assert!(choice.out.contains(&(newest, Out::Newcomer)));
        // Some of them have played: newcomers with a score come before those without.
        merit.scores.extend(candidates[100..200].iter().map(|candidate| (candidate.core, 10)));
        merit.scores.insert(candidates[150].core, 20);
        let choice = choose(&candidates, &merit, 8, OF_OWNER);
        assert_eq!(choice.chosen, [0, 1, 2, 3, 4, 5, 100, 150]);
        assert_eq!(choice.unscored.len(), 401 - 100);
        merit.scores.extend(candidates[8..].iter().map(|candidate| (candidate.core, 10)));
        merit.scores.insert(candidates[newest].core, 900_000);
        let choice = choose(&candidates, &merit, 8, OF_OWNER);
        assert_eq!(choice.chosen, [0, 1, 2, 3, 4, 5, 8, newest], "equal scores go by their turns");
        assert!(choice.unscored.is_empty(), "{:?}", choice.unscored);
        // If there is a place for everybody, nobody has to qualify.
        let merit = Merit { scores: BTreeMap::new(), ..merit };
        assert!(choose(&candidates[..10], &merit, 10, OF_OWNER).unscored.is_empty());
    }

    mod slow {
        use super::*;

        proptest! {
            #[test]
            fn places_are_filled_within_the_limits_and_then_stay_as_they_are(
                bots in vec((0_i64..6, 0_u64..20), 0..40), places in 1_usize..20,
            ) {
                let bots = (0..).zip(bots);
                let candidates: Vec<Candidate> = bots.map(|(number, (owner, core))| bot(number, owner, core)).collect();
                let mut merit = Merit::default();
                let mut before = Vec::new();
                for _ in 0..candidates.len() + 2 {
                    let Choice { chosen, out, .. } = choose(&candidates, &merit, places, OF_OWNER);
                    prop_assert!(chosen.len() <= places && chosen.is_sorted());
                    let mut all: Vec<usize> = chosen.iter().copied().chain(out.iter().map(|(bot, _)| *bot)).collect();
                    all.sort_unstable();
                    prop_assert_eq!(all, (0..candidates.len()).collect::<Vec<_>>(), "everybody is in or out");
                    let cores: BTreeSet<Core> = chosen.iter().map(|bot| candidates[*bot].core).collect();
                    prop_assert_eq!(cores.len(), chosen.len(), "no two copies");
                    for owner in 0..6 {
                        let owned = chosen.iter().filter(|bot| candidates[**bot].owner == AccountId(owner)).count();
                        prop_assert!(owned <= OF_OWNER);
                    }
                    for (bot, why) in out {
                        match why {
                            Out::Copy(of) => {
                                prop_assert_eq!(candidates[of].core, candidates[bot].core);
                                prop_assert!(chosen.contains(&of) || chosen.len() == places);
                            }
                            Out::Owner => prop_assert!(
                                candidates.iter().filter(|other| other.owner == candidates[bot].owner).count() > OF_OWNER
                            ),
                            Out::Newcomer | Out::Beaten => prop_assert_eq!(chosen.len(), places),
                        }
                    }
                    before = chosen.clone();
                    played(&mut merit, &candidates, &chosen, |bot| bot as u64);
                }
                let again = choose(&candidates, &merit, places, OF_OWNER).chosen;
                prop_assert_eq!(again, before, "editions come to an end when nothing is submitted");
            }

            #[test]
            fn the_best_play_on_whatever_is_submitted(flood in vec((10_i64..60, 100_u64..1_000), 0..300)) {
                let honest = (0..16).map(|number| bot(number, number as i64 / 2, number));
                let mut candidates: Vec<Candidate> = honest.collect();
                let mut merit = Merit::default();
                let chosen = choose(&candidates, &merit, 16, OF_OWNER).chosen;
                played(&mut merit, &candidates, &chosen, |bot| bot as u64);
                let numbers = (100..).zip(flood);
                candidates.extend(numbers.map(|(number, (owner, core))| bot(number, owner, core)));
                for _ in 0..5 {
                    let chosen = choose(&candidates, &merit, 16, OF_OWNER).chosen;
                    prop_assert!((0..12).all(|best| chosen.contains(&best)), "{:?}", chosen);
                    played(&mut merit, &candidates, &chosen, |bot| bot as u64);
                }
            }
        }
    }
}
