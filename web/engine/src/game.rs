//! A game in progress, of any ruleset.

use arena_record::{Budgets, Bytes, Forfeit, Hex, Play};
use arena_referee::{Fault, Referee, Refused, Reply};
use arena_rules::{Phrase, Seat};
use arena_wire::{Protocol, Visitor, options_of};
use serde::Deserialize;

use crate::failure::Failure;

/// A game in progress: everything that its position depends on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameText {
    ruleset: String,
    pub(crate) options: String,
    /// The game's seed; needed only if the opening depends on it.
    #[serde(default)]
    seed: Option<Hex<32>>,
    /// The position that it begins with, as a seat sees it, if that is not the start of its options.
    #[serde(default)]
    from: Option<Bytes>,
    /// The plays, turn by turn.
    turns: Vec<Vec<Play>>,
    /// The forfeits, also those of the turn that comes next.
    #[serde(default)]
    forfeits: Vec<Forfeit>,
}

/// A question about a game in progress, whatever its ruleset.
pub(crate) trait Question {
    type Answer;
    fn ask<P: Protocol>(self, game: Referee<P>) -> Self::Answer;
}

impl GameText {
    /// The answer to a question about this game.
    pub(crate) fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, Failure> {
        struct Asked<'a, Q>(&'a GameText, Q);
        impl<Q: Question> Visitor for Asked<'_, Q> {
            type Out = Result<Q::Answer, Failure>;
            fn visit<P: Protocol>(self, start: P) -> Self::Out {
                let Asked(game, question) = self;
                if game.seed.is_none()
                    && options_of::<P>(&game.options).is_ok_and(|options| P::starts_from_seed(&options))
                {
                    return Err(Failure::new(
                        "bad_request",
                        "a game with this start depends on its seed, which is missing",
                    ));
                }
                let start = match &game.from {
                    Some(shown) => P::observe(&shown.0).map_err(|error| Failure::new("bad_request", error))?.position,
                    None => start,
                };
                Ok(question.ask(game.after(start)?))
            }
        }
        let seed = self.seed.map_or([0; 32], |Hex(seed)| seed);
        arena_wire::start(&self.ruleset, &self.options, &seed, Asked(self, question))
            .map_err(|error| Failure::new("unknown_game", error))?
    }

    /// The game after turns that are all legal. Pages count no fuel: a seat whose bank was empty is among the plays, as
    /// a pass.
    fn after<P: Protocol>(&self, start: P) -> Result<Referee<P>, Failure> {
        let mut game = Referee::new(start, &self.options, &Budgets::DEFAULT);
        let refused = |why: Refused| Failure::of_rules("illegal_move", &why);
        for Forfeit { seat, code, detail, .. } in self.forfeits.iter().filter(|forfeit| forfeit.turn.is_none()) {
            let fault = Fault { code: *code, detail: detail.clone() };
            game.fail_to_start(Seat(*seat), fault).map_err(refused)?;
        }
        for (plays, turn) in self.turns.iter().zip(0_u16..) {
            let refused = |why| refused(why).in_turn(usize::from(turn) + 1);
            for Forfeit { seat, code, detail, .. } in self.forfeits.iter().filter(|forfeit| forfeit.turn == Some(turn))
            {
                game.forfeit(Seat(*seat), Fault { code: *code, detail: detail.clone() }).map_err(refused)?;
            }
            for Play { seat, action, .. } in plays {
                let reply = Reply { action: action.0.clone(), fuel: None };
                game.submit(Seat(*seat), reply).map_err(refused)?;
            }
            if game.turn() <= turn {
                let lacking = vec![Phrase::new("answer-missing", &[]).into()];
                let lacking = Failure { phrases: lacking, ..Failure::new("illegal_move", "an answer is missing") };
                let is_over = game.outcome().is_some();
                return Err(if is_over { refused(Refused::Over) } else { lacking.in_turn(usize::from(turn) + 1) });
            }
        }
        // A turn that forfeits end is not among the turns.
        let next = game.turn();
        for Forfeit { seat, code, detail, .. } in self.forfeits.iter().filter(|forfeit| forfeit.turn == Some(next)) {
            if game.outcome().is_none() {
                let fault = Fault { code: *code, detail: detail.clone() };
                game.forfeit(Seat(*seat), fault).map_err(refused)?;
            }
        }
        game.end_if_decided();
        Ok(game)
    }
}
