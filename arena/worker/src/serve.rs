//! The worker's side.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

use arena_record::{Bytes, EntrantId};
use arena_referee::{Player, Reply, Started};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer, Wall};

use crate::message::{LINE_BYTES_MAX, Request, Response};

/// Answers requests until the input ends.
///
/// # Errors
/// When the pipe breaks or says something that is not a request.
pub fn serve(sandbox: &Sandbox, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut bots = BTreeMap::new();
    let mut player = None;
    let mut line = String::new();
    loop {
        line.clear();
        if input.by_ref().take(LINE_BYTES_MAX).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let request = serde_json::from_str(&line)?;
        let response = answer(sandbox, &mut bots, &mut player, request);
        serde_json::to_writer(&mut output, &response)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

fn answer(
    sandbox: &Sandbox,
    bots: &mut BTreeMap<EntrantId, Bot>,
    player: &mut Option<SandboxPlayer>,
    request: Request,
) -> Response {
    let nobody = || Response::Failed { why: "no game was begun in this worker".into() };
    match request {
        Request::Load { bytes, budgets } => match sandbox.load(&bytes.0, &budgets) {
            Err(refusal) => refusal.into(),
            Ok(bot) => {
                let (id, exports) = (bot.id().clone(), bot.exports());
                bots.insert(id.clone(), bot);
                Response::Loaded { id, exports }
            }
        },
        Request::Start { bot, wall_ms, observation_len, fuel } => {
            let Some(bot) = bots.get(&bot) else {
                return Response::Failed { why: format!("{bot} was not loaded into this worker") };
            };
            let player = player.insert(SandboxPlayer::new(bot, wall_ms.map_or(Wall::None, Wall::Milliseconds)));
            match player.start(observation_len, fuel) {
                Ok(Started { fuel }) => Response::Started { fuel, memory_bytes: player.memory_bytes() },
                Err(failure) => failure.into(),
            }
        }
        Request::Turn { observation, fuel } => {
            let Some(player) = player else { return nobody() };
            match player.turn(&observation.0, fuel) {
                Ok(Reply { action, fuel }) => {
                    Response::Replied { action: Bytes(action), fuel, memory_bytes: player.memory_bytes() }
                }
                Err(failure) => failure.into(),
            }
        }
        Request::Log => {
            let Some(player) = player else { return nobody() };
            Response::Logged { lines: player.log().lines().to_vec(), dropped: player.log().dropped() }
        }
    }
}
