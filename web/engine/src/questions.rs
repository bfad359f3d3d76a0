//! What the players of a recorded game were asked, so that a page can ask them again.

use arena_baselines::Opponent;
use arena_record::{Budgets, Bytes, EntrantId, Forfeit, Record};
use arena_referee::Divergence;
use arena_rules::Seat;
use arena_wire::{Protocol, Visitor, seat_seed};
use serde::Serialize;

use crate::replay::parse;
use crate::request::Failure;

/// A recorded game as questions and answers.
#[derive(Serialize)]
pub(crate) struct QuestionsView {
    ruleset: String,
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
    /// Whether the rules answered for it, because its bank of fuel was empty or became so.
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
            .map_err(|divergence| Failure::new("not_a_record", format!("the rules do not agree: {divergence}")))?;
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

fn asked<P: Protocol>(record: &Record) -> Result<Vec<QuestionView>, Divergence> {
    let header = &record.header;
    let replay = arena_referee::replay::<P>(record)?;
    let seeds: Vec<_> =
        (0..).zip(&header.entrants).map(|(seat, id)| seat_seed(&header.seed.0, Seat(seat), id.as_str())).collect();
    let mut purses: Vec<Purse> = header.entrants.iter().map(|_| Purse::of(&header.budgets)).collect();
    let turns = replay.positions.iter().zip(&record.turns);
    let plays = turns.flat_map(|(position, turn)| turn.plays.iter().map(move |play| (position, play)));
    let pass = P::pass().map(|pass| P::encode_action(&pass));
    Ok(plays
        .map(|(position, play)| {
            // The record was replayed, so every play is of a seat that exists.
            let seat = usize::from(play.seat);
            QuestionView {
                seat: play.seat,
                observation: Bytes(position.observation(Seat(play.seat), &seeds[seat])),
                answer: play.action.clone(),
                broke: purses[seat].pays(play.fuel) && pass.as_ref() == Some(&play.action.0),
            }
        })
        .collect())
}

/// What a seat could still spend, where the game has a bank.
struct Purse(Option<u64>);

impl Purse {
    fn of(budgets: &Budgets) -> Purse {
        Purse(budgets.fuel_per_game)
    }

    /// Pays for a turn; whether the bank is empty after it.
    fn pays(&mut self, fuel: Option<u64>) -> bool {
        let Some(bank) = &mut self.0 else { return false };
        *bank = bank.saturating_sub(fuel.unwrap_or(0));
        *bank == 0
    }
}

/// What the built-in opponent of this id answers to an observation; `None` for all others, and for one of another version.
pub(crate) fn answer(ruleset: &str, id: &EntrantId, observation: &[u8]) -> Result<Option<Bytes>, Failure> {
    let Some((name, Opponent::VERSION)) = id.baseline() else { return Ok(None) };
    let Ok(opponent) = Opponent::named(ruleset, name) else { return Ok(None) };
    let answer = opponent.answer(observation).map_err(|error| Failure::new("bad_request", error))?;
    Ok(Some(Bytes(answer)))
}
