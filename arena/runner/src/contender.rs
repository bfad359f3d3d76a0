//! Players that can be seated in a game.

use std::sync::Arc;

use arena_baselines::{Opponent, UnknownOpponent};
use arena_ledger::BuiltIn;

use arena_record::{EntrantId, Record};
use arena_referee::{Failure, Player, RecordedPlayer, Reply, Started};
use arena_rules::Seat;
use arena_sandbox::{Bot, Left, Refusal, SandboxPlayer};
use arena_worker::{RemoteBot, RemotePlayer, Wall};

/// A bot, or a built-in opponent. Cheap to clone.
#[derive(Clone)]
pub enum Contender {
    /// A built-in opponent, played natively.
    Baseline(Opponent),
    /// A bot in a sandbox of this process.
    Bot(Bot),
    /// A bot in a worker process.
    Remote(RemoteBot),
    /// The player of this seat in a recorded game, who answers from the record. Also used for persons.
    Recorded(Arc<Record>, Seat),
}

impl Contender {
    /// The built-in opponent of a game with this name: its newest version, or the given one, as in `hard@1`.
    ///
    /// # Errors
    /// When there is no such opponent.
    pub fn baseline(ruleset: &str, name: &str) -> Result<Contender, UnknownOpponent> {
        Opponent::named(ruleset, name).map(Contender::Baseline)
    }

    /// The built-in opponent with this id, in its version; `None` for other ids and for opponents that this release
    /// lacks.
    pub fn of_baseline(ruleset: &str, id: &EntrantId) -> Option<Contender> {
        let (name, version) = id.baseline()?;
        Contender::baseline(ruleset, &format!("{name}@{version}")).ok()
    }

    /// The names of a game's built-in opponents: those for its usual options, weakest first, then those for other
    /// options.
    pub fn built_in(ruleset: &str) -> impl Iterator<Item = &'static str> {
        Opponent::all(ruleset).map(|opponent| opponent.name())
    }

    /// The names of those in standing tournaments: made for the usual options, weakest first.
    pub fn usual(ruleset: &str) -> impl Iterator<Item = &'static str> {
        Opponent::usual(ruleset).map(|opponent| opponent.name())
    }

    /// The options that a built-in opponent was made for, if not the usual ones.
    pub fn made_for(&self) -> Option<&'static str> {
        if let Contender::Baseline(opponent) = self { opponent.made_for() } else { None }
    }

    /// How a built-in opponent plays, in a few words; empty for others.
    pub fn about(&self) -> &'static str {
        if let Contender::Baseline(opponent) = self { opponent.about() } else { "" }
    }

    /// Its id.
    pub fn id(&self) -> EntrantId {
        match self {
            Contender::Baseline(opponent) => EntrantId::of_baseline(opponent.name(), opponent.version()),
            Contender::Bot(bot) => bot.id().clone(),
            Contender::Remote(bot) => bot.id().clone(),
            Contender::Recorded(record, seat) => record.header.entrants[seat.index()].clone(),
        }
    }

    /// The same contender for a profile: a call of a bot ends in the function that used its fuel up. `bytes` are the
    /// bot's.
    ///
    /// # Errors
    /// When the engine refuses the bot after all.
    pub(crate) fn profiled(&self, bytes: &[u8], memory_bytes: u64) -> Result<Contender, Refusal> {
        Ok(match self {
            Contender::Baseline(_) | Contender::Recorded(..) => self.clone(),
            Contender::Bot(bot) => Contender::Bot(bot.profiled(bytes, memory_bytes)?),
            Contender::Remote(bot) => Contender::Remote(bot.profiled()),
        })
    }

    /// A player for one game.
    pub fn player(&self, wall: Wall) -> ContenderPlayer {
        ContenderPlayer(match self {
            Contender::Baseline(opponent) => Kind::Native(BuiltIn(*opponent)),
            Contender::Bot(bot) => Kind::Here(SandboxPlayer::new(bot)),
            Contender::Remote(bot) => Kind::Remote(bot.player(wall)),
            Contender::Recorded(record, seat) => Kind::Recorded(RecordedPlayer::new(record.clone(), *seat)),
        })
    }
}

/// A contender in a seat of one game.
pub struct ContenderPlayer(Kind);

enum Kind {
    Native(BuiltIn),
    Here(SandboxPlayer),
    Remote(RemotePlayer),
    Recorded(RecordedPlayer),
}

impl ContenderPlayer {
    /// The same bot in another seat of the same game, if it can use the same process; `None` if it cannot, or has no
    /// process.
    pub(crate) fn beside(&self) -> Option<ContenderPlayer> {
        match &self.0 {
            Kind::Remote(player) => player.beside().map(Kind::Remote).map(ContenderPlayer),
            Kind::Native(_) | Kind::Recorded(_) | Kind::Here(_) => None,
        }
    }

    /// Withholds so much fuel from all turns of a bot to come: they end without it, and `arena.fuel` counts it as if it
    /// were there. For bots that are [profiled](Contender::profiled).
    pub(crate) fn withhold(&mut self, fuel: u64) {
        match &mut self.0 {
            Kind::Native(_) | Kind::Recorded(_) => {}
            Kind::Here(player) => player.withhold(fuel),
            Kind::Remote(player) => player.withhold(fuel),
        }
    }

    /// Memory of the bot at its last answer, in bytes; 0 for a built-in opponent.
    pub fn memory_bytes(&self) -> usize {
        match &self.0 {
            Kind::Native(_) | Kind::Recorded(_) => 0,
            Kind::Here(player) => player.memory_bytes(),
            Kind::Remote(player) => player.memory_bytes(),
        }
    }

    /// What the bot has left behind so far; until it failed, if it did. Hostile text: escape it wherever it is shown.
    pub fn left(&mut self) -> Left {
        match &mut self.0 {
            Kind::Native(_) | Kind::Recorded(_) => Left::default(),
            Kind::Here(player) => player.left(),
            Kind::Remote(player) => player.left(),
        }
    }

    /// Whether the bot's process was lost in this game; never for players of this process.
    pub fn lost_worker(&self) -> bool {
        match &self.0 {
            Kind::Native(_) | Kind::Recorded(_) | Kind::Here(_) => false,
            Kind::Remote(player) => player.lost_worker(),
        }
    }

    fn player(&mut self) -> &mut dyn Player {
        match &mut self.0 {
            Kind::Native(player) => player,
            Kind::Here(player) => player,
            Kind::Remote(player) => player,
            Kind::Recorded(player) => player,
        }
    }
}

impl Player for ContenderPlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.player().start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        self.player().turn(observation, fuel)
    }
}
