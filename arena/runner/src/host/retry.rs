//! Retrying games after platform faults.

use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use arena_record::Record;
use arena_referee::{PlatformFault, PlayError};
use arena_worker::Wall;

/// How often a game is tried next to others under the wall budget, before it is played alone and without one.
const TRIES_WITH_WALL: u32 = 2;

/// Games hold the lock shared; a game that must run alone holds it exclusively.
#[derive(Default)]
pub(crate) struct Tries(RwLock<()>);

/// A game after all tries.
pub(crate) struct Tried<'a, P> {
    /// The players of the last try.
    pub(crate) players: P,
    /// How many tries there were.
    pub(crate) tries: u32,
    /// The record, or the last platform fault.
    pub(crate) played: Result<Record, PlatformFault>,
    /// After the last possible try: keeps other games waiting until it is dropped.
    pub(crate) alone: Option<RwLockWriteGuard<'a, ()>>,
}

impl Tries {
    /// Has a game played `once`, and again if the machine fails: next to others under `wall`, the third time alone and
    /// without a wall.
    ///
    /// # Errors
    /// When there is no such game.
    pub(crate) fn play<P>(
        &self,
        wall: Wall,
        once: impl Fn(Wall) -> (P, Result<Record, PlayError>),
    ) -> Result<Tried<'_, P>, PlayError> {
        // Poisoning only means that another game panicked; the lock guards no data.
        for tries in 1..=TRIES_WITH_WALL {
            let _shared = self.0.read().unwrap_or_else(PoisonError::into_inner);
            match once(wall) {
                (players, Ok(record)) => return Ok(Tried { players, tries, played: Ok(record), alone: None }),
                (_, Err(PlayError::Platform(_))) => {}
                (_, Err(error)) => return Err(error),
            }
        }
        let alone = Some(self.0.write().unwrap_or_else(PoisonError::into_inner));
        let tries = TRIES_WITH_WALL + 1;
        match once(Wall::None) {
            (players, Ok(record)) => Ok(Tried { players, tries, played: Ok(record), alone }),
            (players, Err(PlayError::Platform(fault))) => Ok(Tried { players, tries, played: Err(fault), alone }),
            (_, Err(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::testing::record;

    const WALL: Wall = Wall::Milliseconds(7);

    /// Plays a game in which the machine fails `faults` times; returns the walls of the tries, and the result.
    fn tried(faults: usize) -> (Vec<Wall>, (usize, u32, Result<Record, PlatformFault>)) {
        let (tries, walls) = (Tries::default(), RefCell::new(Vec::new()));
        let once = |wall| {
            walls.borrow_mut().push(wall);
            let number = walls.borrow().len();
            assert!(tries.0.try_write().is_err(), "no game is played without the lock");
            assert_eq!(tries.0.try_read().is_err(), wall == Wall::None, "beside others unless it is alone");
            let fault = || Err(PlayError::Platform(PlatformFault(format!("fault {number}"))));
            (number, if number <= faults { fault() } else { Ok(record(1)) })
        };
        let Tried { players, tries: count, played, alone } = tries.play(WALL, once).expect("there is such a game");
        assert_eq!(alone.is_some(), tries.0.try_read().is_err(), "still alone while somebody is convicted");
        drop(alone);
        assert!(tries.0.try_write().is_ok());
        (walls.into_inner(), (players, count, played))
    }

    #[test]
    fn a_game_is_tried_twice_and_then_alone_without_a_wall() {
        for (faults, expected) in [&[WALL][..], &[WALL, WALL], &[WALL, WALL, Wall::None]].into_iter().enumerate() {
            let (walls, (players, count, played)) = tried(faults);
            assert_eq!(walls, expected);
            assert_eq!((players, count as usize), (faults + 1, faults + 1), "the players of the last try");
            assert_eq!(played, Ok(record(1)));
        }
        let (walls, (_, count, played)) = tried(3);
        assert_eq!((walls.len(), count), (3, 3));
        assert_eq!(played, Err(PlatformFault("fault 3".into())));
    }

    #[test]
    fn a_game_that_does_not_exist_is_tried_once() {
        let count = RefCell::new(0);
        let once = |_| {
            *count.borrow_mut() += 1;
            ((), Err(PlayError::Seats { seats: 2, entrants: 3 }))
        };
        assert!(Tries::default().play(WALL, once).is_err());
        assert_eq!(count.into_inner(), 1);
    }
}
