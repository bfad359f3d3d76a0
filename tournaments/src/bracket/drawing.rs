//! The positions of a bracket's matches in its picture.

use std::collections::BTreeMap;

use super::{Bracket, Lives, Match, Side, Source, Standing};
use crate::Entrant;
use crate::meetings::Meeting;
use crate::plot::{BracketPicture, Drawn, Title};
use crate::reached::BracketRound;

/// Half steps between neighbouring matches of a first round, and between the two brackets of a double elimination.
const STEP: usize = 2;

impl Bracket {
    /// The picture of all matches, without empty places and without a second final that is not played.
    pub(super) fn picture(
        &self,
        lives: Lives,
        entrants: &[Entrant],
        known: &[Standing],
        met: &[Meeting],
    ) -> BracketPicture {
        let meetings: BTreeMap<usize, &Meeting> = met.iter().map(|meeting| (meeting.pairing, meeting)).collect();
        let (heights, below) = self.heights();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut matches: Vec<Drawn> = Vec::new();
        for (number, (one, now)) in self.matches.iter().zip(known).enumerate() {
            let is_decided_before = one.again.is_some() && now.winner != Side::Open && !meetings.contains_key(&number);
            if now.sides.contains(&Side::Nobody) || is_decided_before {
                continue;
            }
            let entrant = |side: Side| match side {
                Side::Entrant(entrant) => entrants.get(entrant).map(|one| (one.shown().to_owned(), one.id.clone())),
                Side::Open | Side::Nobody => None,
            };
            let half_points = meetings.get(&number).map(|meeting| {
                let is_turned = now.sides[0] != Side::Entrant(meeting.entrants[0]);
                let [one, other] = meeting.half_points;
                if is_turned { [other, one] } else { [one, other] }
            });
            let winner = now.sides.iter().position(|side| *side == now.winner && now.winner != Side::Open);
            let from = one.winners().filter_map(|from| places.get(&from).copied()).collect();
            places.insert(number, matches.len());
            let (column, height, entrants) = (self.column(one.round, lives), heights[number], now.sides.map(entrant));
            matches.push(Drawn { column, height, entrants, half_points, winner, from });
        }
        let is_drawn = |round: usize| places.keys().any(|number| self.matches[*number].round == round);
        let of_round = |(round, name): (usize, &BracketRound)| {
            let height = if self.is_lower(round, lives) { below } else { 0 };
            Title { column: self.column(round, lives), height, round: *name }
        };
        let titles = self.rounds.iter().enumerate().filter(|(round, _)| is_drawn(*round)).map(of_round).collect();
        BracketPicture { entrants: entrants.len(), matches, titles }
    }

    /// The vertical position of each match, and the start of the losers' bracket. A match is placed between those whose
    /// winners play it.
    fn heights(&self) -> (Vec<usize>, usize) {
        let firsts = self.matches.iter().filter(|one| matches!(one.sides, [Source::Seed(_), Source::Seed(_)])).count();
        let below = STEP * (firsts + 1);
        let (mut first, mut lower) = (0, below);
        let mut heights: Vec<usize> = Vec::new();
        for one in &self.matches {
            let before: Vec<usize> = one.winners().map(|number| heights[number]).collect();
            let next = |row: &mut usize| {
                *row += STEP;
                *row - STEP
            };
            heights.push(match (before.len(), one.sides) {
                (0, [Source::Seed(_), _]) => next(&mut first),
                (0, _) => next(&mut lower),
                (count, _) => before.iter().sum::<usize>() / count,
            });
        }
        (heights, below)
    }

    /// The number of rounds of the winners' bracket, or of the only one.
    fn upper(&self) -> usize {
        self.matches.iter().filter(|one| matches!(one.sides, [Source::Seed(_), Source::Seed(_)])).count().ilog2()
            as usize
            + 1
    }

    fn is_lower(&self, round: usize, lives: Lives) -> bool {
        let upper = self.upper();
        lives == Lives::Two && (upper..upper + 2 * (upper - 1)).contains(&round)
    }

    /// The column of a round. A losers' round is to the right of the round that they lost in.
    fn column(&self, round: usize, lives: Lives) -> usize {
        let upper = self.upper();
        match lives {
            Lives::One => round,
            Lives::Two if round < upper => (2 * round).saturating_sub(1),
            Lives::Two => round + 1 - upper,
        }
    }
}

impl Match {
    /// The matches whose winners play this one.
    fn winners(&self) -> impl Iterator<Item = usize> + use<> {
        self.sides.into_iter().filter_map(|side| match side {
            Source::Winner(of) => Some(of),
            Source::Seed(_) | Source::Loser(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_matches_stand_in_one_place_and_lines_lead_to_the_right() {
        for lives in [Lives::One, Lives::Two] {
            for entrants in 2..=33 {
                let bracket = Bracket::of(entrants, lives);
                let (heights, below) = bracket.heights();
                let mut places = BTreeSet::new();
                for (number, one) in bracket.matches.iter().enumerate() {
                    let column = bracket.column(one.round, lives);
                    let is_of_losers = matches!(bracket.rounds[one.round], BracketRound::Losers(_));
                    assert_eq!(bracket.is_lower(one.round, lives), is_of_losers);
                    assert!(!bracket.is_lower(one.round, lives) || heights[number] >= below);
                    for near in heights[number].saturating_sub(STEP - 1)..heights[number] + STEP {
                        assert!(!places.contains(&(column, near)), "{entrants} {lives:?}: match {number}");
                    }
                    places.insert((column, heights[number]));
                    for before in one.winners() {
                        assert!(bracket.column(bracket.matches[before].round, lives) < column, "{entrants} {lives:?}");
                    }
                }
            }
        }
    }
}
