//! The fuel of a bot's turns, turn by turn, from the records of some of its games.

use arena_record::{EntrantId, Record};

use crate::language::{Language, Text, language};
use crate::text;

/// Most points of a line; in longer games several turns share a point.
const POINTS_MAX: usize = 60;

/// The fuel of a bot's turns.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fuel {
    /// The number of games.
    games: usize,
    /// Over all turns, in units of fuel.
    median: u64,
    most: u64,
    /// The limit of a turn.
    budget: u64,
    /// The median and the maximum of the games, turn by turn, as points of a line.
    pub(crate) medians: String,
    pub(crate) highest: String,
}

impl Fuel {
    /// The size of the chart, without its margins.
    pub(crate) const WIDTH: usize = 600;
    pub(crate) const HEIGHT: u64 = 120;

    /// The numbers in a sentence.
    pub(crate) fn said(&self) -> Text {
        let Fuel { games, median, most, budget, .. } = *self;
        text::bot_of_the_games_below_units(grouped(budget), games, grouped(median), grouped(most))
    }

    /// The number at the chart's upper end, which has room for a few characters.
    pub(crate) fn top(&self) -> String {
        let tenths = (self.most + 50_000) / 100_000;
        if tenths < 10 { grouped(self.most) } else { format!("{}.{} M", tenths / 10, tenths % 10) }
    }

    /// The fuel in the games in which it played; `None` if none of its turns was metered.
    pub(crate) fn in_records(records: &[Record], entrant: &EntrantId) -> Option<Fuel> {
        let mut by_turn: Vec<Vec<u64>> = Vec::new();
        for record in records {
            let seats = (0..).zip(&record.header.entrants);
            let own: Vec<u8> = seats.filter(|(_, id)| *id == entrant).map(|(seat, _)| seat).collect();
            for seat in own {
                let plays = record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == seat);
                for (turn, fuel) in plays.filter_map(|play| play.fuel).enumerate() {
                    if by_turn.len() <= turn {
                        by_turn.push(Vec::new());
                    }
                    by_turn[turn].push(fuel);
                }
            }
        }
        let mut all: Vec<u64> = by_turn.iter().flatten().copied().collect();
        let most = *all.iter().max()?;
        let stretch = by_turn.len().div_ceil(POINTS_MAX);
        let points: Vec<Vec<u64>> = by_turn.chunks(stretch).map(<[Vec<u64>]>::concat).collect();
        let last = points.len().saturating_sub(1).max(1);
        let line = |value: fn(&mut [u64]) -> u64| {
            let point = |(place, fuel): (usize, &Vec<u64>)| {
                let y = Self::HEIGHT - value(&mut fuel.clone()) * Self::HEIGHT / most.max(1);
                format!("{},{y}", place * Self::WIDTH / last)
            };
            points.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
        };
        Some(Fuel {
            games: records.len(),
            median: median(&mut all),
            most,
            budget: records.first()?.header.budgets.fuel_per_move,
            medians: line(median),
            highest: line(|fuel| fuel.iter().copied().max().unwrap_or_default()),
        })
    }
}

/// The upper median.
fn median(numbers: &mut [u64]) -> u64 {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// A number with separated thousands: `24,349,100`, in Spanish `24.349.100`.
pub(crate) fn grouped(number: u64) -> String {
    let separator = match language() {
        Language::English => ',',
        Language::Spanish => '.',
    };
    let digits = number.to_string();
    let group = |(place, digit): (usize, char)| {
        let parted = place > 0 && (digits.len() - place).is_multiple_of(3);
        [parted.then_some(separator), Some(digit)].into_iter().flatten().collect::<String>()
    };
    digits.chars().enumerate().map(group).collect()
}

#[cfg(test)]
mod tests {
    use arena_record::{Play, TurnRecord};

    use super::*;
    use crate::language::speaking;

    /// A game whose turns took this much fuel.
    fn record(fuel: &[u64]) -> Record {
        let text = include_str!("pages/showcase.json");
        let mut record = Record::parse(text).expect("a record");
        let play = record.turns[0].plays[0].clone();
        let turn = |(place, fuel): (usize, &u64)| TurnRecord {
            plays: vec![Play { seat: (place % 2) as u8, fuel: Some(*fuel), ..play.clone() }],
            ..record.turns[0].clone()
        };
        record.turns = fuel.iter().enumerate().map(turn).collect();
        record
    }

    #[test]
    fn the_fuel_of_a_seat_is_drawn_turn_by_turn() {
        let records = [record(&[10, 1, 20, 1, 40]), record(&[30, 1, 20, 1, 80])];
        let [first, second] = [0, 1].map(|seat| records[0].header.entrants[seat].clone());
        let fuel = Fuel::in_records(&records, &first).expect("it was metered");
        assert_eq!((fuel.games, fuel.median, fuel.most, &*fuel.top()), (2, 30, 80, "80"));
        assert_eq!(fuel.medians, "0,75 300,90 600,0");
        assert_eq!(fuel.highest, "0,75 300,90 600,0");
        assert_eq!(Fuel::in_records(&records, &second).map(|fuel| fuel.most), Some(1));
        assert_eq!(Fuel::in_records(&records, &EntrantId::of_bytes(b"nobody")), None);
        let long = record(&vec![16_725_066; 1_000]);
        let long = Fuel::in_records(&[long], &first).expect("it was metered");
        assert!(long.medians.split(' ').count() <= POINTS_MAX, "{}", long.medians);
        assert_eq!(long.top(), "16.7 M");
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!([0, 999, 1_000, 24_349_100].map(grouped), ["0", "999", "1,000", "24,349,100"]);
        assert_eq!(speaking(Language::Spanish, || grouped(24_349_100)), "24.349.100");
    }
}
