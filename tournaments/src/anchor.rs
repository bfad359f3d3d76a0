//! The zero of ratings.
//!
//! Games only show differences of strengths. Without an anchor, zero is the mean of the field, so the same bytes have
//! another number in every field. An anchor is a bot, or several, whose mean has a given rating. All ratings move by
//! the same amount, so points, ranks, leads and likelihoods stay; intervals become those of the difference to the
//! anchor. It holds only if all of it takes part and the games bound how far its bots are apart; part of an anchor
//! would be another zero.

use arena_record::EntrantId;
use arena_wire::Game;
use serde::{Deserialize, Serialize};

use crate::Entrant;
use crate::bots::Bots;
use crate::note::{Note, Remark};
use crate::rating::PairResult;

/// Bots whose mean rating is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The bots, by their ids.
    pub bots: Vec<EntrantId>,
    /// Their mean rating, in Elo points.
    pub rating: i32,
}

/// Entrants whose mean rating is given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorSpec {
    /// Their names.
    pub entrants: Vec<String>,
    /// Their mean rating, in Elo points.
    #[serde(default)]
    pub rating: i32,
}

/// Where the ratings of a tournament have their zero.
#[derive(Clone, Default, Debug)]
pub(crate) enum Scale {
    /// In the mean of the field, for want of an anchor.
    #[default]
    Field,
    /// There, too, because the anchor does not hold: the reason.
    Adrift(Note),
    /// In an anchor.
    Held {
        /// Its bots, by their numbers.
        bots: Vec<usize>,
        /// Their mean rating, in Elo points.
        rating: i32,
        /// Their names.
        names: String,
    },
}

impl Anchor {
    /// The anchor of a game, if it names one.
    pub fn of_game(ruleset: &str) -> Option<Anchor> {
        let parsed = |named: &&str| {
            let (name, version) = named.split_once('@')?;
            Some(EntrantId::of_baseline(name, version.parse().ok()?))
        };
        let named = Game::named(ruleset).ok()?.anchor;
        let bots: Vec<EntrantId> = named.iter().filter_map(parsed).collect();
        (!bots.is_empty()).then_some(Anchor { bots, rating: 0 })
    }
}

impl Scale {
    /// The scale of these entrants after games with these results.
    pub(crate) fn of(anchor: Option<&Anchor>, entrants: &[Entrant], bots: &Bots, pairs: &[PairResult]) -> Scale {
        let Some(Anchor { bots: ids, rating }) = anchor else { return Scale::Field };
        let (mut found, mut names) = (Vec::new(), Vec::new());
        for id in ids {
            let Some(entrant) = entrants.iter().position(|entrant| entrant.id == *id) else {
                let name = named(id, "a bot of the anchor");
                let text = format!("not anchored: {name:?} does not take part");
                return Scale::Adrift(Note::meaning(&text, Remark::AnchorAway(name)));
            };
            if !found.contains(&bots.bot(entrant)) {
                found.push(bots.bot(entrant));
                names.push(named(id, entrants[entrant].shown()));
            }
        }
        match unbounded(bots.count(), pairs, &found) {
            Some(place) => {
                let name = names.swap_remove(place);
                let text = format!("not anchored: the games do not bound {name:?} on both sides");
                Scale::Adrift(Note::meaning(&text, Remark::AnchorUnbound(name)))
            }
            None => Scale::Held { bots: found, rating: *rating, names: names.join(", ") },
        }
    }

    /// The bots of the anchor, if it holds.
    pub(crate) fn bots(&self) -> Option<&[usize]> {
        match self {
            Scale::Held { bots, .. } => Some(bots),
            Scale::Field | Scale::Adrift(_) => None,
        }
    }

    /// What files say of it; `None` without an anchor.
    pub(crate) fn said(&self) -> Option<String> {
        match self {
            Scale::Field => None,
            Scale::Adrift(why) => Some(why.text.clone()),
            Scale::Held { rating, names, .. } => Some(format!("{rating} in the mean of {names}")),
        }
    }
}

/// A bot's name with its version, if it is built in.
fn named(id: &EntrantId, otherwise: &str) -> String {
    id.baseline().map_or_else(|| otherwise.into(), |(name, version)| format!("{name}@{version}"))
}

/// The place of a bot of the anchor that the games do not hold, if there is one. They hold bots together if points went
/// from each to each other one, directly or by way of others: then no likelihood grows without limit when some of them
/// move away. A single bot must have won points and lost points.
fn unbounded(bots: usize, pairs: &[PairResult], anchor: &[usize]) -> Option<usize> {
    // Whom a bot took points from, and whom it gave points to.
    let (mut took, mut gave) = (vec![Vec::new(); bots], vec![Vec::new(); bots]);
    for PairResult { first, second, games, half_points } in pairs {
        for (winner, loser, points) in [(*first, *second, *half_points), (*second, *first, 2 * games - half_points)] {
            if points > 0 {
                took[winner].push(loser);
                gave[loser].push(winner);
            }
        }
    }
    let first = *anchor.first()?;
    let reached = |along: &[Vec<usize>]| {
        let (mut reached, mut next) = (vec![false; bots], vec![first]);
        while let Some(bot) = next.pop() {
            for other in &along[bot] {
                if !std::mem::replace(&mut reached[*other], true) {
                    next.push(*other);
                }
            }
        }
        reached
    };
    let (down, up) = (reached(&took), reached(&gave));
    let is_held = |bot: usize| match anchor.len() {
        1 => !took[bot].is_empty() && !gave[bot].is_empty(),
        _ => down[bot] && up[bot],
    };
    anchor.iter().position(|bot| !is_held(*bot))
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;
    use crate::testing::{Trials, by_strength, entrants, play};
    use crate::{Format, Ladder, Rating, RoundRobin, ScheduledGame, Settled, Standings, Swiss, TieBreaks, Value};

    fn anchored(settled: &Settled, names: &[Entrant], members: &[usize], rating: i32) -> Settled {
        let bots = members.iter().map(|one| names[*one].id.clone()).collect();
        let mut settled = settled.clone();
        settled.anchor = Some(Anchor { bots, rating });
        settled
    }

    fn rating(standings: &Standings, name: &str) -> Rating {
        let row = standings.rows.iter().find(|row| row.name == name).expect("an entrant");
        match standings.value(row, "rating") {
            Some(Value::Rating(rating)) => *rating,
            other => panic!("{other:?}"),
        }
    }

    /// Columns about strengths and points.
    const ALL: [&str; 7] = ["rating", "strength", "rank", "games", "points", "lead", "superiority"];

    /// Values as text, of each row.
    fn values(standings: &Standings, columns: &[&str]) -> Vec<String> {
        let of = |row| columns.iter().map(move |column| standings.value(row, column).map(ToString::to_string));
        standings.rows.iter().flat_map(|row| of(row).map(Option::unwrap_or_default)).collect()
    }

    #[test]
    fn every_game_names_an_anchor() {
        for game in arena_wire::GAMES {
            let anchor = Anchor::of_game(game.ruleset).expect("it names some");
            assert_eq!((anchor.bots.len(), anchor.rating), (game.anchor.len(), 0), "{}", game.ruleset);
        }
        assert_eq!(Anchor::of_game("chess@1"), None);
    }

    #[test]
    fn an_anchor_moves_all_ratings_by_the_same_amount_and_nothing_else() {
        let tie_breaks = TieBreaks::default();
        let formats: [&dyn Format; 3] = [
            &RoundRobin::new(1, 6),
            &Swiss { seed: 1, pairs: 4, rounds: 6, tie_breaks },
            &Ladder { seed: 1, rounds: 20, stop: None },
        ];
        let names = entrants(8);
        for (number, format) in formats.into_iter().enumerate() {
            let trials = Trials::new(10, 7);
            for trial in 0..trials.count {
                let rng = &mut trials.rng((number as u64) << 32 | trial);
                let settled = play(format, &names, by_strength(rng, 0.15));
                let plain = format.standings(&names, &settled);
                for (members, wanted) in
                    [(&[3, 4, 5][..], 0), (&[4], 1_500), (&[2, 6], -700), (&[0, 1, 2, 3, 4, 5, 6, 7], 0)]
                {
                    let held = format.standings(&names, &anchored(&settled, &names, members, wanted));
                    let said = held.total("anchor").map(ToString::to_string).unwrap_or_default();
                    if said.starts_with("not anchored") {
                        assert_eq!(values(&held, &ALL), values(&plain, &ALL));
                        continue;
                    }
                    let order = |standings: &Standings| {
                        standings.rows.iter().map(|row| (row.rank, row.name.clone())).collect::<Vec<_>>()
                    };
                    assert_eq!(order(&held), order(&plain));
                    let same = ["rank", "games", "points", "lead", "superiority", "forfeits"];
                    assert_eq!(values(&held, &same), values(&plain, &same));
                    let estimates = names.iter().filter_map(|entrant| {
                        let [held, plain] = [rating(&held, &entrant.name), rating(&plain, &entrant.name)];
                        Some(held.tenths()? - plain.tenths()?)
                    });
                    let mut shifts: Vec<i64> = estimates.collect();
                    shifts.dedup();
                    assert_eq!(shifts.len(), 1, "{shifts:?}");
                    let of_anchor = members.iter().filter_map(|one| rating(&held, &names[*one].name).tenths());
                    let of_anchor: Vec<i64> = of_anchor.collect();
                    if of_anchor.len() == members.len() {
                        let sum = of_anchor.iter().sum::<i64>() - 10 * i64::from(wanted) * members.len() as i64;
                        assert!(sum.unsigned_abs() as usize <= members.len(), "rounded to tenths: {of_anchor:?}");
                    }
                    if let [single] = members {
                        let tenths = 10 * i64::from(wanted);
                        let wanted = Rating::Estimate { tenths, low: tenths, high: tenths };
                        assert_eq!(rating(&held, &names[*single].name), wanted, "the anchor itself has no interval");
                        // The interval of each other one is that of its lead over the anchor.
                        for pair in held.rows.windows(2).filter(|pair| pair[1].name == names[*single].name) {
                            let lead = held.value(&pair[0], "lead").expect("a lead");
                            let Value::Lead(Some(crate::Gap::Elo(lead))) = lead else { panic!("{lead:?}") };
                            let own = rating(&held, &pair[0].name);
                            let ends = |rating: Rating| [rating.low(), rating.high()];
                            for (own, lead) in ends(own).into_iter().zip(ends(*lead)) {
                                let apart = own.zip(lead).map_or(0, |(own, lead)| own - tenths - lead);
                                assert!(apart.abs() <= 2, "{own:?} {lead:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn part_of_an_anchor_is_none_and_the_file_says_why() {
        let (names, format) = (entrants(4), RoundRobin::new(1, 6));
        let winner = |game: &ScheduledGame| {
            let [one, other] = *game.seats.values() else { panic!("two seats") };
            // The first wins all of its games; among the others it alternates.
            Some(if one.min(other) == 0 || game.pair.is_multiple_of(2) { one.min(other) } else { one.max(other) })
        };
        let settled = play(&format, &names, winner);
        let plain = format.standings(&names, &settled);
        let mut missing = anchored(&settled, &names, &[1, 2], 0);
        missing.anchor.iter_mut().for_each(|anchor| anchor.bots.push(EntrantId::of_baseline("hard", 1)));
        let alone = anchored(&play(&RoundRobin::new(1, 6), &names, |_| None), &names, &[0], 0);
        for (settled, why) in [
            (&missing, "\"hard@1\" does not take part"),
            (&anchored(&settled, &names, &[1, 0], 0), "the games do not bound \"bot0\" on both sides"),
            (&anchored(&settled, &names, &[0], 0), "the games do not bound \"bot0\" on both sides"),
            (&anchored(&Settled::default(), &names, &[1], 0), "the games do not bound \"bot1\" on both sides"),
        ] {
            let standings = format.standings(&names, settled);
            let said = standings.total("anchor").map(ToString::to_string);
            assert_eq!(said, Some(format!("not anchored: {why}")));
            if !settled.is_empty() {
                assert_eq!(values(&standings, &ALL), values(&plain, &ALL), "the old zero stands");
            }
            assert!(standings.to_table().contains(&format!("not anchored: {why}\n")), "{}", standings.to_table());
            assert!(standings.to_csv().lines().all(|line| !line.contains(",yes")), "{}", standings.to_csv());
        }
        let held = format.standings(&names, &alone);
        assert_eq!(held.total("anchor").map(ToString::to_string), Some("0 in the mean of bot0".into()));
        assert!(held.to_csv().lines().skip(1).all(|line| line.contains(",yes")), "{}", held.to_csv());
        assert!(plain.total("anchor").is_none() && !plain.to_csv().contains("anchored"));
    }

    #[test]
    fn a_chain_of_points_holds_an_anchor_together_and_one_way_does_not() {
        let pair = |first, second, half_points| PairResult { first, second, games: 2, half_points };
        // 0 beats 1, 1 beats 2, 2 beats 3: held only once 3 takes points from 0.
        let mut pairs = vec![pair(0, 1, 4), pair(1, 2, 4), pair(2, 3, 4)];
        assert_eq!(unbounded(4, &pairs, &[1, 2]), Some(0));
        pairs.push(pair(0, 3, 3));
        assert_eq!([&[1, 2][..], &[0, 3], &[2]].map(|anchor| unbounded(4, &pairs, anchor)), [None; 3]);
        assert_eq!(unbounded(5, &pairs, &[0, 4]), Some(1), "the fifth has not played");
    }

    mod slow {
        use super::*;

        /// An edition of the first eight bots and of some others, of these strengths; with its games.
        fn edition(rng: &mut Rng, strengths: &[f64]) -> (Vec<Entrant>, Settled) {
            let (names, format) = (entrants(strengths.len()), RoundRobin::new(rng.word().into(), 15));
            let settled = play(&format, &names, |game| {
                let [first, second] = *game.seats.values() else { panic!("two seats") };
                let chance = crate::rating::expected(strengths[first], strengths[second]);
                Some(if f64::from(rng.word()) < chance * 4_294_967_296.0 { first } else { second })
            });
            (names, settled)
        }

        #[test]
        #[expect(clippy::print_stdout, reason = "how many were outside")]
        fn from_edition_to_edition_untouched_bots_stay_within_the_interval_of_the_difference() {
            let mut rng = Rng::new(&[12; 32], 1);
            let untouched = [-1.2, 0.9, -0.8, 0.1, 0.7, -0.3, 0.4, 1.6];
            let format = RoundRobin::new(1, 15);
            // How many differences were outside, and how far the mean bot moved from edition to edition: on the old
            // scale, and anchored.
            let (mut outside, mut all, mut moved) = (0, 0, [0, 0]);
            for _ in 0..6 {
                let mut before: Option<Vec<[Rating; 2]>> = None;
                for number in 0..20 {
                    // Others come and go, weak ones in one edition and strong ones in the next.
                    let level = if number % 2 == 0 { -1.5 } else { 1.5 };
                    let others = (0..4).map(|_| level + f64::from(rng.below(100)) / 100.0);
                    let strengths: Vec<f64> = untouched.into_iter().chain(others).collect();
                    let (names, settled) = edition(&mut rng, &strengths);
                    let both = [settled.clone(), anchored(&settled, &names, &[2, 3, 4], 0)];
                    let both = both.map(|settled| format.standings(&names, &settled));
                    assert_eq!(
                        both[1].total("anchor").map(ToString::to_string),
                        Some("0 in the mean of bot2, bot3, bot4".into())
                    );
                    let now = names[..untouched.len()]
                        .iter()
                        .map(|entrant| both.each_ref().map(|of| rating(of, &entrant.name)));
                    let now: Vec<[Rating; 2]> = now.collect();
                    for (before, now) in before.iter().flatten().zip(&now) {
                        for (scale, moved) in moved.iter_mut().enumerate() {
                            *moved += before[scale]
                                .tenths()
                                .zip(now[scale].tenths())
                                .map_or(0, |(one, other)| other - one)
                                .abs();
                        }
                        let half = |rating: Rating| Some((rating.high()? - rating.low()?) as f64 / 2.0);
                        let [one, other] = [before[1], now[1]];
                        let Some((one_half, other_half)) = half(one).zip(half(other)) else { continue };
                        let apart = one.tenths().zip(other.tenths()).map_or(0, |(one, other)| other - one) as f64;
                        all += 1;
                        outside += u32::from(apart.abs() > libm::hypot(one_half, other_half));
                    }
                    before = Some(now);
                }
            }
            println!("{outside} of {all} differences of untouched bots left their interval");
            assert!(all > 700 && 100 * outside <= 7 * all, "{outside} of {all}");
            assert!(
                moved[0] > 4 * moved[1],
                "without an anchor ratings moved by {} tenths in sum, with one by {}",
                moved[0],
                moved[1]
            );
        }
    }
}
