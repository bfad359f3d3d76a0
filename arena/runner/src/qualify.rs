//! Is this a bot, and what does it use? The same question on the command line and at an upload.

use arena_baselines::Opponent;
use arena_record::{Budgets, EntrantId, Forfeit, Record};
use arena_referee::{PlayError, Player, play};
use arena_rules::{BySeat, Seat, Seed};
use arena_sandbox::{Refusal, RefusalCode, Wall};
use arena_wire::Game;
use arena_worker::WorkerError;

use crate::table::TRIES_WITH_WALL;
use crate::{Contender, Host, LoadError, Table};

/// What came of a qualification.
pub enum Qualification {
    /// The bytes are not a bot.
    Refused(Refusal),
    /// The bot was played; it is accepted unless it forfeited a sample game.
    Played(Sample),
}

/// Why a bot may not play, in the words that its author reads: the same on the command line and at an upload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection {
    /// The stable code, of a refusal or of a forfeit.
    pub code: &'static str,
    /// What is wrong, in a sentence. May quote names from the file, escaped.
    pub message: String,
    /// What the author can do about it.
    pub hint: &'static str,
    /// The byte of the file it is about, where there is one.
    pub offset: Option<u64>,
}

impl Qualification {
    /// Why the bot may not play; `None` when it may.
    pub fn objection(&self) -> Option<Objection> {
        let sample = match self {
            Qualification::Refused(Refusal { code, message, offset }) => {
                let (message, offset) = (message.clone(), *offset);
                return Some(Objection { code: code.as_str(), message, hint: code.hint(), offset });
            }
            Qualification::Played(sample) => sample,
        };
        let (seat, forfeit) = sample.forfeit()?;
        let (opponent, seat) = (sample.opponent, sample.game.seat_name(seat));
        Some(Objection {
            code: forfeit.code.as_str(),
            message: format!("it forfeits a sample game against {opponent}, as {seat}: {forfeit}"),
            hint: "`arena play` and `arena replay` show the game; sdk/ABI.md says what each code means",
            offset: None,
        })
    }
}

/// What a bot's sample games showed.
pub struct Sample {
    /// The game that was played.
    pub game: &'static Game,
    /// The built-in opponent it was played against.
    pub opponent: &'static str,
    /// The hash of its bytes.
    pub id: EntrantId,
    /// The names of its exports: hostile text.
    pub exports: Vec<String>,
    /// The game in the first seat, then the one in the second.
    pub games: Vec<SampleGame>,
}

/// One sample game.
pub struct SampleGame {
    /// Where the bot sat.
    pub seat: Seat,
    /// The whole game.
    pub record: Record,
    /// Memory of the bot at its last answer, in bytes.
    pub memory_bytes: usize,
    /// Lines of the bot's log, as it wrote them: hostile text, and for its author only.
    pub log: Vec<String>,
    /// Lines beyond the log's limits, which were dropped.
    pub log_dropped: u64,
}

/// Why a bot could not be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum QualifyError {
    /// A worker failed.
    #[error("the bot could not be checked; try again")]
    Worker(#[from] WorkerError),
    /// The game has nobody to play a sample game against.
    #[error("{0} has no built-in opponents")]
    NoOpponent(&'static str),
    /// The machine failed in a sample game.
    #[error("a sample game could not be played; try again")]
    Game(#[from] PlayError),
}

impl Sample {
    /// The bot's first forfeit, with the seat it had.
    pub fn forfeit(&self) -> Option<(Seat, &Forfeit)> {
        self.games.iter().find_map(|game| {
            let own = game.record.forfeits.iter().find(|forfeit| forfeit.seat == game.seat.0)?;
            Some((game.seat, own))
        })
    }

    /// Most fuel of a start, where it is metered.
    pub fn start_fuel(&self) -> Option<u64> {
        self.games.iter().filter_map(|game| game.record.starts[game.seat.index()]).max()
    }

    /// Fuel of each of the bot's turns, in the order they were played.
    pub fn turn_fuel(&self) -> Vec<u64> {
        let plays = self.games.iter().flat_map(|game| {
            let all = game.record.turns.iter().flat_map(|turn| &turn.plays);
            all.filter(|play| play.seat == game.seat.0)
        });
        plays.filter_map(|play| play.fuel).collect()
    }
}

/// Checks a bot, then plays one game in each seat against the game's weakest built-in opponent. The same bytes and seed give
/// the same games.
///
/// # Errors
/// When the machine failed, not the bot.
pub fn qualify(
    host: &Host,
    bytes: &[u8],
    game: &'static Game,
    budgets: &Budgets,
    seed: u64,
    wall: Wall,
) -> Result<Qualification, QualifyError> {
    let bot = match host.load(bytes, budgets) {
        Ok(bot) => bot,
        Err(LoadError::Refused(refusal)) => return Ok(Qualification::Refused(refusal)),
        Err(LoadError::Worker(error)) => return Err(error.into()),
    };
    let opponent = Opponent::sample(game.ruleset).ok_or(QualifyError::NoOpponent(game.ruleset))?;
    let table = Table::new(game.ruleset, game.casual, *budgets, wall);
    let mut games = Vec::new();
    for seat in [Seat(0), Seat(1)] {
        match sample_game(&table, &bot, opponent, seat, seed, wall)? {
            Some(game) => games.push(game),
            None => return Ok(Qualification::Refused(engine_crash())),
        }
    }
    Ok(Qualification::Played(Sample { game, opponent: opponent.name(), id: bot.id(), exports: bot.exports(), games }))
}

/// What no bot should be able to do.
fn engine_crash() -> Refusal {
    let message = "the process it runs in dies each time it plays a sample game".into();
    Refusal { code: RefusalCode::EngineCrash, message, offset: None }
}

/// Plays a sample game, as often as a table would; `None` when the bot's process dies even the last time.
fn sample_game(
    table: &Table,
    bot: &Contender,
    opponent: Opponent,
    seat: Seat,
    seed: u64,
    wall: Wall,
) -> Result<Option<SampleGame>, QualifyError> {
    let opponent = Contender::Baseline(opponent);
    let mut game_seed: Seed = [0; 32];
    game_seed[..8].copy_from_slice(&seed.to_le_bytes());
    let ids = BySeat::new(2, |at| if at == seat { bot.id() } else { opponent.id() });
    let header = table.header(game_seed, ids.into_values());
    let mut tries = 0;
    loop {
        let is_last = tries >= TRIES_WITH_WALL;
        let wall = if is_last { Wall::None } else { wall };
        let (mut own, mut other) = (bot.player(wall), opponent.player(wall));
        let players: [&mut dyn Player; 2] =
            if seat == Seat(0) { [&mut own, &mut other] } else { [&mut other, &mut own] };
        tries += 1;
        match play(header.clone(), BySeat::from(players)) {
            Ok(record) => {
                let (log, log_dropped, memory_bytes) = (own.log(), own.log_dropped(), own.memory_bytes());
                return Ok(Some(SampleGame { seat, record, memory_bytes, log, log_dropped }));
            }
            Err(PlayError::Platform(_)) if !is_last => {}
            Err(PlayError::Platform(_)) if own.lost_worker() => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
}
