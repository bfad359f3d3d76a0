//! Games of every ruleset, for the tests.

use arena_baselines::Opponent;
use arena_ledger::BuiltIn;
use arena_record::{Budgets, EntrantId, Header, Hex, Record};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::{BySeat, Ruleset, conquerors, game_of_game_of_life, war_of_life};
use arena_wire::{Game, Protocol};

/// Claims the next cell in a fixed order; each turn costs a given amount of fuel.
pub(crate) struct Claimer {
    pub(crate) fuel: u64,
    pub(crate) next: u8,
}

impl Player for Claimer {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        Ok(Started { fuel: Some(1) })
    }

    fn turn(&mut self, observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        let side = observation[6];
        self.next = self.next.wrapping_add(11);
        let target = game_of_game_of_life::Target { row: self.next / side % side, col: self.next % side };
        let action = game_of_game_of_life::Position::encode_action(&game_of_game_of_life::Action::Cell(target));
        Ok(Reply { action, fuel: Some(self.fuel) })
    }
}

pub(crate) fn header(ruleset: &str, options: &str, seed: u8, entrants: Vec<EntrantId>) -> Header {
    Header {
        semantics: arena_ledger::semantics_id(ruleset),
        build: "example".into(),
        ruleset: ruleset.into(),
        options: options.into(),
        budgets: Budgets::of(Game::named(ruleset).expect("a game").allowance),
        seed: Hex([seed; 32]),
        opponents: arena_ledger::opponent_digests(ruleset, &entrants),
        entrants,
    }
}

/// A game of two built-in opponents.
pub(crate) fn duel(ruleset: &str, options: &str, seed: u8, names: [&str; 2]) -> Record {
    let entrants = names.map(|name| EntrantId::of_baseline(name, 1)).to_vec();
    let mut players = names.map(|name| BuiltIn(Opponent::named(ruleset, name).expect("built in")));
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    play(header(ruleset, options, seed, entrants), BySeat::from(seated)).expect("a game")
}

/// A game of claimers, one for each given cost of a turn.
pub(crate) fn field(options: &str, seed: u8, fuels: &[u64]) -> Record {
    field_under(Budgets::of(game_of_game_of_life::Position::ALLOWANCE), options, seed, fuels)
}

/// The same with other budgets.
pub(crate) fn field_under(budgets: Budgets, options: &str, seed: u8, fuels: &[u64]) -> Record {
    let entrants = (0..).zip(fuels).map(|(seat, _)| EntrantId::of_bytes(&[seat])).collect();
    let mut players: Vec<Claimer> = (0..).zip(fuels).map(|(next, fuel)| Claimer { fuel: *fuel, next }).collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    let header = header(game_of_game_of_life::Position::ID, options, seed, entrants);
    play(Header { budgets, ..header }, BySeat::from(seated)).expect("a game")
}

/// A game of each ruleset, with options whose start needs no seed.
pub(crate) fn casual() -> [Record; 3] {
    [
        duel(conquerors::Position::ID, conquerors::Position::CASUAL, 3, ["normal", "hard"]),
        duel(war_of_life::Position::ID, war_of_life::Position::CASUAL, 4, war_of_life_names()),
        field(game_of_game_of_life::Position::CASUAL, 5, &[1, 2]),
    ]
}

/// The first and the second of War of Life's built-in opponents.
pub(crate) fn war_of_life_names() -> [&'static str; 2] {
    let mut all = Opponent::all(war_of_life::Position::ID).map(|opponent| opponent.name());
    [all.next().expect("one at least"), all.next().expect("two at least")]
}
