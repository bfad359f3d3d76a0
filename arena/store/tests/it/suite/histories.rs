//! Random histories: whatever is asked, in whatever order, a store answers as the plain one in memory does.

use std::fmt::Debug;
use std::slice;
use std::sync::Arc;

use arena_clock::Clock;
use arena_record::{EntrantId, Hex, OutcomeRecord};
use arena_rules::BySeat;
use arena_store::{
    AccessToken, Account, AccountError, AccountId, Act, Bot, BotId, Gate, IndexedGame, Keeping, Limits, MemoryStore,
    NewPeopleGame, NewToken, Order, Page, PeopleGame, Player, PlayerCode, Reason, Removed, SampleLog, Scope,
    SessionToken, Store, Token, TokenId, TournamentId, UnixSeconds, Verdict, Version, VersionId, Which,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::suite::{bot_name, bytes, display, later, refused, room_id, terms};

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

const NAMES: [&str; 6] = ["Ada", "ADA", "A-da", "Bob", "Eve", "eve"];
const BOTS: [&str; 6] = ["one", "ONE", "0-ne", "two", "three", "four"];
const GAMES: [&str; 2] = ["conquerors@2", "life@1"];
const CONTENTS: [&str; 3] = ["a", "b", "c"];
const EVENTS: [&str; 3] = ["x", "y", "z"];
const TOURNAMENTS: [&str; 2] = ["cup", "league"];

/// A call, or time that passes. Numbers choose among what there is, or one more: somebody who is not there.
#[derive(Clone, Debug)]
enum Step {
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

/// A store and what its caller knows. Numbers and secrets differ from store to store, so answers say their places in
/// these lists.
struct World {
    store: Arc<dyn Store>,
    now: UnixSeconds,
    accounts: Vec<AccountId>,
    codes: Vec<PlayerCode>,
    sessions: Vec<SessionToken>,
    tokens: Vec<(TokenId, AccessToken)>,
    bots: Vec<BotId>,
    versions: Vec<VersionId>,
}

/// What is chosen from a list, or `other` when the choice is one past its end.
fn chosen<T: Clone>(list: &[T], choice: usize, other: T) -> T {
    list.get(choice % (list.len() + 1)).cloned().unwrap_or(other)
}

fn said<T: Debug, E: Debug>(answer: Result<T, E>) -> String {
    format!("{answer:?}")
}

impl World {
    fn new(store: Arc<dyn Store>) -> World {
        let (accounts, codes, sessions, tokens) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        World { store, now: later(0), accounts, codes, sessions, tokens, bots: Vec::new(), versions: Vec::new() }
    }

    fn account(&self, choice: usize) -> AccountId {
        chosen(&self.accounts, choice, AccountId(i64::MAX))
    }

    fn bot(&self, choice: usize) -> BotId {
        chosen(&self.bots, choice, BotId(i64::MAX))
    }

    fn version(&self, choice: usize) -> VersionId {
        chosen(&self.versions, choice, VersionId { bot: BotId(i64::MAX), number: 1 })
    }

    /// An account as every store tells it.
    fn told(&self, account: &Account) -> String {
        let place = self.accounts.iter().position(|id| *id == account.id);
        format!("account {place:?} {} {:?} {}", account.name, account.created_at, account.disabled)
    }

    fn told_token(&self, token: &Token) -> String {
        let place = self.tokens.iter().position(|(id, _)| *id == token.id);
        let Token { id: _, name, scope, created_at, expires_at, used_at } = token;
        format!("token {place:?} {name} {scope:?} {created_at:?} {expires_at:?} {used_at:?}")
    }

    fn token(&self, choice: usize) -> TokenId {
        let ids: Vec<TokenId> = self.tokens.iter().map(|(id, _)| *id).collect();
        chosen(&ids, choice, TokenId(i64::MAX))
    }

    fn told_bot(&self, bot: &Bot) -> String {
        let account = self.accounts.iter().position(|id| *id == bot.account);
        let place = self.bots.iter().position(|id| *id == bot.id);
        let active = bot.active.map(|active| active.number);
        let Bot { owner, name, game, created_at, disabled, .. } = bot;
        format!("bot {place:?} {account:?} {owner} {name} {game} {active:?} {created_at:?} {disabled}")
    }

    fn told_version(&self, version: &Version) -> String {
        let bot = self.bots.iter().position(|id| *id == version.id.bot);
        let Version { id, entrant, size_bytes, state, submitted_at } = version;
        format!("version {bot:?}/{} {entrant} {size_bytes} {state:?} {submitted_at:?}", id.number)
    }

    /// Takes a step; what was answered.
    async fn step(&mut self, step: &Step) -> String {
        let (store, now) = (self.store.clone(), self.now);
        match step {
            Step::Wait(seconds) => {
                self.now = UnixSeconds(now.0 + seconds);
                String::new()
            }
            Step::CreateAccount { name } => {
                let made = store.create_account(&display(NAMES[*name]), now).await;
                said(made.map(|(account, code)| {
                    self.accounts.push(account.id);
                    self.codes.push(code);
                    self.told(&account)
                }))
            }
            Step::Rename { account, name } => {
                let renamed = store.rename_account(self.account(*account), &display(NAMES[*name])).await;
                said(renamed.map(|account| self.told(&account)))
            }
            Step::ReplaceCode { account } => {
                let replaced = store.replace_code(self.account(*account)).await;
                said(replaced.map(|code| self.codes.push(code)))
            }
            Step::DeleteAccount { account } => said(store.delete_account(self.account(*account), now).await),
            Step::SignIn { code } => match self.codes.get(code % (self.codes.len().max(1))) {
                Some(code) => {
                    let found = store.account_by_code(code).await;
                    said(found.map(|found| found.map(|account| self.told(&account))))
                }
                None => String::new(),
            },
            Step::CreateSession { account, seconds } => {
                // Of sessions that expire in the same second a store may end any: here none do.
                let expires_at = UnixSeconds(now.0 + seconds + self.sessions.len() as i64);
                let made = store.create_session(self.account(*account), expires_at).await;
                said::<_, AccountError>(made.map(|token| self.sessions.push(token)))
            }
            Step::EndSession { session } => match self.sessions.get(session % (self.sessions.len().max(1))) {
                Some(token) => said(store.end_session(token).await),
                None => String::new(),
            },
            Step::DropExpired => said(store.drop_expired_sessions(now).await),
            Step::NoteBrowser { account, browser } => {
                said(store.note_browser(self.account(*account), Hex([*browser; 32]), now).await)
            }
            Step::CreateToken { account, scope, hours } => {
                let expires_at = UnixSeconds(now.0 + hours * 3_600);
                let new = NewToken { name: display("laptop"), scope: Scope::EVERY[*scope], expires_at };
                let made = store.create_token(self.account(*account), &new, now).await;
                said(made.map(|(token, secret)| {
                    self.tokens.push((token.id, secret));
                    self.told_token(&token)
                }))
            }
            Step::NoteUse { token } => said(store.note_use(self.token(*token), now).await),
            Step::RevokeToken { account, token } => {
                said(store.revoke_token(self.account(*account), self.token(*token)).await)
            }
            Step::Act { act, account, bot } => {
                let (account, bot) = (self.account(*account), chosen(&self.bots, *bot, BotId(i64::MAX)));
                let act = match act {
                    0 => Act::Close(Gate::Submissions),
                    1 | 2 => Act::Open(Gate::Submissions),
                    3 => Act::Close(Gate::Rooms),
                    4 => Act::Open(Gate::Rooms),
                    5 => Act::DisableBot(bot),
                    6 => Act::EnableBot(bot),
                    7 => Act::DisableAccount(account),
                    8 => Act::RenameBot(bot, bot_name(BOTS[0])),
                    9 => Act::Ban { network: "a network".into(), until: UnixSeconds(now.0 + 5) },
                    10 => Act::LiftBan(3),
                    _ => Act::EnableAccount(account),
                };
                let reason = Reason::parse("a reason").expect("one");
                said(store.act(&act, &reason, now).await.map(|entry| (entry.number, entry.act, entry.name)))
            }
            Step::Submit { account, bot, game, content } => {
                let (name, content) = (bot_name(BOTS[*bot]), bytes(CONTENTS[*content]));
                let submitted = store.submit(self.account(*account), &name, GAMES[*game], content, now).await;
                said(submitted.map(|submission| {
                    let id = submission.version().id;
                    if !self.bots.contains(&id.bot) {
                        self.bots.push(id.bot);
                    }
                    if !self.versions.contains(&id) {
                        self.versions.push(id);
                    }
                    let new = matches!(submission, arena_store::Submission::New(_));
                    (new, self.told_version(submission.version()))
                }))
            }
            Step::SetVerdict { version, accepted } => {
                let verdict = if *accepted { Verdict::Accepted } else { refused() };
                let judged = store.set_verdict(self.version(*version), verdict).await;
                said(judged.map(|version| self.told_version(&version)))
            }
            Step::Choose { bot, number } => {
                let chosen = store.choose_version(self.bot(*bot), *number).await;
                said(chosen.map(|bot| self.told_bot(&bot)))
            }
            Step::RenameBot { bot, name } => {
                let renamed = store.rename_bot(self.bot(*bot), &bot_name(BOTS[*name])).await;
                said(renamed.map(|bot| self.told_bot(&bot)))
            }
            Step::DeleteBot { bot } => said(store.delete_bot(self.bot(*bot), now).await),
            Step::KeepLogs { version, seats } => {
                let log = |seat: &u8| SampleLog { seat: *seat, text: format!("{seat}\n"), dropped: u64::from(*seat) };
                let logs: Vec<SampleLog> = seats.iter().map(log).collect();
                said(store.keep_sample_logs(self.version(*version), &logs).await)
            }
            Step::Reindex { tournament, numbers } => {
                let games: Vec<IndexedGame> = numbers.iter().map(|number| game(*number)).collect();
                said(store.reindex(&id(TOURNAMENTS[*tournament]), &games).await)
            }
            Step::RemoveGames { tournament } => said(store.remove_games(&id(TOURNAMENTS[*tournament]), now).await),
            Step::CreateRoom { room, owner, event } => {
                said(store.create_room(&room_id(*room), EVENTS[*event], &terms(*owner), now).await)
            }
            Step::Append { room, seq, event } => said(store.append(&room_id(*room), *seq, EVENTS[*event], now).await),
            Step::FinishRoom { room } => {
                said(store.finish_room(&room_id(*room), &[terms((*room % 3) as u8).owner], now).await)
            }
            Step::TallyRoom { room, first, second } => {
                let (first, second) = (self.account(*first), second.map(|second| self.account(second)));
                let second = second.filter(|second| *second != first);
                let keeping = if second.is_some() { Keeping::Rated } else { Keeping::Practice };
                let game = NewPeopleGame { accounts: (first, second), keeping, game: "game" };
                // Rows name accounts that are there, or were.
                let real = [Some(first), second].into_iter().flatten().all(|account| self.accounts.contains(&account));
                said(store.tally_room(&room_id(*room), real.then_some(&game), now).await)
            }
            Step::Look { page } => self.everything(*page).await.join("\n"),
        }
    }

    /// All that can be read, its lists in pages of so many.
    async fn everything(&self, page: u32) -> Vec<String> {
        let (store, mut seen) = (&self.store, vec![said(self.store.problems().await)]);
        for id in &self.accounts {
            let account = store.account(*id).await.expect("read");
            seen.push(format!("{:?}", account.map(|account| self.told(&account))));
            for page in pages(&self.versions, page) {
                let versions = store.versions_of(*id, page).await.expect("read");
                seen.extend(versions.iter().map(|version| self.told_version(version)));
            }
            for page in pages(&self.bots, page) {
                let bots = store.bots_of(*id, page).await.expect("read");
                seen.extend(bots.iter().map(|bot| self.told_bot(bot)));
            }
        }
        for code in &self.codes {
            let found = store.account_by_code(code).await.expect("read");
            seen.push(format!("{:?}", found.map(|account| self.told(&account))));
        }
        for token in &self.sessions {
            let found = store.account_by_session(token, self.now).await.expect("read");
            seen.push(format!("{:?}", found.map(|account| self.told(&account))));
        }
        let browsers = store.browsers_of(&self.accounts).await.expect("read");
        seen.extend(self.accounts.iter().map(|id| format!("{:?}", browsers.get(id))));
        for id in &self.accounts {
            let tokens = store.tokens_of(*id).await.expect("read");
            seen.extend(tokens.iter().map(|token| self.told_token(token)));
        }
        for (_, secret) in &self.tokens {
            let found = store.account_by_token(secret, self.now).await.expect("read");
            seen.push(format!("{:?}", found.map(|(account, token)| self.told(&account) + &self.told_token(&token))));
        }
        for name in BOTS {
            let found = store.bot_by_name(&bot_name(name)).await.expect("read");
            seen.push(format!("{:?}", found.map(|bot| self.told_bot(&bot))));
        }
        for bot in &self.bots {
            let found = store.bot(*bot).await.expect("read");
            seen.push(format!("{:?}", found.map(|bot| self.told_bot(&bot))));
            for page in pages(&[4, 2], page) {
                let versions = store.versions(*bot, page).await.expect("read");
                seen.extend(versions.iter().map(|version| self.told_version(version)));
            }
        }
        for game in [None, Some(GAMES[0]), Some(GAMES[1])] {
            for page in pages(&self.bots, page) {
                for active in store.active_bots(game, page).await.expect("read") {
                    seen.push(self.told_bot(&active.bot) + &self.told_version(&active.version));
                }
            }
        }
        for game in GAMES {
            for active in store.active_bots_named(game, &BOTS.map(bot_name)).await.expect("read") {
                seen.push(self.told_bot(&active.bot) + &self.told_version(&active.version));
            }
        }
        for version in &self.versions {
            let found = store.version(*version).await.expect("read");
            seen.push(format!("{:?}", found.map(|version| self.told_version(&version))));
            seen.push(said(store.sample_logs(*version).await));
        }
        for page in pages(&self.versions, page) {
            let pending = store.pending_versions(page).await.expect("read");
            seen.extend(pending.iter().map(|version| self.told_version(version)));
        }
        for content in CONTENTS {
            let entrant = EntrantId::of_bytes(content.as_bytes());
            let named = store.named(None, slice::from_ref(&entrant)).await.expect("read").remove(&entrant);
            let named = named.map(|named| {
                let account = self.accounts.iter().position(|id| *id == named.account);
                (named.name, named.number, account)
            });
            seen.push(format!("{named:?} {}", said(store.module(&entrant).await)));
        }
        for tournament in TOURNAMENTS.map(id) {
            seen.push(said(store.games_count(&tournament).await));
            seen.push(said(store.game(&tournament, 3).await));
            seen.push(said(store.gone_since(&Removed::Games(tournament.clone())).await));
            for page in pages(&[0, 2, 5], page) {
                seen.push(said(store.games(&tournament, page.clone()).await));
                seen.push(said(store.latest_games(&tournament, page).await));
            }
        }
        let (bot, all) = (Player::Ids(vec![EntrantId::of_baseline("bot", 1)]), Which::default());
        for order in [Order::LostFirst, Order::Latest] {
            for page in pages(&[(0, 0), (0, 2), (1, 5)], page) {
                seen.push(said(store.games_of(&bot, &TOURNAMENTS.map(id), &all, order, page).await));
            }
        }
        for room in 0..4 {
            seen.push(said(store.room(&room_id(room)).await));
            seen.push(said(store.gone_since(&Removed::Room(room_id(room))).await));
        }
        let (changes, kept) = store.people_games(Page::first(page)).await.expect("read");
        let told = |game: &PeopleGame| {
            let place = |account: &AccountId| self.accounts.iter().position(|id| id == account);
            let gone: Vec<_> = game.gone.iter().map(place).collect();
            format!("{} {} {gone:?}", game.number, game.room)
        };
        seen.push(format!("{changes} {:?}", kept.iter().map(told).collect::<Vec<_>>()));
        seen.push(said(store.games_kept().await));
        seen.push(said(store.rooms_to_tally(self.now).await));
        for owner in 0..3 {
            seen.push(said(store.rooms_of(terms(owner).owner, Page::first(page)).await));
            seen.push(said(store.latest_rooms_of(terms(owner).owner, page).await));
        }
        for page in pages(&[room_id(0), room_id(2)], page) {
            seen.push(said(store.open_rooms(page).await));
        }
        for moment in [self.now, UnixSeconds(self.now.0 - 50)] {
            seen.push(said(store.silent_rooms(moment).await));
            seen.push(said(store.quietest_room(moment).await));
        }
        seen
    }
}

/// The first page of a list, and one after each key.
fn pages<K: Clone>(keys: &[K], limit: u32) -> Vec<Page<K>> {
    let after = keys.iter().map(|key| Page::after(key.clone(), limit));
    std::iter::once(Page::first(limit)).chain(after).collect()
}

fn id(tournament: &str) -> TournamentId {
    TournamentId::parse(tournament).expect("an id")
}

fn game(number: u32) -> IndexedGame {
    let entrants = [number % 3, number % 2].map(|index| EntrantId::of_baseline("bot", index));
    let outcome = OutcomeRecord { winner: None, reason: "majority".into(), tally: vec![number; 2] };
    let (entrants, path) = (BySeat::from(entrants.to_vec()), format!("games/{number}"));
    IndexedGame { number, entrants, outcome, digest: [number as u8; 32], path }
}

/// Lives through a history with both stores; the first step to which they answer otherwise.
async fn live_through(history: &[Step]) -> Result<(), TestCaseError> {
    let (store, _folder) = super::open(LIMITS, Clock::system()).await;
    let (mut model, mut world) = (World::new(Arc::new(MemoryStore::new(LIMITS))), World::new(store));
    for (number, step) in [Step::CreateAccount { name: 0 }].iter().chain(history).enumerate() {
        let (expected, answered) = (model.step(step).await, world.step(step).await);
        prop_assert_eq!(expected, answered, "step {} {:?}", number, step);
    }
    prop_assert_eq!(model.everything(100).await, world.everything(100).await, "in the end");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(super::HISTORIES))]

    #[test]
    fn a_store_answers_as_the_plain_one_does(history in vec(step(), 1..STEPS_MAX)) {
        Runtime::new().expect("a runtime").block_on(live_through(&history))?;
    }
}
