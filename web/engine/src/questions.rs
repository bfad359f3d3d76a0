//! The observations and answers of a recorded game, so that a page can ask the players again.

use arena_baselines::Opponent;
use arena_record::{Bytes, EntrantId, Forfeit, Record};
use arena_referee::{Divergence, Referee, seat_seeds};
use arena_rules::Seat;
use arena_wire::{Protocol, Visitor};
use serde::Serialize;

use crate::failure::Failure;
use crate::record::parse;

/// A recorded game as questions and answers.
#[derive(Serialize)]
pub(crate) struct QuestionsView {
    ruleset: String,
    /// The players, by seat.
    entrants: Vec<EntrantId>,
    /// Length of every observation, in bytes.
    observation_len: usize,
    /// The memory limit of a bot, in bytes.
    memory_bytes: u64,
    questions: Vec<QuestionView>,
    /// The record's forfeits, which a page cannot check.
    forfeits: Vec<Forfeit>,
}

/// One turn of one seat.
#[derive(Serialize)]
struct QuestionView {
    seat: u8,
    /// What the seat saw.
    observation: Bytes,
    /// The answer in the record.
    answer: Bytes,
    /// Whether the rules answered for the seat, because its bank of fuel was empty or became so.
    broke: bool,
}

pub(crate) fn questions(text: &str) -> Result<QuestionsView, Failure> {
    struct Ask<'a>(&'a Record);
    impl Visitor for Ask<'_> {
        type Out = Result<(usize, Vec<QuestionView>), Divergence>;
        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            Ok((start.observation_len(), asked::<P>(self.0)?))
        }
    }
    let record = parse(text)?;
    let header = &record.header;
    let (observation_len, questions) =
        arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Ask(&record))
            .map_err(Divergence::from)
            .and_then(|asked| asked)
            .map_err(failure)?;
    let Record { header, forfeits, .. } = record;
    Ok(QuestionsView {
        ruleset: header.ruleset,
        entrants: header.entrants,
        observation_len,
        memory_bytes: header.budgets.memory_bytes,
        questions,
        forfeits,
    })
}

/// Why a record has no questions: this module lacks its game, or the rules do not agree with it.
fn failure(divergence: Divergence) -> Failure {
    let code = if matches!(divergence, Divergence::Unknown(_)) { "unknown_game" } else { "differs" };
    Failure::of_rules(code, &divergence)
}

fn asked<P: Protocol>(record: &Record) -> Result<Vec<QuestionView>, Divergence> {
    let seeds = seat_seeds(&record.header);
    let pass = P::pass().map(|pass| P::encode_action(&pass));
    let mut questions = Vec::new();
    arena_referee::walk(record, |game: &Referee<P>, plays| {
        questions.extend(plays.iter().map(|play| {
            // The record is checked on the way, so every play is that of an existing seat.
            let seat = Seat(play.seat);
            QuestionView {
                seat: play.seat,
                observation: Bytes(game.position().observation(seat, &seeds[seat])),
                answer: play.action.clone(),
                broke: game.bank(seat) == Some(play.fuel.unwrap_or(0)) && pass.as_ref() == Some(&play.action.0),
            }
        }));
    })?;
    Ok(questions)
}

/// The answer of a built-in opponent to an observation; `None` for any other id or version.
pub(crate) fn answer(ruleset: &str, id: &EntrantId, observation: &[u8]) -> Result<Option<Bytes>, Failure> {
    let Some((name, version)) = id.baseline() else { return Ok(None) };
    let Ok(opponent) = Opponent::named(ruleset, &format!("{name}@{version}")) else { return Ok(None) };
    let answer = opponent.answer(observation).map_err(|error| Failure::new("bad_request", error))?;
    Ok(Some(Bytes(answer)))
}
