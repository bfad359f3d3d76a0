//! Single and double elimination: an entrant is out after its first, or second, lost match.
//!
//! A match consists of pairs of games. If it is level, further pairs follow, one at a time; after a limit the better
//! seeded entrant advances. An entrant whose opponent was removed from the tournament advances without a game. If the
//! number of entrants is not a power of two, the best seeded have no match in the first round.

mod drawing;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::certainty::Placing;
use crate::format::{DOUBLE_KNOCKOUT, Format, KNOCKOUT};
use crate::meetings::{Draft, Meeting, lot, meetings};
use crate::note::{Note, Remark};
use crate::plot::BracketPicture;
use crate::reached::{BracketRound, Reached};
use crate::rounds::{Round, rounds};
use crate::scores::Scores;
use crate::standings::{Column, Value};
use crate::{Entrant, Leave, Schedule, Settled, Standings, fairness};

/// Separates the lots of a draw from others.
const DRAW_TAG: &[u8] = b"arena/knockout-draw/1";

/// An elimination tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knockout {
    /// The seed from which all draws and the games' seeds are derived.
    pub seed: u64,
    /// Pairs of games per match.
    pub pairs: u32,
    /// The maximum number of further pairs if a match is level.
    pub further_pairs: u32,
    /// How entrants are placed in the bracket.
    pub seeding: Seeding,
    /// The number of lost matches after which an entrant is out.
    pub lives: Lives,
}

/// How entrants are placed in a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Seeding {
    /// In the order of the definition: its first entrants meet last.
    #[default]
    Given,
    /// Drawn from the seed.
    Draw,
}

/// The number of lost matches after which an entrant is out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lives {
    /// Single elimination.
    One,
    /// Double elimination: losers of one match play on in the losers' bracket, whose winner meets the unbeaten entrant.
    /// If it wins that match, the two play another.
    Two,
}

/// The source of one side of a match.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// An entrant by its place in the seeding.
    Seed(usize),
    Winner(usize),
    Loser(usize),
}

/// A match of the bracket. Its number is its pairing's number.
#[derive(Clone, Debug)]
struct Match {
    sides: [Source; 2],
    /// Its round, as an index into the rounds.
    round: usize,
    /// How late its loser is out; `None` if the loser plays on.
    out: Option<usize>,
    /// Played only if this match was not won by its first side.
    again: Option<usize>,
}

/// A side, or the result of a match for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// Not known yet.
    Open,
    /// A place in the bracket that stays empty.
    Nobody,
    Entrant(usize),
}

/// The known state of a match.
#[derive(Clone, Copy, Debug)]
struct Standing {
    sides: [Side; 2],
    winner: Side,
    loser: Side,
    /// Pairs to be played next.
    wants: u32,
}

struct Bracket {
    matches: Vec<Match>,
    rounds: Vec<BracketRound>,
}

impl Bracket {
    fn round(
        &mut self,
        name: BracketRound,
        out: Option<usize>,
        matches: impl IntoIterator<Item = [Source; 2]>,
    ) -> Vec<usize> {
        let (round, first) = (self.rounds.len(), self.matches.len());
        self.rounds.push(name);
        self.matches.extend(matches.into_iter().map(|sides| Match { sides, round, out, again: None }));
        (first..self.matches.len()).collect()
    }

    fn of(entrants: usize, lives: Lives) -> Bracket {
        let size = entrants.next_power_of_two().max(2);
        let mut bracket = Bracket { matches: Vec::new(), rounds: Vec::new() };
        let mut sides: Vec<Source> = places(size).into_iter().map(Source::Seed).collect();
        let mut upper: Vec<Vec<usize>> = Vec::new();
        while sides.len() > 1 {
            let out = (lives == Lives::One).then_some(upper.len());
            let name = match lives {
                Lives::One => BracketRound::Of(sides.len()),
                Lives::Two => BracketRound::Winners(sides.len()),
            };
            let round = bracket.round(name, out, sides.chunks(2).map(|pair| [pair[0], pair[1]]));
            sides = round.iter().map(|number| Source::Winner(*number)).collect();
            upper.push(round);
        }
        if lives == Lives::Two {
            bracket.lower(&upper);
        }
        bracket
    }

    /// The losers' bracket, and the final.
    fn lower(&mut self, upper: &[Vec<usize>]) {
        let mut alive: Vec<Source> = upper[0].iter().map(|number| Source::Loser(*number)).collect();
        let mut number = 0;
        let mut play = |bracket: &mut Bracket, pairs: Vec<[Source; 2]>| -> Vec<Source> {
            number += 1;
            let round = bracket.round(BracketRound::Losers(number), Some(number), pairs);
            round.into_iter().map(Source::Winner).collect()
        };
        for (round, losers) in upper.iter().enumerate().skip(1) {
            alive = play(self, alive.chunks(2).map(|pair| [pair[0], pair[1]]).collect());
            // The order is reversed in every other round, so that two who have met meet again as late as possible.
            let mut losers: Vec<Source> = losers.iter().map(|number| Source::Loser(*number)).collect();
            if round % 2 == 1 {
                losers.reverse();
            }
            alive = play(self, losers.into_iter().zip(alive).map(|(loser, winner)| [loser, winner]).collect());
        }
        let unbeaten = Source::Winner(upper[upper.len() - 1][0]);
        let last = number + 1;
        let [r#final] = self.round(BracketRound::Final, None, [[unbeaten, alive[0]]])[..] else { return };
        let again =
            self.round(BracketRound::SecondFinal, Some(last), [[Source::Winner(r#final), Source::Loser(r#final)]]);
        self.matches[again[0]].again = Some(r#final);
    }
}

/// The seeds in the order of the bracket: neighbours meet, the best two last.
fn places(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places
}

impl Knockout {
    /// The entrants by their seeds, the best first.
    fn seeds(&self, entrants: usize) -> Vec<usize> {
        let mut seeds: Vec<usize> = (0..entrants).collect();
        if self.seeding == Seeding::Draw {
            seeds.sort_by_key(|entrant| lot(self.seed, DRAW_TAG, &[*entrant]));
        }
        seeds
    }

    /// The known state of every match.
    fn standings_of(&self, bracket: &Bracket, seeds: &[usize], settled: &Settled, met: &[Meeting]) -> Vec<Standing> {
        let meetings: BTreeMap<usize, &Meeting> = met.iter().map(|meeting| (meeting.pairing, meeting)).collect();
        let mut known: Vec<Standing> = Vec::new();
        for (number, one) in bracket.matches.iter().enumerate() {
            let sides = one.sides.map(|source| match source {
                Source::Seed(seed) => seeds.get(seed).map_or(Side::Nobody, |entrant| Side::Entrant(*entrant)),
                Source::Winner(of) => known[of].winner,
                Source::Loser(of) => known[of].loser,
            });
            let decided = |winner: Side, loser: Side| Standing { sides, winner, loser, wants: 0 };
            known.push(match sides {
                [Side::Open, _] | [_, Side::Open] => decided(Side::Open, Side::Open),
                [Side::Nobody, other] => decided(other, Side::Nobody),
                [one, Side::Nobody] => decided(one, Side::Nobody),
                // A replayed match has the winner and the loser of the match as its sides.
                [Side::Entrant(_), _] if one.again.is_some_and(|first| sides[0] == known[first].sides[0]) => {
                    decided(sides[0], sides[1])
                }
                [Side::Entrant(one), Side::Entrant(other)] => {
                    match self.decide([one, other], seeds, settled, meetings.get(&number).copied()) {
                        Ok(winner) if winner == one => decided(sides[0], sides[1]),
                        Ok(_) => decided(sides[1], sides[0]),
                        Err(wants) => Standing { sides, winner: Side::Open, loser: Side::Open, wants },
                    }
                }
            });
        }
        known
    }

    /// The winner, or the number of pairs to be played next.
    fn decide(
        &self,
        both: [usize; 2],
        seeds: &[usize],
        settled: &Settled,
        meeting: Option<&Meeting>,
    ) -> Result<usize, u32> {
        // The entrant that was removed first leaves the match to the other.
        let out =
            |entrant: usize, by: usize| settled.left.get(&entrant).map(|left| left.from).filter(|from| *from <= by);
        let later_out = |by: usize| match both.map(|entrant| out(entrant, by)) {
            [None, None] => None,
            [Some(_), None] => Some(both[1]),
            [None, Some(_)] => Some(both[0]),
            [Some(one), Some(other)] => Some(if one >= other { both[0] } else { both[1] }),
        };
        let Some(meeting) = meeting else { return later_out(usize::MAX).ok_or(self.pairs) };
        if let Some(winner) = later_out(meeting.last) {
            return Ok(winner);
        }
        let (pairs, whole) = (meeting.settled / 2, meeting.settled % 2 == 0 && meeting.settled >= 2 * self.pairs);
        let points = |entrant: usize| meeting.half_points[usize::from(meeting.entrants[0] != entrant)];
        match points(both[0]).cmp(&points(both[1])) {
            _ if !whole => Err(0),
            std::cmp::Ordering::Greater => Ok(both[0]),
            std::cmp::Ordering::Less => Ok(both[1]),
            std::cmp::Ordering::Equal if pairs < self.pairs + self.further_pairs => later_out(usize::MAX).ok_or(1),
            std::cmp::Ordering::Equal => {
                let seed = |entrant: usize| seeds.iter().position(|seeded| *seeded == entrant);
                Ok(if seed(both[0]) < seed(both[1]) { both[0] } else { both[1] })
            }
        }
    }
}

impl Format for Knockout {
    fn name(&self) -> &'static str {
        match self.lives {
            Lives::One => KNOCKOUT,
            Lives::Two => DOUBLE_KNOCKOUT,
        }
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
        let (bracket, seeds) = (Bracket::of(entrants.len(), self.lives), self.seeds(entrants.len()));
        let met = meetings(settled);
        let round = settled.last().map_or(0, |last| last.round + 1);
        let mut draft = Draft::behind(settled, self.seed, entrants);
        for (number, known) in self.standings_of(&bracket, &seeds, settled, &met).into_iter().enumerate() {
            if let ([Side::Entrant(one), Side::Entrant(other)], wants @ 1..) = (known.sides, known.wants) {
                draft.add(round, number, [one, other], wants);
            }
        }
        draft.games()
    }

    fn games_max(&self, entrants: usize) -> usize {
        let matches = match self.lives {
            Lives::One => entrants.saturating_sub(1),
            Lives::Two => 2 * entrants.saturating_sub(1) + 1,
        };
        2 * matches * (self.pairs + self.further_pairs) as usize
    }

    /// Ranked by how far each entrant came. Those that went out in the same round share a rank; disqualified entrants
    /// are last.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        let (bracket, seeds) = (Bracket::of(entrants.len(), self.lives), self.seeds(entrants.len()));
        let states = self.standings_of(&bracket, &seeds, settled, &meetings(settled));
        let mut out: Vec<Option<(usize, usize)>> = vec![None; entrants.len()];
        for (one, known) in bracket.matches.iter().zip(&states) {
            if let (Side::Entrant(loser), Some(late)) = (known.loser, one.out) {
                // Nobody reached a second final that was not needed.
                let first = one.again.filter(|first| known.sides[0] == states[*first].sides[0]);
                out[loser] = Some((late, first.map_or(one.round, |first| bracket.matches[first].round)));
            }
        }
        let is_over = states.last().is_some_and(|last| last.winner != Side::Open);
        let reached = out.iter().map(|out| match out {
            Some((_, round)) => Value::Reached(Reached::Round(bracket.rounds[*round])),
            None if is_over => Value::Reached(Reached::Won),
            None => Value::Reached(Reached::PlaysOn),
        });
        let more = vec![(Column::new("reached", "reached").in_json().in_csv().in_text(2, 16), reached.collect())];
        let late = |entrant: usize| out[entrant].map_or(usize::MAX, |(late, _)| late);
        // One that withdrew or was quarantined went out in a round, and has the place of that.
        let placing = |entrant: usize| match settled.leave(entrant) {
            Some(Leave::Disqualified) => Placing::Last,
            _ => Placing::ByGames,
        };
        let scores = Scores::of(entrants, settled).placed((0..entrants.len()).map(placing).collect());
        let ranking = scores.ranking_by(entrants, |entrant| Reverse(late(entrant)));
        let mut standings = scores.standings(entrants, &ranking, more);
        let text = format!(
            "reached: the round in which it went out; a level match is decided by up to {} further pairs, then for the better seeded",
            self.further_pairs
        );
        standings.notes.insert(0, Note::meaning(&text, Remark::Reached(self.further_pairs)));
        standings
    }

    fn reports(&self, title: Option<&str>, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let (bracket, seeds) = (Bracket::of(entrants.len(), self.lives), self.seeds(entrants.len()));
        let met = meetings(settled);
        let known = self.standings_of(&bracket, &seeds, settled, &met);
        let mut by_round: Vec<Round> = Vec::new();
        for (round, name) in bracket.rounds.iter().enumerate() {
            let of_round = |number: &usize| bracket.matches[*number].round == round;
            let meetings: Vec<Meeting> = met.iter().filter(|meeting| of_round(&meeting.pairing)).cloned().collect();
            let numbers = (0..bracket.matches.len()).filter(of_round);
            let byes = numbers.filter_map(|number| match (known[number].winner, &bracket.matches[number].again) {
                (Side::Entrant(winner), None) if meetings.iter().all(|meeting| meeting.pairing != number) => {
                    Some(winner)
                }
                _ => None,
            });
            let byes: Vec<usize> = byes.collect();
            if !meetings.is_empty() || !byes.is_empty() {
                by_round.push(Round { title: name.to_string(), meetings, byes });
            }
        }
        let picture = bracket.picture(self.lives, entrants, &known, &met);
        let picture = ("bracket.svg", picture.svg(title));
        fairness(entrants, settled).files().into_iter().chain(rounds(entrants, &by_round)).chain([picture]).collect()
    }

    fn rounds(&self, entrants: usize) -> Vec<(usize, BracketRound)> {
        let bracket = Bracket::of(entrants, self.lives);
        bracket.matches.iter().map(|one| (one.round, bracket.rounds[one.round])).collect()
    }

    fn picture(&self, entrants: &[Entrant], settled: &Settled) -> Option<BracketPicture> {
        let (bracket, seeds, met) =
            (Bracket::of(entrants.len(), self.lives), self.seeds(entrants.len()), meetings(settled));
        let known = self.standings_of(&bracket, &seeds, settled, &met);
        Some(bracket.picture(self.lives, entrants, &known, &met))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{entrants, play};

    fn knockout(lives: Lives, seeding: Seeding) -> Knockout {
        Knockout { seed: 7, pairs: 2, further_pairs: 3, seeding, lives }
    }

    fn ranks(format: &Knockout, names: &[Entrant], settled: &Settled) -> Vec<(usize, String)> {
        format.standings(names, settled).rows.into_iter().map(|row| (row.rank.0.unwrap_or(0), row.name)).collect()
    }

    #[test]
    fn the_best_two_meet_last() {
        assert_eq!(places(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        for count in 2..=17 {
            for lives in [Lives::One, Lives::Two] {
                let (names, format) = (entrants(count), knockout(lives, Seeding::Given));
                let settled = play(&format, &names, |game| game.seats.values().iter().min().copied());
                let ranks = ranks(&format, &names, &settled);
                assert_eq!((ranks[0].clone(), ranks[1].clone()), ((1, "bot0".into()), (2, "bot1".into())), "{count}");
                let matches = if lives == Lives::One { count - 1 } else { 2 * count - 2 };
                assert_eq!(settled.len(), 4 * matches, "{count} {lives:?}");
            }
        }
    }

    #[test]
    fn everybody_but_the_winner_loses_once_or_twice() {
        for seed in 0..20 {
            for (lives, lost_most) in [(Lives::One, 1), (Lives::Two, 2)] {
                let (names, format) = (entrants(11), knockout(lives, Seeding::Draw));
                let settled = play(&format, &names, |game| {
                    let chosen = lot(seed, b"test", &[game.pairing]) % 2;
                    game.seats
                        .values()
                        .iter()
                        .copied()
                        .collect::<std::collections::BTreeSet<_>>()
                        .into_iter()
                        .nth(chosen as usize)
                });
                let mut lost = vec![0; 11];
                for meeting in meetings(&settled) {
                    let [one, other] = meeting.half_points_of_match(&settled);
                    assert_ne!(one, other);
                    lost[meeting.entrants[usize::from(one > other)]] += 1;
                }
                let ranks = ranks(&format, &names, &settled);
                for (entrant, lost) in lost.into_iter().enumerate() {
                    let is_first = ranks[0].1 == names[entrant].name;
                    assert!(if is_first { lost < lost_most } else { lost == lost_most }, "{ranks:?}");
                }
                assert!(ranks.iter().filter(|(rank, _)| *rank == 1).count() == 1);
            }
        }
    }

    #[test]
    fn a_level_match_goes_on_and_then_to_the_better_seeded() {
        let (names, format) = (entrants(2), knockout(Lives::One, Seeding::Given));
        let settled = play(&format, &names, |_| None);
        assert_eq!(settled.len(), 2 * (2 + 3));
        assert_eq!(ranks(&format, &names, &settled), [(1, "bot0".into()), (2, "bot1".into())]);
        // One further pair decides.
        let settled = play(&format, &names, |game| (game.number >= 4).then_some(1));
        assert_eq!((settled.len(), ranks(&format, &names, &settled)[0].1.as_str()), (6, "bot1"));
        let rounds: Vec<usize> = settled.games().map(|one| one.game.round).collect();
        assert_eq!(rounds, [0, 0, 0, 0, 1, 1]);
        // Readers see all of them in the bracket's round.
        assert!(settled.games().all(|one| format.rounds(2)[one.game.pairing] == (0, BracketRound::Of(2))));
    }

    #[test]
    fn every_pairing_has_the_round_of_its_match() {
        for (lives, count, titles) in [
            (Lives::One, 5, vec!["quarter-finals", "semi-finals", "final"]),
            (Lives::Two, 3, {
                vec![
                    "winners' semi-finals",
                    "winners' final",
                    "losers' round 1",
                    "losers' round 2",
                    "final",
                    "second final",
                ]
            }),
        ] {
            let named = knockout(lives, Seeding::Given).rounds(count);
            assert_eq!(named.len(), Bracket::of(count, lives).matches.len());
            let named = named.into_iter().map(|(round, name)| (round, name.to_string()));
            let known: std::collections::BTreeMap<usize, String> = named.collect();
            assert_eq!(known.into_values().collect::<Vec<_>>(), titles);
        }
    }

    #[test]
    fn the_final_is_played_again_if_the_unbeaten_one_lost_it() {
        let (names, format) = (entrants(4), knockout(Lives::Two, Seeding::Given));
        let last = Bracket::of(4, Lives::Two).matches.len() - 2;
        let settled = play(&format, &names, |game| {
            let both = game.seats.values();
            if game.pairing >= last { both.iter().max().copied() } else { both.iter().min().copied() }
        });
        assert_eq!(ranks(&format, &names, &settled)[0].1, "bot1");
        assert_eq!(settled.len(), 4 * (2 * 4 - 1));
    }

    #[test]
    fn nobody_reaches_a_second_final_that_was_not_played() {
        for count in 2..12 {
            let (names, format) = (entrants(count), knockout(Lives::Two, Seeding::Given));
            let matches = Bracket::of(count, Lives::Two).matches.len();
            for is_replayed in [false, true] {
                let settled = play(&format, &names, |game| {
                    let both = game.seats.values();
                    // The unbeaten one loses the final, and wins or loses the second one.
                    let is_lost = is_replayed && game.pairing + 2 >= matches;
                    if is_lost { both.iter().max().copied() } else { both.iter().min().copied() }
                });
                let standings = format.standings(&names, &settled);
                let reached = |row: usize| standings.value(&standings.rows[row], "reached").map(ToString::to_string);
                let wanted = if is_replayed { "second final" } else { "final" };
                assert_eq!([reached(0), reached(1)], [Some("won".into()), Some(wanted.into())], "{count}");
            }
        }
    }

    #[test]
    fn a_bracket_is_drawn_with_who_met_and_who_won() {
        for (lives, count, boxes) in [(Lives::One, 8, 7), (Lives::One, 6, 5), (Lives::Two, 4, 6), (Lives::Two, 5, 8)] {
            let (mut names, format) = (entrants(count), knockout(lives, Seeding::Given));
            names[1].name = "<b>&".into();
            let settled = play(&format, &names, |game| game.seats.values().iter().min().copied());
            let svg = |settled: &Settled| {
                let files = format.reports(Some("a <cup>"), &names, settled);
                files.into_iter().find(|(name, _)| *name == "bracket.svg").map(|(_, svg)| svg).unwrap_or_default()
            };
            let picture = svg(&settled);
            assert_eq!(picture.matches("<rect ").count(), boxes, "{lives:?} {count}: {picture}");
            assert!(picture.contains("&lt;b&gt;&amp;") && !picture.contains("<b>"));
            assert!(picture.contains(&format!("a &lt;cup&gt;, {count} entrants</text>")), "{picture}");
            // The overall winner is bold in every match.
            let bold = picture.matches("<g font-weight=\"700\"><title>bot0 ").count();
            assert_eq!(bold, picture.matches("<title>bot0 ").count());
            assert_eq!(bold, picture.matches(">bot0</text>").count());
            // Before the first game, no score is known.
            assert!(svg(&Settled::default()).contains(">–</text>"));
        }
    }

    #[test]
    fn who_is_taken_out_leaves_the_match_to_the_other_for_good() {
        let names = entrants(4);
        let format = knockout(Lives::One, Seeding::Given);
        // Bot 0 is convicted in the first game; later bot 3, to whom the match went, in the final.
        let mut settled = Settled::default();
        loop {
            let next = format.next(&names, &settled);
            if next.is_empty() {
                break;
            }
            for game in next.iter() {
                for (entrant, pairing) in [(0, 0), (3, 2)] {
                    if game.seats.values().contains(&entrant) && game.pairing == pairing {
                        settled
                            .left
                            .entry(entrant)
                            .or_insert(crate::Left { from: game.number, why: Leave::Quarantined });
                    }
                }
                let is_void = game.seats.values().iter().any(|entrant| settled.is_out(*entrant, game.number));
                let winner = game.seats.iter().find(|(_, entrant)| **entrant == 1).map(|(seat, _)| seat);
                let result = (!is_void).then(|| crate::testing::won(winner, game.number));
                settled.extend([crate::SettledGame { game, result }]);
            }
        }
        let finalists: Vec<[usize; 2]> =
            meetings(&settled).iter().filter(|one| one.pairing == 2).map(|one| one.entrants).collect();
        assert_eq!(finalists, [[3, 1]]);
        assert_eq!(ranks(&format, &names, &settled)[0].1, "bot1");
    }
}
