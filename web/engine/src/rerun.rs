//! A recorded game, played again by the page.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_baselines::Opponent;
use arena_ledger::{BuiltIn, Terms, semantics_id};
use arena_record::{Bytes, EntrantId, Header, Record};
use arena_referee::compare::{Parting, first};
use arena_referee::{Divergence, PlatformFault, PlayError, Player, RecordedPlayer, endings, play_with};
use arena_rules::{BySeat, Seat};
use arena_wire::Game;
use serde::Serialize;

use crate::failure::Failure;
use crate::guests::{Guest, Guests};
use crate::record::parse;

/// What came of playing a game again.
#[derive(Serialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum RerunView {
    /// The record is the same, byte for byte, but for the build that played.
    Identical {
        /// Seats of people, whose actions were taken from the record.
        persons: usize,
    },
    /// The rules agree with the record, and no bot was asked.
    ByRules,
    /// A game without a record came to its end.
    Ended,
    /// The first difference.
    Differs {
        /// The turn, from 1; none outside of turns.
        turn: Option<usize>,
        /// The seat, if one is concerned.
        seat: Option<u8>,
        /// What differs, as a code.
        what: &'static str,
        /// Its value when played again.
        expected: String,
        /// Its value in the record.
        found: String,
    },
    /// There is no verdict: the page's engine failed, or a player is not here.
    NotChecked {
        /// Why: the `engine` failed, a player is `missing`, or another `release` is needed.
        why: &'static str,
        /// For the page's developer; of a player its id, of a release the build that played.
        detail: String,
    },
}

impl RerunView {
    fn of(parting: Parting) -> RerunView {
        let what = parting.code();
        let Parting { turn, seat, expected, found, .. } = parting;
        RerunView::Differs { turn, seat: seat.map(|seat| seat.0), what, expected, found }
    }
}

/// Plays a game again. `start_fuel` has the bots that the page can run, with the fuel that their starts take before any
/// of their code runs.
pub(crate) fn rerun(
    text: &str,
    start_fuel: &BTreeMap<EntrantId, u64>,
    guests: Option<&dyn Guests>,
) -> Result<RerunView, Failure> {
    let record = match by_rules(text)? {
        Ok(record) => Arc::new(record),
        Err(not_checked) => return Ok(not_checked),
    };
    let header = &record.header;
    let mut players = Vec::new();
    for (id, seat) in header.entrants.iter().zip(0..) {
        match player(&record, id, seat, start_fuel, guests) {
            Some(player) => players.push(player),
            None => return Ok(RerunView::NotChecked { why: "missing", detail: id.as_str().into() }),
        }
    }
    // The header as this release writes it, so that built-in opponents are those that played.
    let terms = Terms::new(&header.build, &header.ruleset, &header.options, header.budgets);
    let own = terms.header(header.seed.0, header.entrants.clone());
    let persons = header.entrants.iter().filter(|id| id.person().is_some()).count();
    let seated = players.iter_mut().map(|player| &mut **player as &mut dyn Player);
    let played = play_with(own, BySeat::from(seated.collect::<Vec<_>>()), &endings(&record));
    Ok(match played {
        Ok(played) => first(&played, &record).map_or(RerunView::Identical { persons }, RerunView::of),
        Err(PlayError::Platform(PlatformFault(detail))) => RerunView::NotChecked { why: "engine", detail },
        Err(error) => return Err(Failure::new("unknown_game", error)),
    })
}

/// Replays a game by the rules: its actions, fuel within the budgets, digests and outcome. No bot runs.
pub(crate) fn agreed(text: &str) -> Result<RerunView, Failure> {
    Ok(by_rules(text)?.map_or_else(|not_checked| not_checked, |_| RerunView::ByRules))
}

/// A record with which the rules agree; or that another release is needed.
fn by_rules(text: &str) -> Result<Result<Record, RerunView>, Failure> {
    let record = parse(text)?;
    let header = &record.header;
    Game::named(&header.ruleset).map_err(|error| Failure::new("unknown_game", error))?;
    if header.semantics != semantics_id(&header.ruleset) {
        return Ok(Err(RerunView::NotChecked { why: "release", detail: header.build.clone() }));
    }
    arena_referee::check(&record).map_err(failure)?;
    Ok(Ok(record))
}

/// Plays a void game again, which has no record: whether it ends here.
pub(crate) fn ended(
    header: Header,
    start_fuel: &BTreeMap<EntrantId, u64>,
    guests: Option<&dyn Guests>,
) -> Result<RerunView, Failure> {
    let mut players = Vec::new();
    for (id, seat) in header.entrants.iter().zip(0..) {
        match program(&header.ruleset, id, seat, None, start_fuel, guests) {
            Some(player) => players.push(player),
            None => return Ok(RerunView::NotChecked { why: "missing", detail: id.as_str().into() }),
        }
    }
    let seated = players.iter_mut().map(|player| &mut **player as &mut dyn Player);
    match play_with(header, BySeat::from(seated.collect::<Vec<_>>()), &[]) {
        Ok(_) => Ok(RerunView::Ended),
        Err(PlayError::Platform(PlatformFault(detail))) => Ok(RerunView::NotChecked { why: "engine", detail }),
        Err(error) => Err(Failure::new("unknown_game", error)),
    }
}

/// Why a record is not played again: this module lacks its game, or the rules do not agree with it.
fn failure(divergence: Divergence) -> Failure {
    let code = if matches!(divergence, Divergence::Unknown(_)) { "unknown_game" } else { "differs" };
    Failure::of_rules(code, &divergence)
}

fn player<'a>(
    record: &'a Arc<Record>,
    id: &EntrantId,
    seat: u8,
    start_fuel: &BTreeMap<EntrantId, u64>,
    guests: Option<&'a dyn Guests>,
) -> Option<Box<dyn Player + 'a>> {
    if id.person().is_some() {
        return Some(Box::new(RecordedPlayer::new(record.clone(), Seat(seat))));
    }
    let forfeit = record.forfeits.iter().find(|forfeit| forfeit.seat == seat);
    program(&record.header.ruleset, id, seat, forfeit.map(|forfeit| forfeit.detail.as_str()), start_fuel, guests)
}

/// A player that is no person: a built-in opponent, or a bot that the page runs. `recorded` is the detail of its
/// forfeit in a record, where there is one.
pub(crate) fn program<'a>(
    ruleset: &str,
    id: &EntrantId,
    seat: u8,
    recorded: Option<&'a str>,
    start_fuel: &BTreeMap<EntrantId, u64>,
    guests: Option<&'a dyn Guests>,
) -> Option<Box<dyn Player + 'a>> {
    if id.baseline().is_some() {
        return opponent(ruleset, id).map(|opponent| Box::new(BuiltIn(opponent)) as Box<dyn Player>);
    }
    Some(Box::new(Guest { recorded, ..Guest::new(guests?, seat, *start_fuel.get(id)?) }))
}

fn opponent(ruleset: &str, id: &EntrantId) -> Option<Opponent> {
    let (name, version) = id.baseline()?;
    Opponent::named(ruleset, &format!("{name}@{version}")).ok()
}

/// The answer of a built-in opponent to an observation; `None` for any other id or version.
pub(crate) fn answer(ruleset: &str, id: &EntrantId, observation: &[u8]) -> Result<Option<Bytes>, Failure> {
    let Some(opponent) = opponent(ruleset, id) else { return Ok(None) };
    let answer = opponent.answer(observation).map_err(|error| Failure::new("bad_request", error))?;
    Ok(Some(Bytes(answer)))
}
