//! Whether a field was fair: the seats' advantages, the seating, the seeds, and faults.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use arena_record::{EntrantId, ForfeitCode, Hex};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::means::mean;
use crate::fairness::{Faults, equal_bytes};
use crate::names::Names;
use crate::report::{codes, percent_of};
use crate::scores::Scores;
use crate::standings::{Share, Value};
use crate::transitivity::Transitivity;
use crate::{Entrant, ScheduledGame, Settled, Stage};

/// The report on a field. Its two-seat games, which break ties, are only in `transitivity`.
#[derive(Serialize)]
struct FieldFairness<'a> {
    /// The mean share of each seat.
    seats: Vec<SeatShare>,
    /// The seats of each entrant, in the order of the definition.
    entrants: Vec<EntrantSeats<'a>>,
    /// The number of games, of distinct seeds, and the SHA-256 of the seeds in the order of the schedule, 32 bytes
    /// each.
    seeds: Seeds,
    #[serde(flatten)]
    faults: Faults,
    /// Whether one number for each entrant explains the results of the two-seat games; omitted if these do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    transitivity: Option<Transitivity>,
    /// Whether there are two-seat games.
    #[serde(skip)]
    has_two_seats: bool,
}

/// The mean share of a seat with its 95 % interval over games, in millionths, whose ends may be open.
#[derive(Serialize)]
struct SeatShare {
    seat: usize,
    share: i64,
    share_low: Option<i64>,
    share_high: Option<i64>,
}

#[derive(Serialize)]
struct EntrantSeats<'a> {
    name: &'a str,
    id: &'a EntrantId,
    /// Games in each seat.
    played: Vec<u32>,
    forfeits: BTreeMap<&'static str, u32>,
}

#[derive(Serialize)]
struct Seeds {
    games: u32,
    distinct: u32,
    sha256: String,
}

/// The report as files, by name.
pub(super) fn files(entrants: &[Entrant], settled: &Settled, seats: u8) -> Vec<(&'static str, String)> {
    let report = FieldFairness::of(entrants, settled, seats.into());
    let json = serde_json::to_string(&report).unwrap_or_default() + "\n";
    vec![("fairness.json", json), ("fairness.txt", report.to_text())]
}

impl<'a> FieldFairness<'a> {
    fn of(entrants: &'a [Entrant], settled: &Settled, seats: usize) -> FieldFairness<'a> {
        let is_field = |game: &ScheduledGame| game.stage == Stage::Main;
        let (mut games_played, mut games_distinct) = (0, 0);
        let mut forfeits: BTreeMap<ForfeitCode, u32> = BTreeMap::new();
        let mut of_entrant: Vec<BTreeMap<ForfeitCode, u32>> = vec![BTreeMap::new(); entrants.len()];
        let mut played = vec![vec![0; seats]; entrants.len()];
        let mut shares = vec![Vec::new(); seats];
        let (mut hasher, mut seeds) = (Sha256::new(), BTreeSet::new());
        let two_seats = Scores::of(entrants, settled);
        let bots = &two_seats.bots;
        let distinct = settled.distinct(|entrant| bots.bot(entrant));
        let games = settled.counted().zip(distinct).filter(|((game, _), _)| is_field(game));
        for ((game, result), is_first) in games {
            games_played += 1;
            hasher.update(game.seed);
            seeds.insert(game.seed);
            game.seats.iter().for_each(|(seat, entrant)| played[*entrant][seat.index()] += 1);
            if !is_first {
                continue;
            }
            games_distinct += 1;
            for (seat, code) in &result.forfeits {
                *forfeits.entry(*code).or_default() += 1;
                *of_entrant[game.seats[*seat]].entry(*code).or_default() += 1;
            }
            let whole: u64 = result.tally.values().iter().map(|tally| u64::from(*tally)).sum();
            for (seat, tally) in result.tally.iter() {
                let share = (u64::from(*tally) * Share::WHOLE).checked_div(whole).unwrap_or(0);
                shares[seat.index()].push(share);
            }
        }
        let rows = entrants.iter().zip(played).zip(&of_entrant);
        FieldFairness {
            seats: shares.iter().enumerate().map(|(seat, shares)| SeatShare::of(seat, shares)).collect(),
            entrants: rows
                .map(|((Entrant { name, id, .. }, played), own)| EntrantSeats {
                    name,
                    id,
                    played,
                    forfeits: codes(own),
                })
                .collect(),
            seeds: Seeds {
                games: games_played,
                distinct: seeds.len() as u32,
                sha256: Hex::<32>(hasher.finalize().into()).to_string(),
            },
            faults: Faults {
                forfeits: codes(&forfeits),
                games_lost_to_the_machine: settled.void().filter(|game| is_field(game)).count() as u32,
                games_played,
                games_distinct,
                equal_bytes: equal_bytes(entrants, bots),
            },
            transitivity: two_seats.transitivity(entrants),
            has_two_seats: !two_seats.pairs.is_empty(),
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        let even = Share::WHOLE / self.seats.len().max(1) as u64;
        let _ = writeln!(text, "seat      share, 95 % interval over games; {} % would be even", percent_of(even));
        for SeatShare { seat, share, share_low, share_high } in &self.seats {
            let worth = match (share_low, share_high) {
                (Some(low), _) if *low > even as i64 => "  better than the others",
                (_, Some(high)) if *high < even as i64 => "  worse than the others",
                _ => "",
            };
            let said = Value::Share(Share { mean: *share, low: *share_low, high: *share_high }).to_string();
            let (mean, interval) = said.split_once(' ').unwrap_or((&said, ""));
            let _ = writeln!(text, "{seat:>4}   {mean:>5} {interval}{worth}");
        }
        let names = Names::of(self.entrants.iter().map(|one| (one.name, one.id)));
        let _ = writeln!(text, "\n{}  games by seat", names.cells("bot", "id"));
        for EntrantSeats { name, id, played, .. } in &self.entrants {
            let played: Vec<String> = played.iter().map(|games| format!("{games:>5}")).collect();
            let _ = writeln!(text, "{}  {}", names.cells(name, id.short()), played.join(" "));
        }
        let Seeds { games, distinct, sha256 } = &self.seeds;
        let _ = writeln!(
            text,
            "\nseeds of the games: {games}, different: {distinct}\n       SHA-256 of the seeds in the order of the schedule {sha256}"
        );
        text += &self.faults.to_text(self.entrants.iter().map(|one| (one.name, &one.forfeits)), &names);
        if let Some(found) = &self.transitivity {
            let _ = writeln!(text, "\nin the two-seat games {}", found.to_text(&names).trim());
        } else if self.has_two_seats {
            text.push_str(
                "\nthe two-seat games do not tell whether ratings explain who beat whom: too few pairings were close; more `pairs` may\n",
            );
        }
        text
    }
}

impl SeatShare {
    fn of(seat: usize, shares: &[u64]) -> SeatShare {
        let Share { mean, low, high } = mean(shares);
        SeatShare { seat, share: mean, share_low: low, share_high: high }
    }
}
