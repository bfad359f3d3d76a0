//! Games: how many there are to a second, and what a turn of a bot that hardly thinks costs, layer by layer.

use std::cell::Cell;
use std::fs;
use std::hint::black_box;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;

use arena_record::{Budgets, Record};
use arena_referee::{Failure, Player, Reply, Started};
use arena_released::Released;
use arena_rules::conquerors::{Options, Position};
use arena_rules::{BySeat, Ruleset, Seat};
use arena_runner::{Contender, Ended, GameTerms, Host, InProcess, Workers};
use arena_sandbox::{Sandbox, SandboxPlayer};
use arena_wire::{Game, Protocol};
use arena_worker::{Pool, Wall};
use tempfile::TempDir;

use crate::ARENA;
use crate::cpu::{per_unit_here, seconds_of};

/// The bot that hardly thinks: a thousand bytes, some six hundred units of fuel a turn.
pub(crate) const TRIVIAL: &str = "mason";
/// Games, and calls, between two looks at the clock.
const GAMES: u64 = 100;
const CALLS: u64 = 20_000;
/// Who plays the tournament that shows what a folder costs, and how many pairs of games.
const PAIRING: [&str; 2] = ["easy", "hard"];
const PAIRS: u32 = 5_000;
/// Pairs of the same games alone.
const PAIRS_ALONE: u32 = 500;

/// A bot of the gallery.
pub(crate) fn released(name: &str) -> &'static Released {
    Released::named(Position::ID, name).expect("the gallery has it")
}

/// What plays games: in this process and in workers.
pub(crate) struct Games {
    terms: GameTerms,
    /// Those of a tournament, whose games begin with an opening.
    ranked: GameTerms,
    here: InProcess,
    workers: Workers,
    seed: Cell<u64>,
    /// The trivial bot's game, to look at piece by piece.
    record: Record,
    folder: TempDir,
}

impl Games {
    pub(crate) fn new() -> Games {
        let wall = Wall::Milliseconds(10_000);
        let terms = GameTerms::new(Position::ID, &Position::options_text(&Options::V2.into()), Budgets::DEFAULT, wall);
        let ranked = Game::named(Position::ID).expect("a game").ranked;
        let ranked = GameTerms::new(Position::ID, ranked, Budgets::DEFAULT, wall);
        // As a worker has it, so that the difference is the pipe.
        let here = InProcess::new(Sandbox::reusing(2).expect("this machine runs bots"));
        let trivial = here.load(released(TRIVIAL).bytes, &Budgets::DEFAULT).expect("a released bot");
        let seed = Cell::new(0);
        let record = play(&here, &terms, &seed, [&trivial; 2]);
        let folder = tempfile::tempdir().expect("a folder");
        Games { terms, ranked, here, workers: workers(2), seed, record, folder }
    }

    /// Seconds of a game of built-in opponents of one kind, played here.
    pub(crate) fn native(&self, name: &str) -> f64 {
        self.per_game(&self.here, &built_in(name))
    }

    /// Seconds of a game between those of the native tournament, played here.
    pub(crate) fn pairing(&self) -> f64 {
        let [one, other] = PAIRING.map(built_in);
        per_unit_here(|| {
            for seats in [[&one, &other], [&other, &one]] {
                (0..PAIRS_ALONE).for_each(|_| drop(black_box(play(&self.here, &self.ranked, &self.seed, seats))));
            }
            2 * u64::from(PAIRS_ALONE)
        })
    }

    /// Seconds of a game of a bot against itself, in this process and in workers.
    pub(crate) fn module(&self, bytes: &[u8]) -> [f64; 2] {
        let hosts: [&dyn Host; 2] = [&self.here, &self.workers];
        hosts.map(|host| self.per_game(host, &host.load(bytes, &Budgets::DEFAULT).expect("a bot of ours")))
    }

    fn per_game(&self, host: &dyn Host, contender: &Contender) -> f64 {
        // The first game finds its workers, who may have to compile.
        play(host, &self.terms, &self.seed, [contender; 2]);
        per_unit_here(|| {
            (0..GAMES).for_each(|_| drop(black_box(play(host, &self.terms, &self.seed, [contender; 2]))));
            GAMES
        })
    }

    /// Turns of the trivial bot's game.
    pub(crate) fn turns(&self) -> f64 {
        self.record.turns.len() as f64
    }

    /// Seconds of a turn's call in the sandbox: fuel, the observation in, the answer out.
    pub(crate) fn call(&self) -> f64 {
        let sandbox = Sandbox::reusing(1).expect("this machine runs bots");
        let bot = sandbox.load(released(TRIVIAL).bytes, &Budgets::DEFAULT).expect("a released bot");
        let position = Position::start(&Options::V2.into(), &[0; 32]);
        let observation = position.observation(Seat(0), &[0; 32]);
        let mut player = SandboxPlayer::new(&bot);
        player.start(observation.len(), Budgets::DEFAULT.fuel_at_start).expect("it starts");
        per_unit_here(|| {
            for _ in 0..CALLS {
                black_box(player.turn(black_box(&observation), Budgets::DEFAULT.fuel_per_move).expect("it answers"));
            }
            CALLS
        })
    }

    /// Seconds of a turn's bytes over loopback: the observation there and the action back, both ends together.
    pub(crate) fn network(&self) -> f64 {
        let observation = Position::start(&Options::V2.into(), &[0; 32]).observation(Seat(0), &[0; 32]);
        let action = &self.record.turns[0].plays[0].action.0;
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut there, _) = listener.accept().expect("a connection");
                there.set_nodelay(true).expect("a socket");
                let mut seen = vec![0; observation.len()];
                while there.read_exact(&mut seen).is_ok() {
                    there.write_all(action).expect("written");
                }
            });
            // Closed at the end of this scope, which ends the other.
            let mut here = TcpStream::connect(address).expect("it listens");
            here.set_nodelay(true).expect("a socket");
            let mut answer = vec![0; action.len()];
            per_unit_here(|| {
                for _ in 0..CALLS {
                    here.write_all(&observation).expect("written");
                    here.read_exact(&mut answer).expect("an answer");
                }
                CALLS
            })
        })
    }

    /// Seconds of a turn for the referee: the same game with players who know what to say.
    pub(crate) fn referee(&self) -> f64 {
        let header = self.record.header.clone();
        per_unit_here(|| {
            let [mut blue, mut red] = [Seat(0), Seat(1)].map(|seat| Remembering::new(&self.record, seat));
            let players: [&mut dyn Player; 2] = [&mut blue, &mut red];
            black_box(arena_referee::play(header.clone(), players.into()).expect("it is a game"));
            self.record.turns.len() as u64
        })
    }

    /// Seconds of a turn for its record: written as text and read again.
    pub(crate) fn record(&self) -> f64 {
        per_unit_here(|| {
            let text = black_box(&self.record).to_text();
            black_box(Record::parse(&text).expect("canonical"));
            self.record.turns.len() as u64
        })
    }

    /// Seconds of a game of a native tournament in its folder, with everything that the command does.
    pub(crate) fn tournament(&self) -> f64 {
        let (definition, folder) = (self.folder.path().join("cup.toml"), self.folder.path().join("cup"));
        let entrant = |name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n");
        let text = format!(
            "name = \"cup\"\nruleset = \"{}\"\nseed = 1\nformat = \"round-robin\"\npairs = {PAIRS}\n{}{}",
            Position::ID,
            entrant(PAIRING[0]),
            entrant(PAIRING[1]),
        );
        fs::write(&definition, text).expect("written");
        let start = seconds_of(std::process::id());
        let arguments =
            [definition.as_os_str(), "--out".as_ref(), folder.as_os_str(), "--threads".as_ref(), "1".as_ref()];
        run(Command::new(ARENA).args(["tournament", "run"]).args(arguments));
        let spent = seconds_of(std::process::id()) - start;
        fs::remove_dir_all(&folder).expect("removed");
        spent / f64::from(2 * PAIRS)
    }

    /// Seconds of one `arena check`.
    pub(crate) fn verdict(&self, name: &str) -> f64 {
        let file = self.folder.path().join(format!("{name}.wasm"));
        fs::write(&file, released(name).bytes).expect("written");
        per_unit_here(|| {
            run(Command::new(ARENA).arg("check").arg(&file));
            1
        })
    }
}

/// Bots in processes of the arena, of which this many are kept.
pub(crate) fn workers(idle_max: usize) -> Workers {
    Workers::new(Pool::new(ARENA.into(), ["guests", "--walls", "best"].map(Into::into).into(), idle_max))
}

fn built_in(name: &str) -> Contender {
    Contender::baseline(Position::ID, name).expect("a built-in opponent")
}

pub(crate) fn play(host: &dyn Host, terms: &GameTerms, number: &Cell<u64>, seats: [&Contender; 2]) -> Record {
    number.set(number.get() + 1);
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.get().to_le_bytes());
    match host.play(&terms.game(seed, &BySeat::from(seats))).expect("it is played").ended {
        Ended::Played(record) => record,
        Ended::Void(void) => panic!("{void}"),
    }
}

pub(crate) fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("the arena runs").success(), "{command:?}");
}

/// A player who says what it said in a game before.
struct Remembering {
    answers: std::vec::IntoIter<Reply>,
}

impl Remembering {
    fn new(record: &Record, seat: Seat) -> Remembering {
        let plays = record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == seat.0);
        let answers: Vec<Reply> = plays.map(|play| Reply { action: play.action.0.clone(), fuel: play.fuel }).collect();
        Remembering { answers: answers.into_iter() }
    }
}

impl Player for Remembering {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        Ok(Started { fuel: Some(0) })
    }

    fn turn(&mut self, _observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        Ok(self.answers.next().expect("the game goes as it went"))
    }
}
