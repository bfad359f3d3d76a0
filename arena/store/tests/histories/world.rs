//! A store that is asked, and what was answered. It is compiled for each kind of store.

use std::fmt::Debug;
use std::slice;
use std::sync::Arc;

use arena_record::{EntrantId, Hex, OutcomeRecord};
use arena_rules::BySeat;
use arena_store::{
    AccessToken, Account, AccountError, AccountId, Act, Bot, BotId, Gate, IndexedGame, Keeping, NewPeopleGame,
    NewToken, Order, Page, PeopleGame, Player, PlayerCode, Reason, Removed, SampleLog, Scope, SessionToken, Token,
    TokenId, TournamentId, UnixSeconds, Verdict, Version, VersionId, Which,
};

use super::super::super::suite::{bot_name, bytes, display, later, refused, room_id, terms};
use super::super::site::{BOTS, CONTENTS, EVENTS, GAMES, NAMES, Step, TOURNAMENTS};
use super::Tested;

/// A store and what its caller knows. Numbers and secrets differ from store to store, so answers say their places in
/// these lists.
pub(crate) struct World {
    store: Arc<Tested>,
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
    pub(crate) fn new(store: Arc<Tested>) -> World {
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
        let Version { id, entrant, size_bytes, state, submitted_at, licence: _ } = version;
        format!("version {bot:?}/{} {entrant} {size_bytes} {state:?} {submitted_at:?}", id.number)
    }

    /// Takes a step; what was answered.
    pub(crate) async fn step(&mut self, step: &Step) -> String {
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
    pub(crate) async fn everything(&self, page: u32) -> Vec<String> {
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
