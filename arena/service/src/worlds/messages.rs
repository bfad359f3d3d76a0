//! Messages between servers about worlds. The server that runs a world tells the others its progress, and makes their accounts' calls
//! for them.

use arena_record::{EntrantId, Hex};
use arena_rules::life2::{CELLS_A_CALL, Call, Refusal};
use arena_store::{AccountId, MESSAGE_BYTES_MAX, Reason, StoreError, WorldName};
use arena_world::SeatError;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::Worlds;
use super::live::{CallError, LiveWorld};
use crate::core::{Core, unavailable, with_causes};
use crate::limits::WORLD_ANSWER;

/// A message about a world.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    from: Hex<16>,
    world: String,
    what: What,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum What {
    /// The progress of the world, for a log whose latest span begins at generation `span` and has this many lines.
    Is { span: u64, lines: u32, generation: u64 },
    /// A call of an account.
    Call { number: u64, account: i64, call: Packed },
    /// A bot that is to play for an account; `None` for no bot. With a reason, as an act of the operator's.
    Seat { number: u64, account: i64, bot: Option<EntrantId>, reason: Option<String> },
    /// An account whose slot the operator frees.
    Free { number: u64, account: i64, reason: String },
    /// The result of a call.
    Answer { to: Hex<16>, number: u64, answer: Answer },
}

/// Stands for any coordinate off the board, as the digits of -1. It is refused in its place among the cells, after those before it.
const OFF_BOARD: &str = "-01";

/// A call in few bytes: a thousand cells fit into one message.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Packed {
    Join(i32, i32),
    /// Column and row of each cell, three hex digits each; [`OFF_BOARD`] stands for any coordinate off the board.
    Place(String),
    Faucet,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Answer {
    Done(u64),
    /// The text of the rules' refusal.
    Refused(String),
    TooManyWallets,
    TooManySeated,
    Unfit,
    Busy,
    /// The outcome is unknown.
    Unavailable,
}

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
    #[error("the call is too long for other servers")]
    TooLong,
}

impl Packed {
    fn of(call: &Call) -> Packed {
        let word = |word: &i32| if (0..0x1000).contains(word) { format!("{word:03x}") } else { OFF_BOARD.into() };
        match call {
            Call::Join { x, y } => Packed::Join(*x, *y),
            Call::Faucet => Packed::Faucet,
            Call::Place(cells) => Packed::Place(cells.iter().flat_map(|(x, y)| [word(x), word(y)]).collect()),
        }
    }

    fn call(&self) -> Option<Call> {
        Some(match self {
            Packed::Join(x, y) => Call::Join { x: *x, y: *y },
            Packed::Faucet => Call::Faucet,
            Packed::Place(text) => {
                let word = |at: usize| i32::from_str_radix(text.get(at..at + 3)?, 16).ok();
                let cells = (0..text.len()).step_by(6).map(|at| Some((word(at)?, word(at + 3)?)));
                Call::Place(cells.collect::<Option<_>>()?)
            }
        })
    }
}

impl Answer {
    fn of(called: &Result<u64, CallError>) -> Answer {
        match called {
            Ok(answer) => Answer::Done(*answer),
            Err(CallError::Refused(refusal)) => Answer::Refused(refusal.to_string()),
            Err(CallError::TooManyWallets) => Answer::TooManyWallets,
            Err(CallError::Seat(SeatError::TooMany)) => Answer::TooManySeated,
            Err(CallError::Unfit) => Answer::Unfit,
            Err(CallError::Busy) => Answer::Busy,
            Err(CallError::Store(_)) => Answer::Unavailable,
        }
    }

    fn called(self) -> Result<u64, CallError> {
        match self {
            Answer::Done(answer) => Ok(answer),
            Answer::Refused(text) => match REFUSALS.into_iter().find(|refusal| refusal.to_string() == text) {
                Some(refusal) => Err(refusal.into()),
                None => Err(unavailable(text).into()),
            },
            Answer::TooManyWallets => Err(CallError::TooManyWallets),
            Answer::TooManySeated => Err(SeatError::TooMany.into()),
            Answer::Unfit => Err(CallError::Unfit),
            Answer::Busy => Err(CallError::Busy),
            Answer::Unavailable => Err(unavailable(Unanswered::Silent).into()),
        }
    }
}

async fn say(core: &Core, world: &WorldName, what: What) -> Result<(), StoreError> {
    let words = Words { from: core.leases.server().0, world: world.to_string(), what };
    // Texts, numbers and lists always serialise.
    let text = serde_json::to_string(&words).unwrap_or_default();
    if text.len() > MESSAGE_BYTES_MAX {
        return Err(unavailable(Unanswered::TooLong));
    }
    core.store.send_to_servers(&text).await
}

impl Worlds {
    /// Handles a message of a server. Messages of other releases that cannot be parsed are ignored.
    pub(crate) async fn receive(&self, text: &str) {
        let Ok(Words { from, world, what }) = serde_json::from_str(text) else { return };
        let Ok(name) = WorldName::parse(&world) else { return };
        let Some(world) = self.world(&name) else { return };
        let own = self.core.leases.server().0;
        match what {
            What::Is { span, lines, generation } if from != own => world.heard_of(span, lines, generation).await,
            What::Call { number, account, call } if world.goes_on_here() => {
                let Some(call) = call.call() else { return };
                self.does(name, from, number, async move { world.call(AccountId(account), call).await });
            }
            What::Seat { number, account, bot, reason } if world.goes_on_here() => {
                let Ok(reason) = reason.as_deref().map(Reason::parse).transpose() else { return };
                self.does(name, from, number, async move { world.seat_by(AccountId(account), bot, reason).await });
            }
            What::Free { number, account, reason } if world.goes_on_here() => {
                let Ok(reason) = Reason::parse(&reason) else { return };
                self.does(name, from, number, async move { world.free(AccountId(account), reason).await });
            }
            What::Answer { to, number, answer } if to == own => {
                self.waiting.answer(number, answer.called());
            }
            What::Is { .. } | What::Call { .. } | What::Seat { .. } | What::Free { .. } | What::Answer { .. } => {}
        }
    }

    /// Makes a call for another server and sends it the result.
    fn does(
        &self,
        world: WorldName,
        to: Hex<16>,
        number: u64,
        done: impl Future<Output = Result<u64, CallError>> + Send + 'static,
    ) {
        let core = self.core.clone();
        self.core.tasks.spawn(async move {
            let answer = Answer::of(&done.await);
            if let Err(error) = say(&core, &world, What::Answer { to, number, answer }).await {
                warn!(world = world.as_str(), cause = with_causes(&error), "cannot answer another server");
            }
        });
    }
}

impl LiveWorld {
    /// Tells the other servers the world's progress.
    pub(super) async fn send_progress(&self, core: &Core, span: u64, lines: u32, generation: u64) {
        if let Err(error) = say(core, self.name(), What::Is { span, lines, generation }).await {
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
        let call = Packed::of(call);
        self.elsewhere(core, |number| What::Call { number, account: account.0, call }).await
    }

    /// Has the server that runs the world seat a bot, or none.
    pub(super) async fn seat_elsewhere(
        &self,
        core: &Core,
        account: AccountId,
        bot: Option<EntrantId>,
        reason: Option<&Reason>,
    ) -> Result<u64, CallError> {
        let reason = reason.map(Reason::to_string);
        self.elsewhere(core, |number| What::Seat { number, account: account.0, bot, reason }).await
    }

    /// Has the server that runs the world free the slot of an account.
    pub(super) async fn free_elsewhere(
        &self,
        core: &Core,
        account: AccountId,
        reason: &Reason,
    ) -> Result<u64, CallError> {
        let reason = reason.to_string();
        self.elsewhere(core, |number| What::Free { number, account: account.0, reason }).await
    }

    async fn elsewhere(&self, core: &Core, asked: impl FnOnce(u64) -> What) -> Result<u64, CallError> {
        let (number, answered) = self.waiting.ask();
        let called = match say(core, self.name(), asked(number)).await {
            Ok(()) => match core.clock.timeout(WORLD_ANSWER, answered).await {
                Some(Ok(called)) => called,
                Some(Err(_)) | None => Err(unavailable(Unanswered::Silent).into()),
            },
            Err(error) => Err(error.into()),
        };
        self.waiting.forget(number);
        called
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
            let packed = Packed::of(&call);
            assert_eq!(packed.call().as_ref(), Some(&call));
            let what = What::Call { number: u64::MAX, account: i64::MAX, call: packed };
            let words = Words { from: Hex([7; 16]), world: "w".repeat(64), what };
            assert!(serde_json::to_string(&words).expect("JSON").len() <= MESSAGE_BYTES_MAX);
        }
        assert_eq!(Packed::Place("00".into()).call(), None);
        assert_eq!(Packed::Place("é0000".into()).call(), None);
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
                let packed = Packed::of(&call).call().expect("cells");
                assert_eq!(world.clone().call(account, &call), Err(refusal), "{off:?}");
                assert_eq!(world.clone().call(account, &packed), Err(refusal), "{off:?}");
            }
        }
    }

    #[test]
    fn every_refusal_comes_out_as_it_went_in() {
        for refusal in REFUSALS {
            let called = Answer::of(&Err(refusal.into())).called();
            assert!(matches!(called, Err(CallError::Refused(found)) if found == refusal), "{refusal}");
        }
    }
}
