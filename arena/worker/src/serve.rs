//! The worker's side.

use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;

use arena_referee::{Player, Reply, Started};
use arena_sandbox::{Bot, Checks, Sandbox, SandboxError, SandboxPlayer};

use crate::limits::SEATS_PER_WORKER_MAX;
use crate::pipe::{Inbox, Outbox, Request, Response};
use crate::walls::{self, WallPolicy, Walls, WorkerWall, lift_processor_time, limit_processor_time};

/// The whole life of a worker process: raises the walls, starts an engine for so many seats at once, and answers
/// requests from standard input on standard output until the input ends. Call it before the process starts a thread;
/// this starts none.
///
/// # Errors
/// If the pipe breaks or a message is not a request.
pub fn work(policy: WallPolicy, engine: impl FnOnce(u8) -> Result<Sandbox, SandboxError>) -> io::Result<()> {
    let (input, output) = (Unbuffered(rustix::stdio::stdin()), Unbuffered(rustix::stdio::stdout()));
    let walls = walls::raise(&WorkerWall::ALL);
    let sandbox = engine(SEATS_PER_WORKER_MAX);
    if !walls.satisfy(policy) {
        return refuse(&walls, || Response::Unwalled(walls.clone()), input, output);
    }
    match sandbox {
        Ok(sandbox) => serve_within(&sandbox, &walls, input, output),
        Err(error) => refuse(&walls, || Response::Unable { why: error.to_string() }, input, output),
    }
}

/// Answers requests until the input ends, without walls.
///
/// # Errors
/// If the pipe breaks or a message is not a request.
pub fn serve(sandbox: &Sandbox, input: impl Read, output: impl Write) -> io::Result<()> {
    serve_within(sandbox, &Walls::default(), input, output)
}

fn serve_within(sandbox: &Sandbox, walls: &Walls, input: impl Read, output: impl Write) -> io::Result<()> {
    let (mut bot, mut seats) = (None, Vec::new());
    converse(input, output, |request| answer(sandbox, walls, &mut bot, &mut seats, request))
}

/// Runs nothing, and answers every request for a bot with the reason.
fn refuse(walls: &Walls, reason: impl Fn() -> Response, input: impl Read, output: impl Write) -> io::Result<()> {
    converse(input, output, |request| match request {
        Request::Walls => Response::Walls(walls.clone()),
        _ => reason(),
    })
}

/// A standard stream of this process without the standard library's buffer, which cuts frames at newlines on output.
struct Unbuffered(BorrowedFd<'static>);

impl Read for Unbuffered {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(self.0, into)?)
    }
}

impl Write for Unbuffered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn converse(input: impl Read, output: impl Write, mut answer: impl FnMut(Request<'_>) -> Response) -> io::Result<()> {
    let (mut requests, mut answers) = (Inbox::new(input), Outbox::new(output));
    while let Some(request) = requests.next()? {
        answers.send(&answer(request))?;
    }
    Ok(())
}

fn answer(
    sandbox: &Sandbox,
    walls: &Walls,
    bot: &mut Option<Bot>,
    seats: &mut Vec<SandboxPlayer>,
    request: Request<'_>,
) -> Response {
    let nobody = || Response::Failed { why: "no game was begun in this seat".into() };
    match request {
        Request::Walls => Response::Walls(walls.clone()),
        Request::Load { module, memory_bytes, is_profiled, cpu_seconds } => {
            limit_processor_time(cpu_seconds);
            let loaded =
                sandbox.compile(module, memory_bytes, if is_profiled { Checks::Everywhere } else { Checks::ByRule });
            lift_processor_time();
            match loaded {
                Err(refusal) => refusal.into(),
                Ok(loaded) => {
                    *bot = Some(loaded);
                    Response::Loaded
                }
            }
        }
        Request::Start { seat, observation_len, fuel } => {
            let Some(bot) = bot else { return Response::Failed { why: "no bot was loaded into this worker".into() } };
            if seat == 0 {
                seats.clear();
            }
            if usize::from(seat) != seats.len() {
                return Response::Failed { why: "seats begin in their order".into() };
            }
            let player = seats.push_mut(SandboxPlayer::new(bot));
            match player.start(observation_len as usize, fuel) {
                Ok(Started { fuel }) => Response::Started { fuel, memory_bytes: player.memory_bytes() as u64 },
                Err(failure) => failure.into(),
            }
        }
        Request::Turn { seat, observation, fuel, withheld } => {
            let Some(player) = seats.get_mut(usize::from(seat)) else { return nobody() };
            player.withhold(withheld);
            match player.turn(observation, fuel) {
                Ok(Reply { action, fuel }) => {
                    Response::Replied { action, fuel, memory_bytes: player.memory_bytes() as u64 }
                }
                Err(failure) => failure.into(),
            }
        }
        Request::Left(seat) => {
            let Some(player) = seats.get_mut(usize::from(seat)) else { return nobody() };
            Response::Left(player.left())
        }
    }
}
