//! The worker's side.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;

use arena_record::{Budgets, EntrantId};
use arena_referee::{Player, Reply, Started};
use arena_sandbox::{Bot, Frame, MemoryRefused, Sandbox, SandboxPlayer, Wall};

use crate::pipe::{Inbox, Outbox, Request, Response};
use crate::walls::{self, WallPolicy, Walls, WorkerWall, lift_processor_time, limit_processor_time};

/// The whole life of a worker process: raises the walls, starts the engine, answers on standard output what standard input
/// asks until it ends. To be called before the process starts a thread.
///
/// # Errors
/// When the engine cannot be set up, the pipe breaks, or it says something that is not a request.
pub fn work(policy: WallPolicy) -> io::Result<()> {
    let (input, output) = (Unbuffered(rustix::stdio::stdin()), Unbuffered(rustix::stdio::stdout()));
    let mut walls = walls::raise(&WorkerWall::ALL);
    // Starts the last thread.
    let sandbox = Sandbox::new().map_err(io::Error::other)?;
    walls::close(&mut walls);
    if !walls.satisfy(policy) {
        return refuse(&walls, input, output);
    }
    serve_within(&sandbox, &walls, input, output)
}

/// Answers requests until the input ends, without walls.
///
/// # Errors
/// When the pipe breaks or says something that is not a request.
pub fn serve(sandbox: &Sandbox, input: impl Read, output: impl Write) -> io::Result<()> {
    serve_within(sandbox, &Walls::default(), input, output)
}

fn serve_within(sandbox: &Sandbox, walls: &Walls, input: impl Read, output: impl Write) -> io::Result<()> {
    let mut bots = BTreeMap::new();
    let mut player = None;
    converse(input, output, |request| answer(sandbox, walls, &mut bots, &mut player, request))
}

/// Runs nothing, and answers every request with the reason.
fn refuse(walls: &Walls, input: impl Read, output: impl Write) -> io::Result<()> {
    converse(input, output, |request| match request {
        Request::Walls => Response::Walls(walls.clone()),
        _ => Response::Unwalled(walls.clone()),
    })
}

/// A stream of this process without the standard library's buffer: that of the output cuts frames at their newlines.
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
    bots: &mut BTreeMap<EntrantId, Bot>,
    player: &mut Option<SandboxPlayer>,
    request: Request<'_>,
) -> Response {
    let nobody = || Response::Failed { why: "no game was begun in this worker".into() };
    match request {
        Request::Walls => Response::Walls(walls.clone()),
        Request::Load { module, module_bytes, memory_bytes, cpu_seconds } => {
            limit_processor_time(cpu_seconds);
            // Fuel is given with each call.
            let loaded = sandbox.load(module, &Budgets { module_bytes, memory_bytes, ..Budgets::DEFAULT });
            lift_processor_time();
            match loaded {
                Err(refusal) => refusal.into(),
                Ok(bot) => {
                    let (id, exports) = (bot.id().clone(), bot.exports());
                    bots.insert(id.clone(), bot);
                    Response::Loaded { id, exports }
                }
            }
        }
        Request::Start { bot, wall_ms, observation_len, fuel } => {
            let Some(bot) = bots.get(&bot) else {
                return Response::Failed { why: format!("{bot} was not loaded into this worker") };
            };
            let player = player.insert(SandboxPlayer::new(bot, wall_ms.map_or(Wall::None, Wall::Milliseconds)));
            match player.start(observation_len as usize, fuel) {
                Ok(Started { fuel }) => Response::Started { fuel, memory_bytes: player.memory_bytes() as u64 },
                Err(failure) => failure.into(),
            }
        }
        Request::Turn { observation, fuel } => {
            let Some(player) = player else { return nobody() };
            match player.turn(observation, fuel) {
                Ok(Reply { action, fuel }) => {
                    Response::Replied { action, fuel, memory_bytes: player.memory_bytes() as u64 }
                }
                Err(failure) => failure.into(),
            }
        }
        Request::Log => {
            let Some(player) = player else { return nobody() };
            Response::Logged { lines: player.log().lines().to_vec(), dropped: player.log().dropped() }
        }
        Request::Frames => {
            let Some(player) = player else { return nobody() };
            let frames = player.frames().iter().map(|Frame { function, name }| (*function, name.clone()));
            Response::Framed { frames: frames.collect() }
        }
        Request::MemoryRefused => {
            let Some(player) = player else { return nobody() };
            let bytes = player.memory_refused().map(|MemoryRefused { had, wanted }| (had, wanted));
            Response::MemoryRefused { bytes }
        }
    }
}
