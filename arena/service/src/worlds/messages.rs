//! Messages between servers about worlds. The server that runs a world tells the others its progress, and makes their
//! accounts' calls for them.

use arena_rules::life2::{CELLS_A_CALL, Call, Refusal};
use arena_store::{
    AccountId, PackedCall, Reason, Sent, ServerId, ServerMessage, StoreError, WorldAnswer, WorldMessage, WorldName,
};
use arena_world::SeatError;
use tracing::warn;

use super::Worlds;
use super::live::{CallError, LiveWorld};
use crate::core::{Core, unavailable, with_causes};
use crate::limits::WORLD_ANSWER;

/// Stands for any coordinate off the board, as the digits of -1. It is refused in its place among the cells, after
/// those before it.
const OFF_BOARD: &str = "-01";

/// All refusals of the rules.
const REFUSALS: [Refusal; 13] = [
    Refusal::AlreadyInGame,
    Refusal::NeedCoins,
    Refusal::OutOfRange,
    Refusal::QuadrantTaken,
    Refusal::OverlapsBase,
    Refusal::NoSlot,
    Refusal::TooManyCells,
    Refusal::NotInGame,
    Refusal::InsufficientCoins,
    Refusal::NotYourTerritory,
    Refusal::OnWall,
    Refusal::CellAlive,
    Refusal::WalletFull,
];

/// Why the outcome of a call is unknown.
#[derive(Debug, thiserror::Error)]
enum Unanswered {
    #[error("the server that runs this world does not answer")]
    Silent,
}

/// A call in few bytes.
fn pack(call: &Call) -> PackedCall {
    let word = |word: &i32| if (0..0x1000).contains(word) { format!("{word:03x}") } else { OFF_BOARD.into() };
    match call {
        Call::Join { x, y } => PackedCall::Join(*x, *y),
        Call::Faucet => PackedCall::Faucet,
        Call::Place(cells) => PackedCall::Place(cells.iter().flat_map(|(x, y)| [word(x), word(y)]).collect()),
    }
}

/// The call; `None` if the cells are not what [`pack`] makes.
fn unpack(call: &PackedCall) -> Option<Call> {
    Some(match call {
        PackedCall::Join(x, y) => Call::Join { x: *x, y: *y },
        PackedCall::Faucet => Call::Faucet,
        PackedCall::Place(text) => {
            let word = |at: usize| i32::from_str_radix(text.get(at..at + 3)?, 16).ok();
            let cells = (0..text.len()).step_by(6).map(|at| Some((word(at)?, word(at + 3)?)));
            Call::Place(cells.collect::<Option<_>>()?)
        }
    })
}

fn answer(called: &Result<u64, CallError>) -> WorldAnswer {
    match called {
        Ok(answer) => WorldAnswer::Done(*answer),
        Err(CallError::Refused(refusal)) => WorldAnswer::Refused(refusal.to_string()),
        Err(CallError::TooManyWallets) => WorldAnswer::TooManyWallets,
        Err(CallError::Seat(SeatError::TooMany)) => WorldAnswer::TooManySeated,
        Err(CallError::Unfit) => WorldAnswer::Unfit,
        Err(CallError::Busy) => WorldAnswer::Busy,
        Err(CallError::Store(_)) => WorldAnswer::Unavailable,
    }
}

fn called(answer: &WorldAnswer) -> Result<u64, CallError> {
    match answer {
        WorldAnswer::Done(answer) => Ok(*answer),
        WorldAnswer::Refused(text) => match REFUSALS.into_iter().find(|refusal| refusal.to_string() == *text) {
            Some(refusal) => Err(refusal.into()),
            None => Err(unavailable(text.clone()).into()),
        },
        WorldAnswer::TooManyWallets => Err(CallError::TooManyWallets),
        WorldAnswer::TooManySeated => Err(SeatError::TooMany.into()),
        WorldAnswer::Unfit => Err(CallError::Unfit),
        WorldAnswer::Busy => Err(CallError::Busy),
        WorldAnswer::Unavailable => Err(unavailable(Unanswered::Silent).into()),
    }
}

async fn send(core: &Core, world: &WorldName, event: WorldMessage) -> Result<(), StoreError> {
    core.messages.tell(ServerMessage::World { name: world.to_string(), event }).await
}

impl Worlds {
    /// Handles a message of a server.
    pub(crate) async fn receive(&self, sent: &Sent) {
        let ServerMessage::World { name, event } = &sent.message else { return };
        let Ok(name) = WorldName::parse(name) else { return };
        let Some(world) = self.world(&name) else { return };
        let own = self.core.leases.server();
        match *event {
            WorldMessage::Progress { span, lines, generation } if sent.from != own => {
                world.heard_of(span, lines, generation).await;
            }
            WorldMessage::Call { number, account, ref call } if world.runs_here() => {
                let Some(call) = unpack(call) else { return };
                self.does(name, sent.from, number, async move { world.call(account, call).await });
            }
            WorldMessage::Seat { number, account, ref bot, ref reason } if world.runs_here() => {
                let bot = bot.clone();
                let Ok(reason) = reason.as_deref().map(Reason::parse).transpose() else { return };
                self.does(name, sent.from, number, async move { world.seat_by(account, bot, reason).await });
            }
            WorldMessage::Free { number, account, ref reason } if world.runs_here() => {
                let Ok(reason) = Reason::parse(reason) else { return };
                self.does(name, sent.from, number, async move { world.free(account, reason).await });
            }
            WorldMessage::Answer { to, number, ref answer } if to == own => {
                self.waiting.answer(number, called(answer));
            }
            WorldMessage::Progress { .. }
            | WorldMessage::Call { .. }
            | WorldMessage::Seat { .. }
            | WorldMessage::Free { .. }
            | WorldMessage::Answer { .. } => {}
        }
    }

    /// Makes a call for another server and sends it the result.
    fn does(
        &self,
        world: WorldName,
        to: ServerId,
        number: u64,
        done: impl Future<Output = Result<u64, CallError>> + Send + 'static,
    ) {
        let core = self.core.clone();
        self.core.tasks.spawn(async move {
            let answer = answer(&done.await);
            if let Err(error) = send(&core, &world, WorldMessage::Answer { to, number, answer }).await {
                warn!(world = world.as_str(), cause = with_causes(&error), "cannot answer another server");
            }
        });
    }
}

impl LiveWorld {
    /// Tells the other servers the world's progress.
    pub(super) async fn send_progress(&self, core: &Core, span: u64, lines: u32, generation: u64) {
        if let Err(error) = send(core, self.name(), WorldMessage::Progress { span, lines, generation }).await {
            warn!(
                world = self.name().as_str(),
                cause = with_causes(&error),
                "cannot tell other servers how far a world is"
            );
        }
    }

    /// Has the server that runs the world make an account's call.
    pub(super) async fn call_elsewhere(&self, core: &Core, account: AccountId, call: &Call) -> Result<u64, CallError> {
        if matches!(call, Call::Place(cells) if cells.len() > CELLS_A_CALL) {
            return Err(Refusal::TooManyCells.into());
        }
        let call = pack(call);
        self.elsewhere(core, |number| WorldMessage::Call { number, account, call }).await
    }

    /// Asks the server that runs the world, and awaits its answer.
    pub(super) async fn elsewhere(
        &self,
        core: &Core,
        asked: impl FnOnce(u64) -> WorldMessage,
    ) -> Result<u64, CallError> {
        let mut question = self.waiting.ask();
        send(core, self.name(), asked(question.number)).await?;
        match core.clock.timeout(WORLD_ANSWER, &mut question.answered).await {
            Some(Ok(called)) => called,
            Some(Err(_)) | None => Err(unavailable(Unanswered::Silent).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::life2::{Account, Rates, Side, World};

    use super::*;

    #[test]
    fn a_call_with_as_many_cells_as_may_be_fits_and_comes_out_as_it_went_in() {
        let cells: Vec<(i32, i32)> = (0..CELLS_A_CALL as i32).map(|cell| (cell % 512, 511 - cell / 512)).collect();
        for call in [Call::Place(cells), Call::Join { x: -1, y: 7 }, Call::Faucet] {
            let packed = pack(&call);
            assert_eq!(unpack(&packed).as_ref(), Some(&call));
            let event = WorldMessage::Call { number: u64::MAX, account: AccountId(i64::MAX), call: packed };
            let message = ServerMessage::World { name: "w".repeat(64), event };
            let sent = Sent::new(ServerId(arena_record::Hex([7; 16])), u64::MAX, message);
            assert!(sent.text().is_ok(), "it fits");
        }
        assert_eq!(unpack(&PackedCall::Place("00".into())), None);
        assert_eq!(unpack(&PackedCall::Place("é0000".into())), None);
    }

    #[test]
    fn another_server_refuses_for_the_same_reason() {
        let (ann, ben, cleo) = (Account(1), Account(2), Account(3));
        let mut world = World::new(Side::WORLD, Rates::FOUNDING);
        for (account, x) in [(ann, 60), (ben, 188)] {
            world.call(account, &Call::Faucet).expect("coins");
            world.call(account, &Call::Join { x, y: 60 }).expect("a free quadrant");
        }
        let off = [(-1, 62), (62, -1), (0x1000, 62), (512, 62), (i32::MIN, i32::MAX)];
        for (account, before, refusal) in [
            (cleo, vec![], Refusal::NotInGame),
            (ann, vec![(62, 62); 900], Refusal::InsufficientCoins),
            (ann, vec![(62, 62), (190, 62)], Refusal::NotYourTerritory),
            (ann, vec![(62, 62)], Refusal::OutOfRange),
            (ben, vec![], Refusal::OutOfRange),
        ] {
            for off in off {
                let call = Call::Place([&before[..], &[off, (0, 0)]].concat());
                let packed = unpack(&pack(&call)).expect("cells");
                assert_eq!(world.clone().call(account, &call), Err(refusal), "{off:?}");
                assert_eq!(world.clone().call(account, &packed), Err(refusal), "{off:?}");
            }
        }
    }

    #[test]
    fn every_refusal_comes_out_as_it_went_in() {
        for refusal in REFUSALS {
            let called = called(&answer(&Err(refusal.into())));
            assert!(matches!(called, Err(CallError::Refused(found)) if found == refusal), "{refusal}");
        }
    }
}
