//! What a row is, and how it is held to its word.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::thread;

use arena_record::{Budgets, ForfeitCode, Record};
use arena_rules::{BySeat, Seed};
use arena_runner::{Contender, Finished, GameTerms, Host, Qualification, Sample, Workers, qualify};
use arena_sandbox::{Refusal, RefusalCode, WALL_MS_DEFAULT};
use arena_worker::{Pool, Wall};

use super::bots::honest;
use super::engines::{Ended, hold_in_others};

/// The rules that qualification plays by.
pub(crate) const RULESET: (&str, &str) = ("conquerors@2", "chain_needs_home,weighted_majority");
/// Seed of all sample games here: one of those with which the honest bot's games go over all rounds, in either seat.
pub(crate) const SEED: u64 = 4;
/// The longest message of a refusal, in bytes: nobody fills a page by the names in a file.
const MESSAGE_BYTES_MAX: usize = 400;

/// A row of the list of threats.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) proof: Proof,
}

/// What shows that the row's answer is the wanted one.
pub(crate) enum Proof {
    /// Inputs with their answers.
    Cases(Vec<Case>),
    /// Something that is no single answer.
    Law(fn()),
    /// A test of another file, which is named here so that it is not written twice.
    Elsewhere { text: &'static str, test: &'static str },
}

/// One input and its answer.
pub(crate) struct Case {
    what: String,
    pub(crate) bytes: Vec<u8>,
    wanted: Wanted,
    /// An engine that fails, and so gives no verdict.
    pub(crate) fails_in: Option<Engine>,
}

/// An answer.
pub(crate) enum Wanted {
    /// It is a bot, and plays both sample games to their end.
    Accepted,
    /// It is refused with a code and words that have this in them.
    Refused(RefusalCode, &'static str),
    /// It forfeits both sample games with a code and words that have this in them.
    Forfeits(ForfeitCode, &'static str, When),
}

/// An engine that bots are played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    /// Where all games are played first. A bot that it cannot play is refused.
    Wasmtime,
    /// That of Node and of Chromium. A later version may play what this one cannot.
    V8,
}

/// When a bot forfeits.
pub(crate) enum When {
    /// Before its first turn.
    AtStart,
    /// In this turn of its own, from 0.
    Turn(usize),
}

pub(crate) fn cases(id: &'static str, cases: impl IntoIterator<Item = Case>) -> Row {
    Row { id, proof: Proof::Cases(cases.into_iter().collect()) }
}

pub(crate) fn case(what: impl Into<String>, bytes: Vec<u8>, wanted: Wanted) -> Case {
    Case { what: what.into(), bytes, wanted, fails_in: None }
}

pub(crate) fn law(id: &'static str, law: fn()) -> Row {
    Row { id, proof: Proof::Law(law) }
}

/// Workers as a site has them, and shared by all rows: a hostile bot leaves its worker to honest ones.
pub(crate) fn host() -> &'static Workers {
    static HOST: LazyLock<Workers> = LazyLock::new(|| {
        // A folder for the worker's deaths, of which there are none: no move is deadly.
        let arguments = ["/nowhere", "1", "0", "0", "0"].map(Into::into).to_vec();
        Workers::new(Pool::new(PathBuf::from(env!("CARGO_BIN_EXE_runner-test-worker")), arguments, 4))
    });
    &HOST
}

/// A game with the wall that there is outside of tests.
fn finished(seed: Seed, contenders: &BySeat<&Contender>) -> Finished {
    let terms = GameTerms::new(RULESET.0, RULESET.1, Budgets::DEFAULT, Wall::Milliseconds(WALL_MS_DEFAULT));
    host().play(&terms.game(seed, contenders)).unwrap()
}

/// Its record.
pub(crate) fn played(seed: Seed, contenders: &BySeat<&Contender>) -> Record {
    finished(seed, contenders).ended.into_record().unwrap()
}

/// The game that nothing may disturb.
fn sibling() -> Record {
    static HONEST: LazyLock<Contender> = LazyLock::new(|| host().load(&honest(), &Budgets::DEFAULT).unwrap());
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    played([7; 32], &BySeat::from([&*HONEST, &easy]))
}

/// The verdict on an upload, while the sibling game is played beside it.
pub(crate) fn verdict(bytes: &[u8]) -> Qualification {
    static UNDISTURBED: LazyLock<String> = LazyLock::new(|| sibling().to_text());
    let undisturbed = &*UNDISTURBED;
    let wall = Wall::Milliseconds(WALL_MS_DEFAULT);
    thread::scope(|scope| {
        let beside = scope.spawn(sibling);
        let verdict = qualify(host(), bytes, &arena_wire::GAMES[0], &Budgets::DEFAULT, SEED, wall).unwrap();
        assert_eq!(beside.join().unwrap().to_text(), *undisturbed, "the game beside it is another one");
        assert_eq!(sibling().to_text(), *undisturbed, "the game after it is another one");
        verdict
    })
}

/// The sample games of bytes that are a bot.
pub(crate) fn sample(what: &str, bytes: &[u8]) -> Sample {
    match verdict(bytes) {
        Qualification::Played(sample) => sample,
        Qualification::Refused(refusal) => panic!("{what}: {}, {refusal}", refusal.code),
    }
}

/// Holds every row to its word, and its cases in all engines.
pub(crate) fn hold(rows: Vec<Row>) {
    let mut ended = Vec::new();
    for Row { id, proof } in rows {
        match proof {
            Proof::Cases(cases) => ended.extend(cases.into_iter().map(|case| case.hold(id))),
            Proof::Law(law) => law(),
            Proof::Elsewhere { .. } => {}
        }
    }
    hold_in_others(&ended);
}

impl Case {
    /// The same, but this engine gives no verdict.
    pub(crate) fn fails_in(self, engine: Engine) -> Case {
        Case { fails_in: Some(engine), ..self }
    }

    /// Holds it in the first engine.
    fn hold(self, id: &str) -> Ended {
        let what = format!("{id}, {}", self.what);
        let verdict = verdict(&self.bytes);
        match (&verdict, &self.wanted) {
            (Qualification::Refused(refusal), _) if self.fails_in == Some(Engine::Wasmtime) => {
                assert_eq!(refusal.code, RefusalCode::EngineCrash, "{what}: {refusal}");
            }
            (Qualification::Played(sample), Wanted::Accepted) => assert_eq!(sample.forfeit(), None, "{what}"),
            (Qualification::Played(sample), Wanted::Forfeits(code, words, when)) => {
                self.forfeits(&what, sample, *code, words, when);
            }
            (Qualification::Refused(refusal), Wanted::Refused(code, words)) => {
                self.refused(&what, refusal, *code, words);
            }
            (Qualification::Played(_), Wanted::Refused(..)) => panic!("{what}: it was played"),
            (Qualification::Refused(refusal), _) => panic!("{what}: {}, {refusal}", refusal.code),
        }
        Ended { what, case: self, verdict }
    }

    fn refused(&self, what: &str, refusal: &Refusal, code: RefusalCode, words: &str) {
        assert_eq!(refusal.code, code, "{what}: {refusal}");
        let message = refusal.message.english();
        assert!(message.contains(words), "{what}: {message}");
        assert!(message.len() <= MESSAGE_BYTES_MAX, "{what}: {} bytes", message.len());
        assert!(message.bytes().all(|byte| (b' '..0x7f).contains(&byte)), "{what}: {message:?}");
        let inside = refusal.offset.is_none_or(|offset| offset <= self.bytes.len() as u64);
        assert!(inside, "{what}: {refusal:?}");
        assert!(code != RefusalCode::InvalidModule || refusal.offset.is_some(), "{what}: {refusal:?}");
    }

    /// The bot forfeits in either seat, the other one wins, and the record replays.
    fn forfeits(&self, what: &str, sample: &Sample, code: ForfeitCode, words: &str, when: &When) {
        assert_eq!(sample.games.len(), 2);
        for game in &sample.games {
            let (record, seat) = (&game.record, game.seat);
            let [forfeit] = &record.forfeits[..] else { panic!("{what}: {:?}", record.forfeits) };
            assert_eq!((forfeit.seat, forfeit.code), (seat.0, code), "{what}: {forfeit}");
            let turn = match when {
                When::AtStart => None,
                When::Turn(own) => Some((2 * own + seat.index()) as u16),
            };
            assert_eq!(forfeit.turn, turn, "{what}: {forfeit}");
            assert!(forfeit.detail.contains(words), "{what}: {forfeit}");
            assert!(!forfeit.detail.contains("0x"), "{what} names an address of the host: {forfeit}");
            assert_eq!(record.outcome.winner, Some(seat.opponent().0), "{what}: the other seat wins");
            assert_eq!(arena_referee::check(record), Ok(()), "{what}");
            assert!(game.memory_bytes() <= Budgets::DEFAULT.memory_bytes, "{what}");
            assert_eq!(Record::parse(&record.to_text()).unwrap(), *record, "{what}");
        }
        if code == ForfeitCode::FuelExhausted {
            // Fuel is what ended it, long before the wall.
            let easy = Contender::baseline("conquerors@2", "easy").unwrap();
            let bot = host().load(&self.bytes, &Budgets::DEFAULT).unwrap();
            let finished = finished([9; 32], &BySeat::from([&bot, &easy]));
            assert_eq!(finished.platform_faults, 0, "{what}: the wall struck");
        }
    }
}
