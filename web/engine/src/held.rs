//! The held game. A page asks many questions about one position; holding it means that nothing of the game is sent,
//! parsed or played again for each, so a question costs the same however long the game is.

use std::cell::RefCell;

use arena_record::Budgets;
use arena_referee::Referee;
use arena_rules::Seat;
use arena_wire::Protocol;

use crate::action::CallText;
use crate::check::CheckView;
use crate::failure::Failure;
use crate::game::{GameText, Question};

thread_local! {
    /// The number of the game that was held last, and its position.
    static HELD: RefCell<(u32, Option<Box<dyn Checks>>)> = const { RefCell::new((0, None)) };
}

/// A position of some ruleset, in which turns can be checked.
trait Checks {
    fn check(&self, seat: Seat, calls: &[CallText]) -> Result<CheckView, Failure>;
}

struct At<P> {
    options: String,
    position: P,
}

impl<P: Protocol> Checks for At<P> {
    fn check(&self, seat: Seat, calls: &[CallText]) -> Result<CheckView, Failure> {
        // The position contains all that was played, so the game can go on as if it began there.
        CheckView::of(Referee::new(self.position.clone(), &self.options, &Budgets::DEFAULT), seat, calls)
    }
}

/// Holds a game, in place of the one before, and returns the number to ask about it by.
pub(crate) fn hold(game: &GameText) -> Result<u32, Failure> {
    struct Hold<'a>(&'a str);
    impl Question for Hold<'_> {
        type Answer = Box<dyn Checks>;
        fn ask<P: Protocol>(self, game: Referee<P>) -> Self::Answer {
            Box::new(At { options: self.0.into(), position: game.position().clone() })
        }
    }
    let position = game.ask(Hold(&game.options))?;
    Ok(HELD.with_borrow_mut(|(number, held)| {
        *number = number.wrapping_add(1);
        *held = Some(position);
        *number
    }))
}

/// Checks a seat's turn in the making, in the game that is held under this number.
pub(crate) fn check(number: u32, seat: u8, calls: &[CallText]) -> Result<CheckView, Failure> {
    HELD.with_borrow(|(last, held)| match held {
        Some(held) if *last == number => held.check(Seat(seat), calls),
        _ => Err(Failure::new("bad_request", format!("no game is held under the number {number}"))),
    })
}
