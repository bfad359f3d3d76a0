//! Records a player's questions, so that it can be asked them again alone.

use arena_referee::{Failure, Player, Reply, Started};
use arena_worker::Wall;

use crate::{Contender, ContenderPlayer};

/// A player that records its questions, at most those of one game.
pub(crate) struct Witness {
    player: ContenderPlayer,
    start: Option<(usize, u64)>,
    turns: Vec<(Vec<u8>, u64)>,
}

impl Witness {
    pub(crate) fn new(player: ContenderPlayer) -> Witness {
        Witness { player, start: None, turns: Vec::new() }
    }

    /// Whether its process died, hung or broke the protocol, or its engine failed.
    pub(crate) fn lost_worker(&self) -> bool {
        self.player.lost_worker()
    }

    /// Whether the process of `contender` dies when it is asked the same with no other player in the game.
    pub(crate) fn dies_again(&self, contender: &Contender) -> bool {
        let mut player = contender.player(Wall::None);
        let Some((observation_len, fuel)) = self.start else { return false };
        let mut failed = player.start(observation_len, fuel).is_err();
        for (observation, fuel) in &self.turns {
            failed = failed || player.turn(observation, *fuel).is_err();
        }
        player.lost_worker()
    }
}

impl Player for Witness {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.start = Some((observation_len, fuel));
        self.player.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        self.turns.push((observation.to_vec(), fuel));
        self.player.turn(observation, fuel)
    }
}
