//! Players that need no engine, a baseline and a script, and what all these tests do with them.

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_record::{Budgets, Header, Hex, Record};
use arena_referee::{Divergence, Failure, Fault, Player, Reply, Started, check, play};
use arena_rules::BySeat;
use arena_rules::conquerors::{Action, Options, Position};
use arena_wire::Protocol;
use arena_wire::conquerors::Observation;

/// A header for two entrants whose seed is one byte over and over.
pub(crate) fn header(entrants: [&str; 2], seed: u8) -> Header {
    Header {
        semantics: "example".into(),
        build: "example".into(),
        ruleset: "conquerors@2".into(),
        options: Position::options_text(&Options::V2.into()),
        budgets: Budgets::DEFAULT,
        seed: Hex([seed; 32]),
        entrants: entrants.map(|id| id.parse().expect("an id")).to_vec(),
        opponents: Default::default(),
    }
}

/// A game between two built-in opponents.
pub(crate) fn baseline_game(tiers: [&str; 2], seed: u8) -> Record {
    let [blue, red] = tiers.map(|tier| format!("baseline:{tier}@1"));
    replayed(header([&blue, &red], seed))
}

/// Plays the game of a header between built-in opponents.
pub(crate) fn replayed(header: Header) -> Record {
    let players = header.entrants.iter().map(|id| Baseline::new(id.baseline().expect("a built-in opponent").0));
    let mut players: Vec<Baseline> = players.collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    play(header, BySeat::from(seated)).expect("a game was played")
}

/// A built-in opponent, played natively, that remembers what it saw.
pub(crate) struct Baseline {
    pub(crate) tier: Tier,
    pub(crate) observation_len: usize,
    pub(crate) seen: Vec<Vec<u8>>,
    /// After so many turns it fails.
    pub(crate) turns_left: usize,
}

impl Baseline {
    pub(crate) fn new(tier: &str) -> Baseline {
        let tier = Tier::from_name(tier).expect("a tier");
        Baseline { tier, observation_len: 0, seen: Vec::new(), turns_left: usize::MAX }
    }
}

impl Player for Baseline {
    fn start(&mut self, observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        self.observation_len = observation_len;
        Ok(Started { fuel: None })
    }

    fn turn(&mut self, observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        if self.turns_left == 0 {
            return Err(Fault::failure(arena_record::ForfeitCode::FuelExhausted, "tired"));
        }
        self.turns_left -= 1;
        self.seen.push(observation.to_vec());
        let seen = Observation::decode(observation).expect("the referee shows observations");
        let turn = choose(&seen.position, seen.seat, self.tier, &Params::SHIPPED, &seen.seat_seed);
        Ok(Reply { action: Position::encode_action(&Action::from(&turn)), fuel: None })
    }
}

/// A player that starts as told and gives its answers one after the other.
pub(crate) struct Script {
    pub(crate) start: Result<(), Failure>,
    pub(crate) answers: Vec<Result<Vec<u8>, Failure>>,
    pub(crate) fuel: Option<u64>,
    pub(crate) starts_asked: usize,
    pub(crate) turns_asked: usize,
}

impl Script {
    fn new(answers: Vec<Result<Vec<u8>, Failure>>) -> Script {
        Script { start: Ok(()), answers, fuel: None, starts_asked: 0, turns_asked: 0 }
    }

    /// Plays these actions.
    pub(crate) fn of(actions: Vec<Action>) -> Script {
        Script::new(actions.iter().map(|action| Ok(Position::encode_action(action))).collect())
    }

    /// Answers with these bytes.
    pub(crate) fn answering(bytes: Vec<u8>) -> Script {
        Script::new(vec![Ok(bytes)])
    }

    /// Fails in its first turn.
    pub(crate) fn failing(fault: Fault) -> Script {
        Script::new(vec![Err(Failure::Own(fault))])
    }
}

impl Player for Script {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        self.starts_asked += 1;
        self.start.clone().map(|()| Started { fuel: self.fuel })
    }

    fn turn(&mut self, _observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        let answer = self.answers.get(self.turns_asked).expect("the script goes on").clone();
        self.turns_asked += 1;
        answer.map(|action| Reply { action, fuel: self.fuel })
    }
}

/// Two players in their seats.
pub(crate) fn seated<'a>(blue: &'a mut dyn Player, red: &'a mut dyn Player) -> BySeat<&'a mut dyn Player> {
    BySeat::from(vec![blue, red])
}

/// A game between scripts.
pub(crate) fn scripted(blue: &mut Script, red: &mut Script) -> Record {
    play(header(["baseline:easy@1", "baseline:hard@1"], 9), seated(blue, red)).expect("a game was played")
}

/// The record with a change; what [`check`] says to it.
pub(crate) fn verdict(record: &Record, change: impl Fn(&mut Record)) -> Result<(), Divergence> {
    let mut changed = record.clone();
    change(&mut changed);
    assert_ne!(changed, *record, "the change changes nothing");
    check(&changed)
}
