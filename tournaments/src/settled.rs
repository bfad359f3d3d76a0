//! The games of a tournament and their results, packed: a tournament may have 200,000 of them, and a fold visits all.

use std::collections::BTreeMap;

use arena_record::{Digest, ForfeitCode};
use arena_rules::{BySeat, Reason, Seat, Seed};

use crate::certainty::Placing;
use crate::schedule::{Packed, Schedule};
use crate::{Anchor, Fate, GameResult, ScheduledGame, Stage};

/// A game whose fate is decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettledGame {
    /// The game.
    pub game: ScheduledGame,
    /// Its result. `None` is a void game: it has none, by no fault in the sense of the rules, and does not count for
    /// any entrant.
    pub result: Option<GameResult>,
}

/// The departure of an entrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// The number of the first game of which it has, or would have had, no result: from there on it plays none.
    pub from: usize,
    /// The reason.
    pub why: Leave,
}

/// Why an entrant no longer plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// Its process died again when it ran alone.
    Quarantined,
    /// The organiser withdrew it; it keeps the place that its games give it, if it played half of them.
    Withdrawn,
    /// The organiser excluded it: its games count as played, and it is ranked last.
    Disqualified,
}

impl Leave {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Leave::Quarantined => "quarantined",
            Leave::Withdrawn => "withdrawn",
            Leave::Disqualified => "disqualified",
        }
    }
}

/// The games of a tournament scheduled so far, in schedule order, with their results and fates. A two-seat game takes
/// 52 bytes, and 56 more once it has ended.
#[derive(Clone, Default, Debug)]
pub struct Settled {
    schedule: Schedule,
    /// Results, in the order of their arrival.
    results: Vec<PackedResult>,
    /// The tallies of the results.
    tallies: Vec<u32>,
    /// The forfeits of the results.
    forfeits: Vec<(Seat, ForfeitCode)>,
    /// Entrants that no longer play, by index.
    pub left: BTreeMap<usize, Left>,
    /// Late entrants, by index, each with the number of the first game of its first round.
    pub entered: BTreeMap<usize, usize>,
    /// The bots on which ratings are based; `None` for the mean of the field.
    pub anchor: Option<Anchor>,
}

/// A result whose tally and forfeits are elsewhere.
#[derive(Clone, Debug)]
struct PackedResult {
    tally_at: u32,
    forfeits_at: u32,
    forfeits: u16,
    winner: Option<Seat>,
    reason: Reason,
    turns: u16,
    digest: Digest,
}

impl Settled {
    /// The number of scheduled games so far, whatever their fate.
    pub fn len(&self) -> usize {
        self.schedule.games.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.schedule.games.is_empty()
    }

    /// Adds games to be played to the end of the schedule.
    pub fn append(&mut self, later: Schedule) {
        self.schedule.append(later);
        // Reserved at once for results that arrive one by one: a growing vector leaves free blocks as large as itself.
        self.results.reserve(self.len().saturating_sub(self.results.len()));
        self.tallies.reserve(self.schedule.seats().saturating_sub(self.tallies.len()));
    }

    /// Stores the result of a game. It counts once its fate says so.
    pub fn keep(&mut self, place: usize, result: &GameResult) {
        let Some(game) = self.schedule.games.get_mut(place) else { return };
        game.result_at = self.results.len() as u32;
        let (tally_at, forfeits_at) = (self.tallies.len() as u32, self.forfeits.len() as u32);
        self.tallies.extend(result.tally.values());
        self.forfeits.extend(&result.forfeits);
        let GameResult { winner, digest, reason, turns, .. } = *result;
        let forfeits = result.forfeits.len() as u16;
        self.results.push(PackedResult { tally_at, forfeits_at, forfeits, winner, reason, turns, digest });
    }

    /// Decides the fate of a game.
    pub fn decide(&mut self, place: usize, fate: Fate) {
        if let Some(game) = self.schedule.games.get_mut(place) {
            game.fate = fate;
        }
    }

    /// The fate of a game, by its place in the schedule.
    pub fn fate(&self, place: usize) -> Option<Fate> {
        self.schedule.games.get(place).map(|game| game.fate)
    }

    /// A game, by its place in the schedule.
    pub fn game(&self, place: usize) -> Option<ScheduledGame> {
        self.schedule.games.get(place).map(|game| self.schedule.unpacked(game))
    }

    /// The seed of a game, by its place in the schedule.
    pub(crate) fn seed(&self, place: usize) -> Option<&Seed> {
        self.schedule.games.get(place).map(|game| self.schedule.seed_of(game))
    }

    /// The last game of the schedule so far.
    pub(crate) fn last(&self) -> Option<ScheduledGame> {
        self.schedule.games.last().map(|game| self.schedule.unpacked(game))
    }

    /// Whether an entrant had left the tournament by the end of a game.
    pub(crate) fn is_out(&self, entrant: usize, game: usize) -> bool {
        self.left.get(&entrant).is_some_and(|left| left.from <= game)
    }

    /// Whether an entrant was present at the start of the round whose first game this is.
    pub(crate) fn was_there(&self, entrant: usize, game: usize) -> bool {
        let has_come = self.entered.get(&entrant).is_none_or(|first| *first <= game);
        let had_left = self.left.get(&entrant).is_some_and(|left| match left.why {
            // It is removed by a game that it plays.
            Leave::Quarantined => left.from < game,
            Leave::Withdrawn | Leave::Disqualified => left.from <= game,
        });
        has_come && !had_left
    }

    /// How each of these entrants may be placed. `due` says how many games one that withdrew would have played by now,
    /// from those that were scheduled for it: one that played less than half of them has no place, because its games
    /// would be compared with others' whole ones. Games that only break ties are none of these.
    pub(crate) fn placings(&self, entrants: usize, due: impl Fn(usize, u32) -> u32) -> Vec<Placing> {
        let mut games = vec![[0_u32; 2]; entrants];
        for game in self.schedule.games.iter().filter(|game| game.stage == Stage::Main) {
            for entrant in self.schedule.seats_of(game) {
                let [scheduled, played] = &mut games[usize::from(*entrant)];
                *scheduled += 1;
                *played += u32::from(game.fate != Fate::Cancelled);
            }
        }
        let placing = |(entrant, [scheduled, played]): (usize, &[u32; 2])| match self.leave(entrant) {
            None => Placing::ByGames,
            Some(Leave::Quarantined | Leave::Disqualified) => Placing::Last,
            Some(Leave::Withdrawn) if 2 * played < due(entrant, *scheduled) => Placing::Nowhere,
            Some(Leave::Withdrawn) => Placing::ByGames,
        };
        games.iter().enumerate().map(placing).collect()
    }

    /// Why an entrant no longer plays, if it left.
    pub(crate) fn leave(&self, entrant: usize) -> Option<Leave> {
        self.left.get(&entrant).map(|left| left.why)
    }

    /// The number of the first game of a round or of a later one; if there is none yet, that of the next game.
    pub fn first_of(&self, round: usize) -> usize {
        self.schedule.games.partition_point(|game| (game.round as usize) < round)
    }

    /// Whether a round that was drawn has no open game.
    pub(crate) fn is_over(&self, round: usize) -> bool {
        self.schedule.games[self.first_of(round)..self.first_of(round + 1)].iter().all(|game| game.fate != Fate::Open)
    }

    /// The round after those scheduled so far.
    pub fn next_round(&self) -> usize {
        self.schedule.games.last().map_or(0, |game| game.round as usize + 1)
    }

    /// The entrants' indices in a game, by its place in the schedule.
    pub fn seated(&self, place: usize) -> impl Iterator<Item = usize> {
        let seats = self.schedule.games.get(place).map_or(&[][..], |game| self.schedule.seats_of(game));
        seats.iter().map(|entrant| usize::from(*entrant))
    }

    /// The result of a game, whether it counts or not.
    pub fn result(&self, place: usize) -> Option<GameResult> {
        let game = self.schedule.games.get(place)?;
        Some(self.unpacked_result(game.seats, self.result_of(game)?))
    }

    /// Whether a game has a result.
    pub fn has_result(&self, place: usize) -> bool {
        self.schedule.games.get(place).is_some_and(|game| game.result_at != Packed::NONE)
    }

    /// The scheduled games, in order, each with its fate and its result, whether it counts or not.
    pub(crate) fn all(&self) -> impl Iterator<Item = (ScheduledGame, Fate, Option<GameResult>)> {
        self.schedule.games.iter().map(|game| {
            let result = self.result_of(game).map(|result| self.unpacked_result(game.seats, result));
            (self.schedule.unpacked(game), game.fate, result)
        })
    }

    /// The games that are settled, in schedule order.
    pub fn games(&self) -> impl Iterator<Item = SettledGame> {
        let settled = self.schedule.games.iter().filter(|game| game.fate != Fate::Open);
        settled.map(|game| SettledGame { game: self.schedule.unpacked(game), result: self.counting(game) })
    }

    /// The games that count, in schedule order.
    pub fn counted(&self) -> impl Iterator<Item = (ScheduledGame, GameResult)> {
        self.schedule.games.iter().filter_map(|game| Some((self.schedule.unpacked(game), self.counting(game)?)))
    }

    /// The games that are void.
    pub fn void(&self) -> impl Iterator<Item = ScheduledGame> {
        self.schedule.games.iter().filter(|game| game.fate == Fate::Void).map(|game| self.schedule.unpacked(game))
    }

    /// The number of games that are not played because one of their entrants had left.
    pub(crate) fn cancelled(&self) -> usize {
        self.schedule.games.iter().filter(|game| game.fate == Fate::Cancelled).count()
    }

    /// For each counted game, in schedule order, whether it is the first of those that are one game: of the same
    /// players in the same seats, with equal digests, which cover the options and the start. `player` says who an
    /// entrant is: its bot for what games show about bots, or itself for what happened between two names.
    pub(crate) fn distinct(&self, player: impl Fn(usize) -> usize) -> Vec<bool> {
        let games = &self.schedule.games;
        let counts = |place: &u32| self.counting_result(&games[*place as usize]).is_some();
        let mut order = Vec::with_capacity(games.len());
        order.extend((0..games.len() as u32).filter(counts));
        let played = |place: u32| {
            let game = &games[place as usize];
            let seats = self.schedule.seats_of(game).iter().map(|entrant| player(usize::from(*entrant)));
            (seats, self.result_of(game).map(|result| &result.digest))
        };
        let compared = |one: u32, other: u32| {
            let ((seats, digest), (other_seats, other_digest)) = (played(one), played(other));
            digest.cmp(&other_digest).then_with(|| seats.cmp(other_seats))
        };
        order.sort_unstable_by(|one, other| compared(*one, *other).then(one.cmp(other)));
        let mut first = vec![true; games.len()];
        for pair in order.windows(2).filter(|pair| compared(pair[0], pair[1]).is_eq()) {
            first[pair[1] as usize] = false;
        }
        // Converts places in the schedule to places among the counted games.
        let mut place = 0..;
        first.retain(|_| place.next().is_some_and(|place| counts(&place)));
        first
    }

    fn counting(&self, game: &Packed) -> Option<GameResult> {
        Some(self.unpacked_result(game.seats, self.counting_result(game)?))
    }

    fn counting_result(&self, game: &Packed) -> Option<&PackedResult> {
        self.result_of(game).filter(|_| game.fate == Fate::Counted)
    }

    fn result_of(&self, game: &Packed) -> Option<&PackedResult> {
        self.results.get(game.result_at as usize)
    }

    fn unpacked_result(&self, seats: u8, result: &PackedResult) -> GameResult {
        let PackedResult { tally_at, forfeits_at, forfeits, winner, reason, turns, digest } = *result;
        let tally = self.tallies[tally_at as usize..][..usize::from(seats)].to_vec();
        let forfeits = self.forfeits[forfeits_at as usize..][..usize::from(forfeits)].to_vec();
        GameResult { winner, forfeits, tally: BySeat::from(tally), digest, reason, turns }
    }
}

impl Extend<SettledGame> for Settled {
    fn extend<I: IntoIterator<Item = SettledGame>>(&mut self, games: I) {
        for SettledGame { game, result } in games {
            let place = self.len();
            self.schedule.push(&game);
            match result {
                Some(result) => {
                    self.keep(place, &result);
                    self.decide(place, Fate::Counted);
                }
                None => self.decide(place, Fate::Void),
            }
        }
    }
}

impl FromIterator<SettledGame> for Settled {
    fn from_iter<I: IntoIterator<Item = SettledGame>>(games: I) -> Settled {
        let mut settled = Settled::default();
        settled.extend(games);
        settled
    }
}

impl FromIterator<(ScheduledGame, GameResult)> for Settled {
    /// Games, none of them void.
    fn from_iter<I: IntoIterator<Item = (ScheduledGame, GameResult)>>(games: I) -> Settled {
        games.into_iter().map(|(game, result)| SettledGame { game, result: Some(result) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;

    use super::*;
    use crate::{Entrant, Field};

    fn schedule() -> Schedule {
        let entrant = |name: &str| Entrant::new(name, EntrantId::of_bytes(name.as_bytes()));
        Field { seed: 1, seats: 3, games: 20, pairs: 2 }.games(&["ant", "bee", "cat", "dog"].map(entrant))
    }

    fn games() -> Vec<ScheduledGame> {
        schedule().iter().collect()
    }

    fn result(game: &ScheduledGame) -> GameResult {
        let tally = game.seats.clone().map(|entrant| (100 * game.number + entrant) as u32);
        let forfeits = game.seats.iter().take(game.number % 3).map(|(seat, _)| (seat, ForfeitCode::Trap));
        GameResult {
            winner: game.number.is_multiple_of(2).then_some(Seat(1)),
            forfeits: forfeits.collect(),
            tally,
            digest: [7; 32],
            reason: Reason::Majority,
            turns: game.number as u16,
        }
    }

    #[test]
    fn what_was_packed_comes_out_whatever_the_order_in_which_games_end() {
        let games = games();
        let mut settled = Settled::default();
        settled.append(schedule());
        assert!(settled.games().next().is_none() && !settled.has_result(0));
        for game in games.iter().rev() {
            settled.keep(game.number, &result(game));
            settled.decide(game.number, if game.number % 4 == 3 { Fate::Void } else { Fate::Counted });
        }
        let (void, counted): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.number % 4 == 3);
        assert!(void.iter().all(|game| settled.result(game.number) == Some(result(game))), "kept for another fate");
        let counted: Vec<_> = counted.into_iter().map(|game| (game.clone(), result(&game))).collect();
        assert_eq!(settled.counted().collect::<Vec<_>>(), counted);
        assert_eq!(settled.void().collect::<Vec<_>>(), void);
        assert_eq!(
            settled.games().collect::<Settled>().games().collect::<Vec<_>>(),
            settled.games().collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_result_of_two_seats_takes_little() {
        assert_eq!(size_of::<PackedResult>() + 2 * size_of::<u32>(), 56);
    }

    #[test]
    fn the_first_of_equal_games_is_the_one_that_counts() {
        let settled: Settled = games().into_iter().map(|game| (game.clone(), result(&game))).collect();
        let mut counts = Vec::new();
        // All are different, or the last one is the first under another name.
        for player in [|entrant: usize| entrant, |entrant: usize| entrant % 3] {
            let mut seen = std::collections::BTreeSet::new();
            let played = |(game, result): (ScheduledGame, GameResult)| (game.seats.map(player), result.digest);
            let expected: Vec<bool> = settled
                .counted()
                .map(played)
                .map(|(seats, digest)| seen.insert((seats.into_values(), digest)))
                .collect();
            assert_eq!(settled.distinct(player), expected);
            counts.push(expected.iter().filter(|is_first| **is_first).count());
        }
        assert!(counts[1] < counts[0] && counts[0] < settled.len(), "{counts:?}");
    }
}
