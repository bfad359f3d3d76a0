//! The calls to a world and their answers, for every transport. There is no other way to call a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::life2::{CELLS_A_CALL, Call, SLOTS, Slot, Word};
use arena_service::{
    BaseInfo, CallError, LiveWorld, SlotInfo, TerritoryInfo, UnseatableError, Wipe, WorldSnapshot, site_place,
};
use arena_store::{AccountId, Store, StoreError};
use arena_world::LogTail;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::{block_in_place, spawn_blocking};
use utoipa::ToSchema;

use crate::app::App;
use crate::identity::Visitor;
use crate::limit_kind::LimitKind;
use crate::limits::{HOLDERS_COST, WHOLE_WORLD_COST};
use crate::problem::{Code, Problem};
use crate::room_protocol::{Answered, Received};
use crate::visitors::{Taker, UsedUp};

/// A message of a page or a program. It may also have `client_seq`, a number that the answer repeats.
#[derive(Deserialize, Debug, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum WorldCommand {
    JoinGame {
        base_x: i32,
        base_y: i32,
    },
    /// Columns before rows.
    PlaceCells {
        #[schema(value_type = Vec<Vec<i32>>)]
        cells: Vec<Word>,
    },
    Faucet {},
    SeatBot {
        bot: Option<String>,
    },
    GetState {},
    GetSlotsInfo {},
    GetBaseInfo {
        slot: u8,
    },
    GetTerritoryInfo {
        slot: u8,
    },
    GetNextWipe {},
    GetBalance {},
}

/// A message of a world.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum WorldMessage<'a> {
    /// The first one: the receiver's account and slot, if any.
    Hello {
        #[schema(required)]
        account: Option<i64>,
        #[schema(required)]
        slot: Option<u8>,
    },
    /// Progress: the lines of the log before the one numbered `next`, or that more are missing than are kept.
    #[expect(dead_code, reason = "put together from lines")]
    World { generation: u64, next: u64, lines: Option<Vec<LineShape>>, behind: Option<bool> },
    /// A command was carried out.
    #[expect(dead_code, reason = "put together around the answer")]
    Answer {
        what: &'a str,
        #[schema(required)]
        client_seq: Option<u64>,
        generation: u64,
        answer: Value,
    },
    /// A command did nothing.
    Rejected {
        what: &'a str,
        #[schema(required, value_type = Option<u64>)]
        client_seq: Value,
        code: &'a str,
        message: String,
    },
    /// The connection lives.
    #[expect(dead_code, reason = "the same text each time")]
    Beat {},
    /// What was sent is no command, or comes too often.
    #[expect(dead_code, reason = "as a room sends it")]
    Error { code: &'a str, message: &'a str },
}

impl WorldMessage<'_> {
    /// As it is sent, with its fields in alphabetical order.
    fn sorted(&self) -> String {
        serde_json::to_value(self).unwrap_or_default().to_string()
    }
}

/// A line of a world's log; `arena/world/FORMAT.md` has all fields.
#[derive(Serialize, ToSchema)]
#[schema(as = WorldLine)]
pub(crate) struct LineShape {
    event: String,
    generation: u64,
    call: Option<Value>,
}

/// A world at a moment.
#[derive(ToSchema)]
#[schema(as = WorldState)]
#[expect(dead_code, reason = "put together around a snapshot")]
pub(crate) struct StateShape {
    generation: u64,
    /// The number of the first line after the snapshot.
    next: u64,
    /// The holders of slots, in the order of the slots.
    slots: Vec<Option<HolderShape>>,
    next_wipe: Value,
    /// A snapshot: the first line of a log.
    opened: Value,
}

/// The holder of a slot.
#[derive(ToSchema)]
#[schema(as = WorldHolder)]
#[expect(dead_code, reason = "the part of `Holder` that pages use")]
pub(crate) struct HolderShape {
    slot: u8,
    account: i64,
    name: String,
    /// The bot that plays for the holder, if any.
    #[schema(required)]
    bot: Option<String>,
}

/// A refusal: a code for programs, a sentence, and the problem if a retry may succeed.
struct Rejected(&'static str, String, Option<Box<Problem>>);

impl Rejected {
    fn new(code: &'static str, message: impl ToString) -> Rejected {
        Rejected(code, message.to_string(), None)
    }
}

impl From<UsedUp> for Rejected {
    fn from(refusal: UsedUp) -> Rejected {
        Rejected("too_many", refusal.to_string(), Some(Box::new(refusal.into())))
    }
}

impl From<CallError> for Rejected {
    fn from(error: CallError) -> Rejected {
        let Rejected(code, message, _) = Rejected::new(error.code(), &error);
        let later = match error {
            CallError::Busy => {
                let busy = Problem::new(Code::Busy, &message, "send it again later");
                Some(busy.again_in(arena_service::limits::WORLD_SPAN_SECONDS))
            }
            // Logged as a problem.
            CallError::Store(cause) => Some(cause.into()),
            _ => None,
        };
        Rejected(code, message, later.map(Box::new))
    }
}

impl From<UnseatableError> for Rejected {
    fn from(error: UnseatableError) -> Rejected {
        match error {
            UnseatableError::NoSuchBot => Rejected::new("no_such_bot", error),
            UnseatableError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Rejected {
    fn from(error: StoreError) -> Rejected {
        CallError::from(error).into()
    }
}

/// The holder of a slot, with the current name.
#[derive(Serialize)]
pub(crate) struct Holder {
    #[serde(flatten)]
    info: SlotInfo,
    name: String,
    /// The bot that plays for the holder, if any.
    bot: Option<String>,
}

/// The bots that play for accounts, as people name them: a built-in opponent's name, a bot's, or the id of a deleted
/// bot.
pub(crate) async fn bots(
    store: &Store,
    seated: &[(AccountId, EntrantId)],
) -> Result<BTreeMap<AccountId, String>, StoreError> {
    let ids: Vec<EntrantId> = seated.iter().map(|(_, id)| id.clone()).collect();
    let names = store.named(None, &ids).await?;
    let name = |id: &EntrantId| match (id.baseline(), names.get(id)) {
        (Some((name, _)), _) => name.to_owned(),
        (None, Some(named)) => named.name.to_string(),
        (None, None) => id.to_string(),
    };
    Ok(seated.iter().map(|(account, id)| (*account, name(id))).collect())
}

/// The holders of slots, by the slots' numbers.
async fn holders(
    store: &Store,
    slots: [Option<SlotInfo>; SLOTS],
    seated: &[(AccountId, EntrantId)],
) -> Result<Vec<Option<Holder>>, StoreError> {
    let accounts: Vec<AccountId> = slots.iter().flatten().map(|info| AccountId(info.account)).collect();
    let (names, bots) = (store.names_of(&accounts).await?, bots(store, seated).await?);
    let holder = |info: SlotInfo| {
        let (account, bot) = (AccountId(info.account), bots.get(&AccountId(info.account)).cloned());
        let name = match (site_place(account), names.get(&account)) {
            (Some(place), _) => format!("site {place}"),
            (None, Some(name)) => name.to_string(),
            (None, None) => arena_store::DELETED.into(),
        };
        Holder { info, name, bot }
    };
    Ok(slots.into_iter().map(|info| info.map(holder)).collect())
}

/// A visitor of a world.
pub(crate) struct Caller {
    app: App,
    pub(crate) world: Arc<LiveWorld>,
    account: Option<AccountId>,
    pub(crate) taker: Taker,
    /// The number of the next line to send.
    told: u64,
}

impl Caller {
    /// A visitor who has the lines before this number; by default, all so far.
    pub(crate) fn new(app: &App, world: Arc<LiveWorld>, visitor: &Visitor, taker: Taker, after: Option<u64>) -> Caller {
        let told = after.unwrap_or(world.shown().next);
        Caller { app: app.clone(), world, account: visitor.account_id(), taker, told }
    }

    /// Carries out a message; returns the answer.
    pub(crate) async fn receive(&self, text: &str) -> Answered {
        let received: Received<WorldCommand, u64> = match Received::parse(text, "client_seq") {
            Ok(received) => received,
            Err(wrong) => return Answered::unreadable("world", &wrong),
        };
        let (what, number) = (&*received.name, Value::from(received.field));
        match self.answer(received.command).await {
            // Answers are large, so they are not parsed and written again.
            Ok(answer) => {
                let generation = self.world.shown().generation;
                format!(
                    r#"{{"type":"answer","what":"{what}","client_seq":{number},"generation":{generation},"answer":{answer}}}"#
                )
                .into()
            }
            Err(Rejected(code, message, refused)) => {
                let text = WorldMessage::Rejected { what, client_seq: number, code, message }.sorted();
                match refused {
                    Some(problem) => Answered::refused(text, *problem),
                    None => text.into(),
                }
            }
        }
    }

    /// The answer as JSON.
    async fn answer(&self, said: WorldCommand) -> Result<String, Rejected> {
        let slot = |number: u8| Slot::new(number).ok_or_else(|| Rejected::new("no_such_slot", "slots are 1 to 9"));
        let world = &self.world;
        Ok(match said {
            WorldCommand::JoinGame { base_x: x, base_y: y } => self.call(Call::Join { x, y }).await?.to_string(),
            WorldCommand::PlaceCells { cells } => self.call(Call::Place(cells)).await?.to_string(),
            WorldCommand::Faucet {} => self.call(Call::Faucet).await?.to_string(),
            WorldCommand::SeatBot { bot } => {
                let account = self.changing()?;
                self.taker.take_all(&[(LimitKind::Calls, 1), (LimitKind::Seats, 1)], Some(account))?;
                let id = match bot.as_deref().map(str::trim) {
                    Some(name) => {
                        let bot = self.app.service().worlds().bot(name, Some(account)).await;
                        Some(bot.inspect_err(|_| self.taker.give_back(LimitKind::Seats, Some(account)))?)
                    }
                    None => None,
                };
                world.seat(account, id).await?;
                json!(bot).to_string()
            }
            WorldCommand::GetBalance {} => world.balance(self.signed()?).await.to_string(),
            WorldCommand::GetState {} => {
                self.taker.take_some(LimitKind::Requests, WHOLE_WORLD_COST, self.account)?;
                state(&self.app, world).await?
            }
            WorldCommand::GetSlotsInfo {} => {
                self.taker.take_some(LimitKind::Requests, HOLDERS_COST, self.account)?;
                let (slots, seated) = (world.look(SlotInfo::all).await, world.seated().await);
                json!(holders(self.app.store(), slots, &seated).await?).to_string()
            }
            WorldCommand::GetBaseInfo { slot: number } => {
                let slot = slot(number)?;
                let base = world.look(|world| BaseInfo::of(world, slot)).await;
                json!(base.ok_or_else(|| Rejected::new("no_base", "No base"))?).to_string()
            }
            WorldCommand::GetTerritoryInfo { slot: number } => {
                let slot = slot(number)?;
                self.taker.take_some(LimitKind::Requests, WHOLE_WORLD_COST, self.account)?;
                json!(world.look(|world| block_in_place(|| TerritoryInfo::of(world, slot))).await).to_string()
            }
            WorldCommand::GetNextWipe {} => json!(world.look(Wipe::of).await).to_string(),
        })
    }

    /// The account that calls.
    fn signed(&self) -> Result<AccountId, Rejected> {
        self.account.ok_or_else(|| Rejected::new("sign_in", "Must be authenticated"))
    }

    /// The account that changes something, unless nobody may.
    fn changing(&self) -> Result<AccountId, Rejected> {
        let account = self.signed()?;
        let refused = |problem: Problem| Rejected("read_only", problem.detail.to_string(), Some(Box::new(problem)));
        self.taker.may_change().map_err(refused)?;
        Ok(account)
    }

    async fn call(&self, call: Call) -> Result<u64, Rejected> {
        let account = self.changing()?;
        let cells = match &call {
            // The rules refuse a call with more.
            Call::Place(cells) => Some(cells.len()).filter(|cells| *cells <= CELLS_A_CALL).unwrap_or_default(),
            Call::Join { .. } | Call::Faucet => 0,
        };
        self.taker.take_all(&[(LimitKind::Calls, 1), (LimitKind::Cells, cells as u32)], Some(account))?;
        Ok(self.world.call(account, call).await?)
    }

    /// Who this is.
    pub(crate) async fn hello(&self) -> String {
        let slot = match self.account {
            Some(account) => self.world.slot_of(account).await,
            None => None,
        };
        let account = self.account.map(|account| account.0);
        WorldMessage::Hello { account, slot }.sorted()
    }

    /// The news since the last message.
    pub(crate) fn news(&mut self, shown: &LogTail) -> String {
        let news = shown.news(self.told);
        self.told = shown.next;
        news
    }
}

/// The whole world as JSON: the event that opens a log, the holders of slots, the next wipe, and the number of the next
/// line.
pub(crate) async fn state(app: &App, world: &Arc<LiveWorld>) -> Result<String, StoreError> {
    let (world, runtime) = (world.clone(), Handle::current());
    // A snapshot that nobody asked for lately is written first, which takes milliseconds.
    let snapshot = spawn_blocking(move || runtime.block_on(world.snapshot())).await;
    let snapshot = snapshot.map_err(|error| StoreError::Unavailable(error.into()))?;
    let WorldSnapshot { generation, next, slots, seated, wipe, opened } = &*snapshot;
    let (slots, wipe) = (json!(holders(app.store(), slots.clone(), seated).await?), json!(wipe));
    Ok(format!(r#"{{"generation":{generation},"next":{next},"slots":{slots},"next_wipe":{wipe},"opened":{opened}}}"#))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arena_service::limits::GENERATION_EVERY;

    use super::*;
    use crate::limits::{PING_EVERY, WORLD_PAUSE};

    #[test]
    fn who_holds_the_slots_is_said_in_as_many_bytes_as_watching_is_counted_with() {
        let holder = |slot: u8| Holder {
            info: SlotInfo {
                slot,
                account: 99_999,
                base: BaseInfo { x: 511, y: 511, coins: 100_000, slot, alive: true },
                alive_cells: 99_999,
                territory_cells: 99_999,
                in_grace_period: true,
                grace_generations_remaining: Some(6_000),
            },
            name: "a name of usual length".into(),
            bot: Some("a bot of usual length".into()),
        };
        let answer = json!((1..=9).map(|slot| Some(holder(slot))).collect::<Vec<_>>()).to_string();
        // `HOLDERS_BYTES` of `arena/world/tests/it/slow/watchers.rs`, less what is around the answer.
        assert!(answer.len() + 120 <= 3_000, "{}", answer.len());
    }

    #[test]
    fn watching_is_counted_with_the_pauses_of_a_socket() {
        // `PAUSE` and `BEAT_EVERY` of `arena/world/tests/it/slow/watchers.rs`, whose generations are a tenth of a
        // second.
        assert_eq!(GENERATION_EVERY, Duration::from_millis(100));
        assert_eq!((WORLD_PAUSE, PING_EVERY), (2 * GENERATION_EVERY, Duration::from_secs(10)));
    }

    #[test]
    fn what_is_said_to_a_world_is_read_and_nothing_else() {
        let said = |text: &str| serde_json::from_str::<WorldCommand>(text);
        assert!(matches!(
            said(r#"{"type":"join_game","base_x":-1,"base_y":512}"#),
            Ok(WorldCommand::JoinGame { base_x: -1, base_y: 512 })
        ));
        let Ok(WorldCommand::PlaceCells { cells }) = said(r#"{"type":"place_cells","cells":[[1,2],[3,4]]}"#) else {
            panic!("cells are columns and rows");
        };
        assert_eq!(cells, [(1, 2), (3, 4)]);
        for word in ["faucet", "get_state", "get_slots_info", "get_next_wipe", "get_balance"] {
            let text = format!(r#"{{"type":"{word}","client_seq":7}}"#);
            let received: Received<WorldCommand, u64> = Received::parse(&text, "client_seq").expect(word);
            assert_eq!((&*received.name, received.field), (word, Some(7)));
        }
        for bad in [
            "",
            "{}",
            r#"{"type":"wipe"}"#,
            r#"{"type":"faucet","coins":5}"#,
            r#"{"type":"place_cells"}"#,
            r#"{"type":"place_cells","cells":[[1,2,3]]}"#,
            r#"{"type":"place_cells","cells":[[1.5,2]]}"#,
            r#"{"type":"place_cells","cells":[[2147483648,2]]}"#,
            r#"{"type":"get_base_info","slot":256}"#,
        ] {
            assert!(said(bad).is_err(), "{bad}");
        }
    }
}
