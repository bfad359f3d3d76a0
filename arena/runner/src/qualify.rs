//! Qualification: is this a bot, and what does it use? The same at home and for an upload.

mod advice;
mod script;
mod sentences;

use arena_baselines::Opponent;
use arena_record::{Budgets, Forfeit, Objection};
use arena_referee::{PlayError, Player, play};
use arena_rules::{BySeat, Seat, Seed};
use arena_sandbox::sentences::DIES;
use arena_sandbox::{Refusal, RefusalCode};
use arena_scripts::{Language, script_of};
use arena_wire::Game;
use arena_worker::{Wall, WorkerError};

use crate::host::{Tried, Tries};
use crate::usage::{Metered, SampleGame};
use crate::{Contender, GameTerms, Host, LoadError};
use sentences::{FORFEIT, FORFEIT_AT_START, FORFEIT_FROM_OPENING, FORFEIT_FROM_OPENING_AT_START, SCRIPT_AT_START};

pub use script::error_line;
pub use sentences::SAMPLE_SENTENCES;

/// The bot's seats in its sample games.
const SAMPLE_SEATS: [Seat; 2] = [Seat(0), Seat(1)];

/// The result of a qualification.
pub enum Qualification {
    /// The bytes are not a bot.
    Refused(Refusal),
    /// The bot was played; it is accepted unless it forfeited a sample game.
    Played(Sample),
}

impl Qualification {
    /// Why the bot may not play; `None` if it may.
    pub fn objection(&self) -> Option<Objection> {
        let sample = match self {
            Qualification::Refused(Refusal { code, message, hint, offset }) => {
                let (message, hint, offset) = (message.clone(), hint.clone(), *offset);
                return Some(Objection { code: code.as_str().into(), message, hint, offset });
            }
            Qualification::Played(sample) => sample,
        };
        let (played, forfeit) = sample.all().find_map(|played| Some((played, played.forfeit()?)))?;
        let place = sample.script.and_then(|language| script::place(language, &played.log));
        let (opponent, seat) = (sample.opponent, sample.game.seat_name(played.seat));
        let sentence = match (played.is_from_opening(sample.game), forfeit.turn, &place) {
            (_, None, Some(_)) => SCRIPT_AT_START,
            (false, Some(_), _) => FORFEIT,
            (false, None, None) => FORFEIT_AT_START,
            (true, Some(_), _) => FORFEIT_FROM_OPENING,
            (true, None, None) => FORFEIT_FROM_OPENING_AT_START,
        };
        let turn = forfeit.turn.map_or(0, u32::from) + 1;
        Some(Objection {
            code: forfeit.code.as_str().into(),
            message: sentence.with(&[
                ("opponent", &opponent),
                ("seat", &seat),
                ("turn", &turn),
                ("detail", &forfeit.detail),
                ("code", &forfeit.code),
                ("place", &place.unwrap_or_default()),
            ]),
            hint: advice::advice(sample.game, played, forfeit, sample.script),
            offset: None,
        })
    }
}

/// The results of a bot's sample games.
pub struct Sample {
    /// The game that was played.
    pub game: &'static Game,
    /// The built-in opponent it was played against.
    pub opponent: &'static str,
    /// The bot, ready to play.
    pub bot: Contender,
    /// The language of its script, if its module is the bundle of one.
    pub script: Option<Language>,
    /// The game in the first seat, then the one in the second.
    pub games: Vec<SampleGame>,
    /// The same from an opening, as tournaments play them, or the first of them, or none. They only show whether the
    /// bot forfeits.
    pub openings: Vec<SampleGame>,
}

/// Why a bot could not be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum QualifyError {
    /// A worker failed.
    #[error("cannot judge here")]
    Worker(#[from] WorkerError),
    /// The game has no opponent for sample games.
    #[error("{0} has no built-in opponents")]
    NoOpponent(&'static str),
    /// The machine failed in a sample game.
    #[error("cannot judge here: a sample game could not be played")]
    Game(#[from] PlayError),
}

impl Sample {
    /// All games, those from an opening last.
    pub fn all(&self) -> impl Iterator<Item = &SampleGame> {
        self.games.iter().chain(&self.openings)
    }

    /// The bot's first forfeit, with the seat it had.
    pub fn forfeit(&self) -> Option<(Seat, &Forfeit)> {
        self.all().find_map(|game| Some((game.seat, game.forfeit()?)))
    }

    /// [`SampleGame::fuel_charged`] of all games together.
    pub fn fuel_charged(&self) -> u64 {
        self.all().map(SampleGame::fuel_charged).sum()
    }

    /// The most fuel of a start, if it is metered.
    pub fn start_fuel(&self) -> Option<u64> {
        self.games.iter().filter_map(|game| game.record.starts[game.seat.index()]).max()
    }

    /// [`SampleGame::turn_fuel`] of the games from the usual start.
    pub fn turn_fuel(&self) -> Vec<u64> {
        self.games.iter().flat_map(SampleGame::turn_fuel).collect()
    }
}

/// The most fuel that a bot can use in its sample games, including starts. Those from an opening are played from what
/// the others leave.
pub fn sample_fuel_max(game: &Game, budgets: &Budgets) -> u64 {
    SAMPLE_SEATS.len() as u64 * game_fuel_max(game, budgets)
}

/// The same in one of them.
fn game_fuel_max(game: &Game, budgets: &Budgets) -> u64 {
    let alternates = game.shape(game.casual).is_ok_and(|shape| shape.alternates);
    let answers = u64::from(game.turns_max).div_ceil(if alternates { 2 } else { 1 });
    let turns = answers.saturating_mul(budgets.fuel_per_move).min(budgets.fuel_per_game.unwrap_or(u64::MAX));
    budgets.fuel_at_start.saturating_add(turns)
}

/// The options of games for standings where these are casual games that begin with an opening: the casual options and
/// one more.
fn opened(game: &Game) -> Option<&'static str> {
    let opening = game.ranked.strip_prefix(game.casual)?;
    opening.starts_with(',').then_some(game.ranked)
}

/// Checks a bot, then plays one game in each seat against the game's weakest built-in opponent. If it forfeits none, it
/// plays another one in each seat from an opening, where the game has openings and the fuel of [`sample_fuel_max`] is
/// enough for a whole game. The same bytes and seed give the same games.
///
/// # Errors
/// When the machine failed, not the bot.
pub fn qualify(
    host: &dyn Host,
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
    let script = script_of(bytes).map(|script| script.language);
    let mut sample = Sample { game, opponent: opponent.name(), bot, script, games: Vec::new(), openings: Vec::new() };
    let terms = GameTerms::new(game.ruleset, game.casual, *budgets, wall);
    for seat in SAMPLE_SEATS {
        match sample_game(&terms, &sample.bot, opponent, seat, seed)? {
            Some(game) => sample.games.push(game),
            None => return Ok(Qualification::Refused(engine_crash())),
        }
    }
    let Some(options) = opened(game).filter(|_| sample.forfeit().is_none()) else {
        return Ok(Qualification::Played(sample));
    };
    let terms = GameTerms::new(game.ruleset, options, *budgets, wall);
    for seat in SAMPLE_SEATS {
        if sample.fuel_charged().saturating_add(game_fuel_max(game, budgets)) > sample_fuel_max(game, budgets) {
            break;
        }
        match sample_game(&terms, &sample.bot, opponent, seat, seed)? {
            Some(game) => sample.openings.push(game),
            None => return Ok(Qualification::Refused(engine_crash())),
        }
    }
    Ok(Qualification::Played(sample))
}

/// The refusal for a bot that did what no bot should be able to do.
fn engine_crash() -> Refusal {
    Refusal::new(RefusalCode::EngineCrash, DIES)
}

/// Plays a sample game with the usual number of tries; `None` if the bot's process dies in the last one, too.
fn sample_game(
    terms: &GameTerms,
    bot: &Contender,
    opponent: Opponent,
    seat: Seat,
    seed: u64,
) -> Result<Option<SampleGame>, QualifyError> {
    let opponent = Contender::Baseline(opponent);
    let mut game_seed: Seed = [0; 32];
    game_seed[..8].copy_from_slice(&seed.to_le_bytes());
    let ids = BySeat::new(2, |at| if at == seat { bot.id() } else { opponent.id() });
    let header = terms.header(game_seed, ids.into_values());
    let tries = Tries::default();
    let Tried { players: metered, played, .. } = tries.play(terms.wall(), |wall| {
        let (mut metered, mut other) = (Metered::new(bot.player(wall)), opponent.player(wall));
        let players: [&mut dyn Player; 2] =
            if seat == Seat(0) { [&mut metered, &mut other] } else { [&mut other, &mut metered] };
        let played = play(header.clone(), BySeat::from(players));
        (metered, played)
    })?;
    match played {
        Ok(record) => Ok(Some(metered.into_game(seat, record))),
        Err(_) if metered.player.lost_worker() => Ok(None),
        Err(fault) => Err(PlayError::Platform(fault).into()),
    }
}

#[cfg(test)]
mod tests {
    use arena_sandbox::Sandbox;
    use arena_scripts::bundle_in;
    use arena_wire::GAMES;

    use super::*;
    use crate::InProcess;

    /// Mason, which first spends about so much fuel in each turn.
    fn thoughtful(fuel: u64) -> Vec<u8> {
        const TURN: &str = r#"(func (export "arena_turn") (param $length i32) (result i64)"#;
        const ROUND_FUEL: u64 = 8;
        let mason = include_str!("../../../bots/gallery/mason/bot.wat");
        assert!(mason.contains(TURN), "its turn looks otherwise");
        let own = mason.replace(TURN, "(func $own (param $length i32) (result i64)");
        let rounds = fuel / ROUND_FUEL;
        let own = own.trim_end().strip_suffix(')').expect("a module");
        let text = format!(
            "{own} {TURN} (local $i i32)
            (loop (br_if 0 (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const {rounds}))))
            (call $own (local.get $length))))"
        );
        wat::parse_str(text).expect("a module")
    }

    #[test]
    fn games_from_an_opening_are_played_from_the_fuel_that_the_others_leave() {
        const TURN_FUEL: u64 = 10_000_000;
        let budgets = Budgets { fuel_per_move: TURN_FUEL, fuel_at_start: TURN_FUEL, ..Budgets::DEFAULT };
        let (host, game) = (InProcess::new(Sandbox::new().expect("an engine")), &GAMES[0]);
        // Of a turn's fuel, in per cent, and the games that are left: two need a third of each game's at most, one a
        // half.
        for (percent, openings) in [(0, 2), (20, 2), (43, 1), (70, 0), (95, 0)] {
            let bot = thoughtful(TURN_FUEL / 100 * percent);
            let played = qualify(&host, &bot, game, &budgets, 4, Wall::None).expect("a verdict");
            let objection = played.objection();
            assert!(objection.is_none(), "{percent} %: {objection:?}");
            let Qualification::Played(sample) = played else { panic!("it is a bot") };
            assert_eq!((sample.games.len(), sample.openings.len()), (2, openings), "{percent} %");
            assert!(sample.fuel_charged() <= sample_fuel_max(game, &budgets), "{percent} %");
            assert!(sample.openings.iter().all(|played| played.is_from_opening(game)));
        }
    }

    /// A script in the least of interpreters, played in the game that lets it pass.
    fn script(text: &str) -> Sample {
        let interpreter = wat::parse_str(include_str!("../../scripts/tests/interpreter.wat")).expect("a module");
        let bot = bundle_in(&interpreter, text.as_bytes()).expect("a script");
        let game = GAMES.iter().find(|game| game.name() == "game-of-game-of-life").expect("a game with passes");
        let host = InProcess::new(Sandbox::new().expect("an engine"));
        let played = qualify(&host, &bot, game, &Budgets::of(game.allowance), 4, Wall::None).expect("a verdict");
        let Qualification::Played(sample) = played else { panic!("it is a bot") };
        // By the interpreters of a release alone.
        assert_eq!(sample.script, None);
        Sample { script: Some(Language::JavaScript), ..sample }
    }

    #[test]
    fn an_interpreter_finds_its_script_where_the_bundle_put_it() {
        let sample = script("turn = o => 'ñ'");
        assert_eq!(sample.games[0].log[0], "turn = o => 'ñ'");
        assert!(Qualification::Played(sample).objection().is_none());
    }

    #[test]
    fn a_script_that_does_not_start_is_refused_at_its_line_without_a_word_of_its_log() {
        let sample = script("! my plan");
        assert!(sample.games[0].log[0].contains("SyntaxError"), "{:?}", sample.games[0].log);
        let objection = Qualification::Played(sample).objection().expect("it traps");
        let message = objection.message.to_string();
        assert!(message.starts_with("bot.js:1:1: the script does not start: ") && !message.contains("SyntaxError"));
        assert!(objection.hint.to_string().contains("the error in the bot's log"), "{}", objection.hint);
    }

    #[test]
    fn games_from_an_opening_count_and_have_the_seats_of_casual_ones() {
        for game in GAMES {
            let Some(options) = opened(game) else { continue };
            let shape = game.shape(options).expect("canonical");
            assert!(shape.may_count && shape == game.shape(game.casual).expect("canonical"), "{options}");
        }
        assert!(GAMES.iter().filter(|game| opened(game).is_some()).map(Game::name).eq(["conquerors"]));
    }
}
