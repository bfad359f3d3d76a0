//! Standings of either kind.

use arena_record::EntrantId;

use crate::{FieldStandings, Standings};

/// Who stands where in a tournament: by rating where games have two seats, by mean share where they have more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ranking {
    /// Two seats a game.
    Pairs(Standings),
    /// More.
    Field(FieldStandings),
}

/// What both kinds say of an entrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// From 1.
    pub rank: usize,
    /// The entrant's name.
    pub name: &'a str,
    /// What it is.
    pub id: &'a EntrantId,
    /// Whether it was taken out of the tournament.
    pub quarantined: bool,
}

impl Ranking {
    /// Everybody, best first.
    pub fn places(&self) -> Vec<Place<'_>> {
        match self {
            Ranking::Pairs(standings) => standings
                .rows
                .iter()
                .map(|row| Place { rank: row.rank, name: &row.name, id: &row.id, quarantined: row.quarantined })
                .collect(),
            Ranking::Field(standings) => standings
                .rows
                .iter()
                .map(|row| Place { rank: row.rank, name: &row.name, id: &row.id, quarantined: row.quarantined })
                .collect(),
        }
    }

    /// The standings of two-seat games; `None` for the others.
    pub fn pairs(&self) -> Option<&Standings> {
        match self {
            Ranking::Pairs(standings) => Some(standings),
            Ranking::Field(_) => None,
        }
    }

    /// The standings of games with more seats; `None` for the others.
    pub fn field(&self) -> Option<&FieldStandings> {
        match self {
            Ranking::Pairs(_) => None,
            Ranking::Field(standings) => Some(standings),
        }
    }

    /// Games of the schedule that are void.
    pub fn void(&self) -> u32 {
        match self {
            Ranking::Pairs(standings) => standings.void,
            Ranking::Field(standings) => standings.void,
        }
    }

    /// `standings.json`.
    pub fn to_json(&self) -> String {
        match self {
            Ranking::Pairs(standings) => standings.to_json(),
            Ranking::Field(standings) => standings.to_json(),
        }
    }

    /// `standings.csv`.
    pub fn to_csv(&self) -> String {
        match self {
            Ranking::Pairs(standings) => standings.to_csv(),
            Ranking::Field(standings) => standings.to_csv(),
        }
    }

    /// `standings.txt`, a table for a terminal.
    pub fn to_table(&self) -> String {
        match self {
            Ranking::Pairs(standings) => standings.to_table(),
            Ranking::Field(standings) => standings.to_table(),
        }
    }
}
