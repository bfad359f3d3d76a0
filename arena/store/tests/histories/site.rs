//! Histories of accounts, bots, games and rooms.

use arena_clock::Clock;
use arena_store::{Limits, Scope};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::{plain, real};

const STEPS_MAX: usize = 80;

/// Small, so that histories reach them.
const LIMITS: Limits = Limits {
    accounts_max: 4,
    sessions_per_account_max: 2,
    browsers_per_account_max: 2,
    tokens_per_account_max: 2,
    bots_per_account_max: 2,
    versions_per_bot_per_day_max: 3,
    versions_per_bot_max: 5,
    pending_per_account_max: 3,
    pending_max: 4,
    module_bytes_max: 6,
    open_rooms_max: 2,
    open_rooms_per_owner_max: 1,
    finished_room_bytes_max: 3,
    rated_room_bytes_max: 4,
    rated_games_max: 3,
    practice_games_max: 2,
    events_per_room_max: 4,
    gone_max: 2,
    ..Limits::DEFAULT
};

pub(super) const NAMES: [&str; 6] = ["Ada", "ADA", "A-da", "Bob", "Eve", "eve"];
pub(super) const BOTS: [&str; 6] = ["one", "ONE", "0-ne", "two", "three", "four"];
pub(super) const GAMES: [&str; 2] = ["conquerors@2", "life@1"];
pub(super) const CONTENTS: [&str; 3] = ["a", "b", "c"];
pub(super) const EVENTS: [&str; 3] = ["x", "y", "z"];
pub(super) const TOURNAMENTS: [&str; 2] = ["cup", "league"];

/// A call, or time that passes. Numbers choose among what there is, or one more: somebody who is not there.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Wait(i64),
    CreateAccount { name: usize },
    Rename { account: usize, name: usize },
    ReplaceCode { account: usize },
    DeleteAccount { account: usize },
    SignIn { code: usize },
    CreateSession { account: usize, seconds: i64 },
    EndSession { session: usize },
    DropExpired,
    NoteBrowser { account: usize, browser: u8 },
    CreateToken { account: usize, scope: usize, hours: i64 },
    NoteUse { token: usize },
    RevokeToken { account: usize, token: usize },
    Act { act: usize, account: usize, bot: usize },
    Submit { account: usize, bot: usize, game: usize, content: usize },
    SetVerdict { version: usize, accepted: bool },
    Choose { bot: usize, number: Option<u32> },
    RenameBot { bot: usize, name: usize },
    DeleteBot { bot: usize },
    KeepLogs { version: usize, seats: Vec<u8> },
    Reindex { tournament: usize, numbers: Vec<u32> },
    RemoveGames { tournament: usize },
    CreateRoom { room: u128, owner: u8, event: usize },
    Append { room: u128, seq: u32, event: usize },
    FinishRoom { room: u128 },
    TallyRoom { room: u128, first: usize, second: Option<usize> },
    Look { page: u32 },
}

fn step() -> impl Strategy<Value = Step> {
    let some = 0_usize..64;
    let (account, name, version) = (some.clone(), 0..NAMES.len(), some.clone());
    let (some_bot, some_account) = (0_usize..8, account.clone());
    let (room, event, tournament) = (0_u128..4, 0..EVENTS.len(), 0..TOURNAMENTS.len());
    prop_oneof![
        1 => (1_i64..60_000).prop_map(Step::Wait),
        2 => name.clone().prop_map(|name| Step::CreateAccount { name }),
        1 => (account.clone(), name).prop_map(|(account, name)| Step::Rename { account, name }),
        1 => account.clone().prop_map(|account| Step::ReplaceCode { account }),
        1 => account.clone().prop_map(|account| Step::DeleteAccount { account }),
        1 => some.clone().prop_map(|code| Step::SignIn { code }),
        2 => (account.clone(), 1_i64..50).prop_map(|(account, hours)| Step::CreateSession { account, seconds: hours * 3_600 }),
        1 => some.prop_map(|session| Step::EndSession { session }),
        1 => Just(Step::DropExpired),
        2 => (account.clone(), 0_u8..4).prop_map(|(account, browser)| Step::NoteBrowser { account, browser }),
        2 => (account.clone(), 0..Scope::EVERY.len(), 1_i64..50)
            .prop_map(|(account, scope, hours)| Step::CreateToken { account, scope, hours }),
        1 => version.clone().prop_map(|token| Step::NoteUse { token }),
        1 => (account.clone(), version.clone()).prop_map(|(account, token)| Step::RevokeToken { account, token }),
        2 => (0_usize..12, account.clone(), version.clone()).prop_map(|(act, account, bot)| Step::Act { act, account, bot }),
        // Mostly one bot of one account, so that its limits are reached.
        6 => (
            prop_oneof![4 => Just(0), 1 => account.clone()],
            prop_oneof![4 => Just(0), 1 => 0..BOTS.len()],
            prop_oneof![8 => Just(0), 1 => Just(1)],
            0..CONTENTS.len(),
        )
            .prop_map(|(account, bot, game, content)| Step::Submit { account, bot, game, content }),
        4 => (version.clone(), any::<bool>()).prop_map(|(version, accepted)| Step::SetVerdict { version, accepted }),
        2 => (some_bot.clone(), prop_oneof![1 => Just(None), 3 => (0_u32..5).prop_map(Some)])
            .prop_map(|(bot, number)| Step::Choose { bot, number }),
        1 => (some_bot.clone(), 0..BOTS.len()).prop_map(|(bot, name)| Step::RenameBot { bot, name }),
        1 => some_bot.prop_map(|bot| Step::DeleteBot { bot }),
        1 => (version, vec(0_u8..3, 0..3)).prop_map(|(version, seats)| Step::KeepLogs { version, seats }),
        1 => tournament.clone().prop_map(|tournament| Step::RemoveGames { tournament }),
        1 => (tournament, vec(0_u32..6, 0..5)).prop_map(|(tournament, numbers)| Step::Reindex { tournament, numbers }),
        2 => (room.clone(), 0_u8..3, event.clone())
            .prop_map(|(room, owner, event)| Step::CreateRoom { room, owner, event }),
        4 => (room.clone(), 0_u32..6, event).prop_map(|(room, seq, event)| Step::Append { room, seq, event }),
        2 => room.clone().prop_map(|room| Step::FinishRoom { room }),
        2 => (room, account, option::of(some_account))
            .prop_map(|(room, first, second)| Step::TallyRoom { room, first, second }),
        2 => (0_u32..4).prop_map(|page| Step::Look { page }),
    ]
}

/// Lives through a history with both stores; the first step to which they answer otherwise.
async fn live_through(history: &[Step]) -> Result<(), TestCaseError> {
    let (store, _folder) = super::super::open(LIMITS, Clock::system()).await;
    let plain = super::super::plain(LIMITS, Clock::system()).await;
    let (mut plain, mut world) = (plain::world::World::new(plain), real::world::World::new(store));
    for (number, step) in [Step::CreateAccount { name: 0 }].iter().chain(history).enumerate() {
        let (expected, answered) = (plain.step(step).await, world.step(step).await);
        prop_assert_eq!(expected, answered, "step {} {:?}", number, step);
    }
    prop_assert_eq!(plain.everything(100).await, world.everything(100).await, "in the end");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(super::super::HISTORIES))]

    #[test]
    fn a_store_answers_as_the_plain_one_does(history in vec(step(), 1..STEPS_MAX)) {
        Runtime::new().expect("a runtime").block_on(live_through(&history))?;
    }
}
