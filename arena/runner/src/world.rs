//! Bots in a world: loading, starting and asking them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::thread;

use arena_record::{Budgets, EntrantId};
use arena_referee::{Failure, PlatformFault, Player};
use arena_rules::life2::Position;
use arena_wire::Protocol;
use arena_wire::life2::OBSERVATION_LEN;
use arena_worker::Wall;
use arena_world::{Answer, Players, Turn};
use tracing::warn;

use crate::{Contender, ContenderPlayer, as_they_come};

/// How often a bot is tried when the machine fails; the last time without a wall budget.
const TRIES: u32 = 3;

/// Finds a bot by its id; `None` if its bytes are missing.
pub type FindBot = Box<dyn FnMut(&EntrantId) -> Option<Contender> + Send>;

/// The bots of a world since their last restart.
pub struct WorldBots {
    find: FindBot,
    wall: Wall,
    places: Vec<Option<Place>>,
}

struct Place {
    contender: Contender,
    /// `None` before its first question, and after the machine failed with it.
    player: Option<ContenderPlayer>,
    /// Its observations and answers since its start.
    exchanges: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The budgets of bots in a world.
pub fn world_budgets() -> Budgets {
    Budgets::of(Position::ALLOWANCE)
}

/// The most fuel of a bot's start in a world: that of a turn. All bots of a world restart every minute at once, so a
/// start that builds tables for seconds would hold up the world each time.
pub fn world_start_fuel_max() -> u64 {
    world_budgets().fuel_per_move
}

/// Why a bot cannot play in worlds.
#[derive(Debug, thiserror::Error)]
pub enum UnfitForWorlds {
    /// Its start fails, or takes more fuel than [`world_start_fuel_max`]. A start sees nothing of a world, so it is the
    /// same each time.
    #[error("bots of worlds start within {} fuel, and this one does not", world_start_fuel_max())]
    Start,
    /// The machine failed with it.
    #[error(transparent)]
    Platform(PlatformFault),
}

/// Starts a bot once, as in a world.
///
/// # Errors
/// When it cannot play in worlds, or the machine fails.
pub fn fit_for_worlds(contender: &Contender, wall: Wall) -> Result<(), UnfitForWorlds> {
    match contender.player(wall).start(OBSERVATION_LEN, world_start_fuel_max()) {
        Ok(_) => Ok(()),
        Err(Failure::Own(_)) => Err(UnfitForWorlds::Start),
        Err(Failure::Platform(fault)) => Err(UnfitForWorlds::Platform(fault)),
    }
}

impl WorldBots {
    /// Bots that `find` loads, each within [`world_budgets`].
    pub fn new(find: FindBot, wall: Wall) -> WorldBots {
        WorldBots { find, wall, places: Vec::new() }
    }

    /// The built-in opponent that an id names.
    pub fn built_in(id: &EntrantId) -> Option<Contender> {
        Contender::of_baseline(<Position as arena_rules::Ruleset>::ID, id)
    }

    /// Puts a bot, or none, into a place.
    fn seat(&mut self, at: usize, id: Option<&EntrantId>) {
        if self.places.len() <= at {
            self.places.resize_with(at + 1, || None);
        }
        let contender = id.and_then(|id| WorldBots::built_in(id).or_else(|| (self.find)(id)));
        self.places[at] = contender.map(|contender| Place { contender, player: None, exchanges: Vec::new() });
    }
}

/// The questions to one bot: their numbers and observations.
type Questions<'a> = Vec<(usize, &'a [u8])>;

impl Players for WorldBots {
    fn turn(&mut self, turn: &Turn) -> Vec<Answer> {
        if turn.afresh {
            self.places.clear();
        }
        for (at, id) in &turn.places {
            self.seat(*at, id.as_ref());
        }
        let mut asked: BTreeMap<usize, Questions<'_>> = BTreeMap::new();
        for (number, (at, observation)) in turn.questions.iter().enumerate() {
            asked.entry(*at).or_default().push((number, observation));
        }
        let mut answers = vec![Answer::Gone; turn.questions.len()];
        let places = self.places.iter_mut().enumerate();
        let places = places.filter_map(|(at, place)| Some((place.as_mut()?, asked.remove(&at)?)));
        let places: Vec<(&mut Place, Questions<'_>)> = places.collect();
        let threads = thread::available_parallelism().map_or(1, usize::from).min(places.len());
        let wall = self.wall;
        // Bots run in parallel, because each knows only its own observations.
        let answered = |(place, questions): (&mut Place, Questions<'_>)| -> Vec<(usize, Answer)> {
            questions.into_iter().map(|(number, shown)| (number, place.answer(shown, wall))).collect()
        };
        let _: ControlFlow<()> = as_they_come(places, threads, answered, |of_one| {
            for (number, answer) in of_one {
                answers[number] = answer;
            }
            ControlFlow::Continue(())
        });
        answers
    }
}

impl Place {
    fn answer(&mut self, observation: &[u8], wall: Wall) -> Answer {
        for number in 1..=TRIES {
            match self.asked(observation, if number < TRIES { wall } else { Wall::None }) {
                Ok(action) => {
                    self.exchanges.push((observation.into(), action.clone()));
                    return Answer::Bytes(action);
                }
                Err(Failure::Own(_)) => return Answer::Failed,
                Err(Failure::Platform(cause)) => {
                    warn!(bot = self.contender.id().as_str(), %cause, "the machine failed with a bot of a world");
                    self.player = None;
                }
            }
        }
        Answer::Gone
    }

    fn asked(&mut self, observation: &[u8], wall: Wall) -> Result<Vec<u8>, Failure> {
        let budgets = world_budgets();
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                let mut player = self.contender.player(wall);
                player.start(observation.len(), budgets.fuel_at_start)?;
                for (shown, action) in &self.exchanges {
                    if player.turn(shown, budgets.fuel_per_move)?.action != *action {
                        return Err(Failure::Platform(PlatformFault("it answers otherwise than before".into())));
                    }
                }
                none.insert(player)
            }
        };
        Ok(player.turn(observation, budgets.fuel_per_move)?.action)
    }
}
