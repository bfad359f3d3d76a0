//! What the players of a recorded game were asked, so that a page can ask them again.

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_record::{Bytes, EntrantId, Forfeit};
use arena_rules::Seat;
use arena_rules::conquerors::{Action, Position};
use arena_wire::{Protocol, seat_seed};
use serde::Serialize;

use crate::replay::parse;
use crate::request::Failure;

/// The built-in opponents that this engine knows are of this version.
const BASELINE_VERSION: u32 = 1;

/// A recorded game as questions and answers.
#[derive(Serialize)]
pub(crate) struct QuestionsView {
    /// Who plays, by seat.
    entrants: Vec<EntrantId>,
    /// Bytes of every observation.
    observation_len: usize,
    /// What a bot's memory may have, in bytes.
    memory_bytes: u64,
    questions: Vec<QuestionView>,
    /// What the record says of seats that could not go on; a page cannot judge that.
    forfeits: Vec<Forfeit>,
}

/// One turn of one seat.
#[derive(Serialize)]
struct QuestionView {
    seat: u8,
    /// What the seat was shown.
    observation: Bytes,
    /// What the record says it answered.
    answer: Bytes,
    /// What the built-in opponent in this seat answers; `null` when another kind of player sits there.
    computed: Option<Bytes>,
}

pub(crate) fn questions(text: &str) -> Result<QuestionsView, Failure> {
    let record = parse(text)?;
    let replay = arena_referee::replay::<Position>(&record)
        .map_err(|divergence| Failure::new("not_a_record", format!("the rules do not agree: {divergence}")))?;
    let turns = replay.positions.iter().zip(&record.turns);
    let plays = turns.flat_map(|(position, turn)| turn.plays.iter().map(move |play| (position, play)));
    let questions = plays.map(|(position, play)| {
        let seat = Seat(play.seat);
        let id = record.header.entrants.get(seat.index());
        let seed = seat_seed(&record.header.seed.0, seat, id.map_or("", EntrantId::as_str));
        QuestionView {
            seat: seat.0,
            observation: Bytes(position.observation(seat, &seed)),
            answer: play.action.clone(),
            computed: id.and_then(|id| baseline(id, position, seat, &seed)),
        }
    });
    Ok(QuestionsView {
        observation_len: replay.positions.first().map_or(0, Protocol::observation_len),
        memory_bytes: record.header.budgets.memory_bytes,
        questions: questions.collect(),
        entrants: record.header.entrants.clone(),
        forfeits: record.forfeits,
    })
}

/// What a built-in opponent plays; `None` for all others, and for one of another version.
fn baseline(id: &EntrantId, position: &Position, seat: Seat, seed: &[u8; 32]) -> Option<Bytes> {
    let (name, version) = id.baseline()?;
    let tier = Tier::from_name(name).filter(|_| version == BASELINE_VERSION)?;
    let turn = choose(position, seat, tier, &Params::SHIPPED, seed);
    Some(Bytes(Position::encode_action(&Action::from(&turn))))
}
