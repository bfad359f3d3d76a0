//! What people can do with tournaments. Each act is an event, appended to the log if the rules allow it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use arena_record::Said;
use arena_runner::Named;
use arena_store::{
    AccountId, Act, Bot, BotName, ContestError, ContestId, Counted, NewContest as StoredNew, Page, Phase, Reason,
    Store, StoreError, UnixSeconds,
};
use arena_tournaments::{EntrantSpec, Source};
use arena_wire::Game;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tracing::info;

use super::refused::ContestRefused;
use super::sentences::COPY;
use super::state::{Admission, By, ContestState, Entrant, Entry, Event, Illegal, Place, Stage};
use super::terms::{ContestTerms, Cost, Started, TermsError};
use super::view::{ContestDetails, ContestSnapshot, Window, called, read};
use super::{DAY_SECONDS, secrets};
use crate::cores::core;
use crate::limits::{APPEND_TRIES, CONTEST_ENTRANTS_MAX, CONTEST_ENTRY_DAYS_MAX};
use crate::random::Random;
use crate::wakeup::Wakeup;

/// A tournament to be opened.
#[derive(Clone, Debug)]
pub struct NewContest {
    /// Who starts it.
    pub owner: AccountId,
    /// What it plays by.
    pub terms: ContestTerms,
    /// The entrants that its definition names. Built-in opponents among them get reserved seats; files are bots of the
    /// owner, each named by the SHA-256 of its bytes and `.wasm`.
    pub named: Vec<EntrantSpec>,
    /// Further bots that are in from the start. All must be the owner's, except that one in a tournament of two may be
    /// anybody's. A bot of the gallery, named where no such bot plays, gets a reserved seat.
    pub bots: Vec<BotName>,
    /// Who may enter.
    pub rule: Admission,
    /// Entry closes at this many entrants; the site's maximum by default.
    pub places: Option<u32>,
    /// Entry closes at this time at the latest.
    pub until: Option<UnixSeconds>,
    /// Whether bots may enter after the start, between rounds, as long as there are places.
    pub late: bool,
    /// The operator's reason, if the operator starts it for the owner. Its games and fuel then count towards no limit
    /// of accounts.
    pub by_operator: Option<Reason>,
}

/// Carries out what people ask for.
#[derive(Clone)]
pub struct Contests {
    store: Arc<Store>,
    random: Random,
    wakeup: Wakeup,
    window: Window,
}

/// The field of a new tournament.
struct Field {
    /// Built-in opponents.
    reserved: Vec<String>,
    entrants: Vec<Entrant>,
    /// Both, as they were named.
    order: Vec<Place>,
}

/// How many places a tournament has that begins with at least so many, and with these, and when its entry closes.
fn entry(new: &NewContest, least: usize, count: usize, now: UnixSeconds) -> Result<(u32, Option<i64>), ContestRefused> {
    let places = match (&new.rule, new.places) {
        (Admission::Named, _) if count < least => return Err(ContestRefused::TooFew(least)),
        (Admission::Named, _) => count as u32,
        (_, Some(given)) if (given as usize) < least.max(count) || given as usize > CONTEST_ENTRANTS_MAX => {
            return Err(ContestRefused::Places { least: least.max(count), given });
        }
        (_, given) => given.unwrap_or(CONTEST_ENTRANTS_MAX as u32),
    };
    let latest = now.0.saturating_add(CONTEST_ENTRY_DAYS_MAX * DAY_SECONDS);
    let until = match (&new.rule, new.until) {
        (Admission::Named, _) => None,
        (_, Some(until)) if until.0 <= now.0 || until.0 > latest => return Err(ContestRefused::Date),
        (_, until) => Some(until.map_or(latest, |until| until.0)),
    };
    Ok((places, until))
}

impl Contests {
    pub(crate) fn new(store: Arc<Store>, random: Random, wakeup: Wakeup, tournaments: &Path) -> Contests {
        Contests { store, random, wakeup, window: Window::new(tournaments) }
    }

    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// Opens a tournament of an account. It begins once entry is closed.
    ///
    /// # Errors
    /// When its terms are refused or a quota is used up.
    pub async fn open(&self, new: NewContest, now: UnixSeconds) -> Result<ContestId, ContestRefused> {
        let started = if new.by_operator.is_some() { Started::ByOperator } else { Started::ByAccount };
        let terms = new.terms.clone().started(started);
        let Some(game) = terms.game() else { return Err(TermsError::Game(String::new()).into()) };
        if new.late && (new.rule == Admission::Named || !terms.has_late_entry()) {
            return Err(ContestRefused::NoLateEntry);
        }
        let Field { reserved, entrants, order } = self.field(&new, game).await?;
        let (places, until) = entry(&new, terms.least(), reserved.len() + entrants.len(), now)?;
        let Cost { games, fuel } = terms.cost(places as usize)?;
        let secret = self.random.bytes("contests")?;
        let commitment = secrets(secret, new.late).commitment().ok_or(Illegal::NotOpened)?;
        let opened = Event::Opened {
            terms: terms.to_string(),
            entry: Entry { admission: new.rule, places, until, late: new.late },
            reserved,
            entrants,
            order,
            commitment,
            by_operator: started == Started::ByOperator,
        };
        // Refuses what could not be read back, such as two entrants that are one bot.
        ContestState::of([(now.0, &opened)].into_iter())?;
        let counted = match started {
            Started::ByAccount => Counted { phase: Phase::Entry, games, fuel },
            Started::ByOperator => Counted { phase: Phase::Entry, games: 0, fuel: 0 },
        };
        let (name, ruleset, event) = (terms.name().to_owned(), game.ruleset, text(&opened));
        let by_operator = new.by_operator.as_ref();
        let new =
            StoredNew { owner: new.owner, name: &name, game: ruleset, event: &event, secret, counted, by_operator };
        let id = self.store.open_contest(&new, now).await?;
        info!(contest = id.0, account = new.owner.0, games, ?started, "a tournament is opened");
        self.wakeup.contest_changed(id);
        Ok(id)
    }

    /// The field from the start on.
    async fn field(&self, new: &NewContest, game: &Game) -> Result<Field, ContestRefused> {
        // Before any of them is looked up in the store.
        let asked = new.bots.len() + new.named.len();
        if asked > CONTEST_ENTRANTS_MAX {
            return Err(TermsError::Entrants(asked).into());
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = new.bots.iter().find(|bot| !names.insert(bot.as_str())) {
            return Err(ContestRefused::Twice(twice.to_string()));
        }
        let (mut reserved, mut entrants, written) = self.named(new, game).await?;
        let (mut others, mut other, mut order) = (0, None, Vec::new());
        let is_challenge = new.bots.len() + entrants.len() + reserved.len() == 2;
        for name in &new.bots {
            let found = self.active(name.as_str(), game).await;
            if matches!(found, Err(ContestRefused::NoSuchBot(_) | ContestRefused::OtherGame { .. }))
                && let Ok(Named::Gallery(gallery)) = Named::find(game.ruleset, name.as_str())
            {
                if reserved.iter().any(|known| known == gallery.name) {
                    return Err(ContestRefused::Twice(gallery.name.into()));
                }
                order.push(Place::Reserved(gallery.name.into()));
                reserved.push(gallery.name.into());
                continue;
            }
            let (bot, entrant) = found?;
            let is_other = bot.account != new.owner;
            let may = is_challenge && new.rule == Admission::Named && others == 0;
            if is_other && !may {
                return Err(ContestRefused::NotYourBot(bot.name.to_string()));
            }
            others += usize::from(is_other);
            other = other.or(is_other.then(|| bot.name.to_string()));
            order.push(Place::Bot(entrant.bot));
            entrants.push(entrant);
        }
        // Bots named outside the definition come first: otherwise a definition of built-in opponents alone decides who
        // runs a gauntlet.
        order.extend(written);
        if let Some(other) = other.filter(|_| others == entrants.len()) {
            return Err(ContestRefused::NotYourBot(other));
        }
        Ok(Field { reserved, entrants, order })
    }

    /// The entrants that a definition names: built-in opponents, bots of the owner, and the order of both.
    async fn named(
        &self,
        new: &NewContest,
        game: &Game,
    ) -> Result<(Vec<String>, Vec<Entrant>, Vec<Place>), ContestRefused> {
        let (mut reserved, mut entrants, mut order) = (Vec::new(), Vec::new(), Vec::new());
        let mut names = BTreeSet::new();
        let has_files = new.named.iter().any(|spec| matches!(spec.source, Source::File(_)));
        let own = if has_files { self.own_by_hash(new.owner, game).await? } else { BTreeMap::new() };
        for spec in &new.named {
            match &spec.source {
                Source::Baseline(name) | Source::Gallery(name) => {
                    let unknown = |_| ContestRefused::NoSuchBot(name.clone());
                    let found = Named::find(game.ruleset, name).map_err(unknown)?;
                    if !names.insert(found.name()) {
                        return Err(ContestRefused::Twice(found.name().into()));
                    }
                    order.push(Place::Reserved(found.name().to_owned()));
                    reserved.push(found.name().to_owned());
                }
                Source::File(file) => {
                    let unknown = || ContestRefused::NoSuchBot(spec.name.clone());
                    let hash = file.strip_suffix(".wasm").ok_or_else(unknown)?;
                    let entrant = self.entrant(own.get(hash).ok_or_else(unknown)?).await?.ok_or_else(unknown)?;
                    order.push(Place::Bot(entrant.bot));
                    entrants.push(entrant);
                }
            }
        }
        Ok((reserved, entrants, order))
    }

    /// An account's active bots, by the hash of their bytes.
    async fn own_by_hash(&self, owner: AccountId, game: &Game) -> Result<BTreeMap<String, Bot>, StoreError> {
        let mut own = BTreeMap::new();
        for bot in self.store.bots_of(owner, Page::first(arena_store::PAGE_MAX)).await? {
            let Some(id) = bot.active.filter(|_| bot.game == game.ruleset) else { continue };
            let Some(version) = self.store.version(id).await? else { continue };
            if let Some(hash) = version.entrant.hash() {
                own.insert(hash.to_owned(), bot);
            }
        }
        Ok(own)
    }

    /// An active bot, and the entrant that it enters as.
    async fn active(&self, name: &str, game: &Game) -> Result<(Bot, Entrant), ContestRefused> {
        let unknown = || ContestRefused::NoSuchBot(name.into());
        let parsed = BotName::parse(name).map_err(|_| unknown())?;
        let bot = self.store.bot_by_name(&parsed).await?.ok_or_else(unknown)?;
        if bot.game != game.ruleset {
            return Err(ContestRefused::OtherGame { bot: bot.name.to_string(), game: bot.game });
        }
        let entrant = self.entrant(&bot).await?.ok_or_else(unknown)?;
        Ok((bot, entrant))
    }

    /// What a bot enters as: the version that plays now; `None` if none does.
    async fn entrant(&self, bot: &Bot) -> Result<Option<Entrant>, StoreError> {
        let Some(playing) = bot.active else { return Ok(None) };
        let Some((version, module)) = self.store.version_with_module(playing).await? else { return Ok(None) };
        // Milliseconds, beside the threads that serve everybody.
        let core =
            spawn_blocking(move || core(&module)).await.map_err(|error| StoreError::Unavailable(error.into()))?;
        let (bot, account) = (bot.id.0, bot.account.0);
        Ok(Some(Entrant { bot, version: playing.number, id: version.entrant, core: Some(core), account }))
    }

    /// Enters a bot of an account in a tournament, with the version that plays now.
    ///
    /// # Errors
    /// When entry is closed, not for this account, or the bot cannot enter.
    pub async fn enter(
        &self,
        id: ContestId,
        account: AccountId,
        bot: &str,
        now: UnixSeconds,
    ) -> Result<(), ContestRefused> {
        let shown = self.read(id).await?;
        if !shown.0.admits(account, shown.1) {
            let illegal =
                if shown.0.entry.admission == Admission::Named { Illegal::Closed } else { Illegal::NotInvited };
            return Err(illegal.into());
        }
        let game = shown.0.terms.game().ok_or_else(|| TermsError::Game(String::new()))?;
        let (bot, entrant) = self.active(bot, game).await?;
        if bot.account != account {
            return Err(ContestRefused::NotYourBot(bot.name.to_string()));
        }
        if shown.0.reserved.iter().any(|name| bot.name.looks_like(name)) {
            return Err(ContestRefused::Twice(bot.name.to_string()));
        }
        if let Some(copy) = self.copy_of(&shown, game, &entrant).await? {
            let reason = COPY.into();
            let out = Event::Withdrawn { bot: copy, by: By::Arena, reason };
            // Checks both events first, so that nobody is taken out for a bot that may not enter.
            shown.0.after(&out, now.0)?.after(&Event::Entered(entrant.clone()), now.0)?;
            self.append(id, &out, now).await?;
        }
        self.append(id, &Event::Entered(entrant), now).await
    }

    /// Another owner's bot that entered and is the same, which the new entrant's owner submitted first: it loses its
    /// place. Never one of the organiser's bots, nor one that has already played.
    async fn copy_of(
        &self,
        (state, organiser): &(ContestState, AccountId),
        game: &Game,
        entrant: &Entrant,
    ) -> Result<Option<i64>, StoreError> {
        let is_copy = |other: &&Entrant| {
            let others = other.account != entrant.account && other.account != organiser.0;
            other.is_same(entrant) && others && state.is_outside(other.bot)
        };
        let Some(copy) = state.playing().find(is_copy) else { return Ok(None) };
        let known = self.store.named(Some(game.ruleset), &[entrant.id.clone(), copy.id.clone()]).await?;
        let since = |one: &Entrant| {
            let first = known.get(&one.id).filter(|first| first.account.0 == one.account)?;
            // In the same second, the older bot.
            Some((first.submitted_at, one.bot))
        };
        let is_first = since(entrant).is_some_and(|own| since(copy).is_none_or(|other| own < other));
        Ok(is_first.then_some(copy.bot))
    }

    /// Takes a bot out of a tournament. Its author may until the field is frozen, the organiser until the end.
    ///
    /// # Errors
    /// When the account may not, or the bot is not in.
    pub async fn withdraw(
        &self,
        id: ContestId,
        account: AccountId,
        bot: &str,
        reason: &Reason,
        now: UnixSeconds,
    ) -> Result<(), ContestRefused> {
        let (state, owner) = self.read(id).await?;
        let unknown = || {
            let is_reserved = state.reserved.iter().any(|reserved| reserved == bot);
            if is_reserved { ContestRefused::Reserved(bot.into()) } else { ContestRefused::NoSuchBot(bot.into()) }
        };
        let bot = BotName::parse(bot).map_err(|_| unknown())?;
        let bot = self.store.bot_by_name(&bot).await?.ok_or_else(unknown)?;
        let by = match () {
            () if account == owner => By::Owner,
            () if account != bot.account => return Err(ContestRefused::NotYours),
            () if !state.is_outside(bot.id.0) => return Err(Illegal::Closed.into()),
            () => By::Author,
        };
        self.append(id, &Event::Withdrawn { bot: bot.id.0, by, reason: reason.to_string().into() }, now).await
    }

    /// Closes entry of a tournament before its time, for its organiser.
    ///
    /// # Errors
    /// When the account may not, or too few are in.
    pub async fn start(&self, id: ContestId, account: AccountId, now: UnixSeconds) -> Result<(), ContestRefused> {
        let (state, owner) = self.read(id).await?;
        if account != owner {
            return Err(ContestRefused::NotYours);
        }
        let least = state.terms.least();
        if state.stage != Stage::Entry {
            return Err(Illegal::OtherStage.into());
        }
        if state.count() < least {
            return Err(ContestRefused::TooFew(least));
        }
        // Refused now rather than cancelled a moment later: its rounds may not fit so few entrants.
        state.terms.cost(state.count())?;
        self.append(id, &Event::Closed, now).await
    }

    /// Cancels a tournament for its organiser.
    ///
    /// # Errors
    /// When the account may not, or it is over.
    pub async fn cancel(
        &self,
        id: ContestId,
        account: AccountId,
        reason: &Reason,
        now: UnixSeconds,
    ) -> Result<(), ContestRefused> {
        let (_, owner) = self.read(id).await?;
        if account != owner {
            return Err(ContestRefused::NotYours);
        }
        self.cancel_by(id, By::Owner, reason.to_string().into(), now).await
    }

    /// Cancels a tournament.
    pub(crate) async fn cancel_by(
        &self,
        id: ContestId,
        by: By,
        reason: Said,
        now: UnixSeconds,
    ) -> Result<(), ContestRefused> {
        self.append(id, &Event::Cancelled { by, reason }, now).await
    }

    /// A tournament's state from its log, and its owner.
    async fn read(&self, id: ContestId) -> Result<(ContestState, AccountId), ContestRefused> {
        let (contest, events) = self.store.contest(id).await?.ok_or(ContestError::NoSuchContest)?;
        let (_, state) = read(&events).ok_or(Illegal::Over)?;
        Ok((state, contest.owner))
    }

    /// Appends an event if it is allowed. If another event took its place, tries once more behind that one.
    pub(crate) async fn append(&self, id: ContestId, event: &Event, now: UnixSeconds) -> Result<(), ContestRefused> {
        for _ in 1..APPEND_TRIES {
            match self.append_at(id, None, event, now).await {
                Err(ContestRefused::Quota(ContestError::Taken)) => {}
                done => return done,
            }
        }
        self.append_at(id, None, event, now).await
    }

    /// The operator's act that cancels a tournament now. Its lines in the log of acts and in the tournament's log are
    /// written in one step.
    pub(crate) async fn cancellation(
        &self,
        id: ContestId,
        reason: &Reason,
        now: UnixSeconds,
    ) -> Result<Act, ContestRefused> {
        let event = Event::Cancelled { by: By::Operator, reason: reason.to_string().into() };
        let (seq, counted) = self.follows(id, None, &event, now).await?;
        Ok(Act::CancelContest { id, seq, event: text(&event), counted })
    }

    /// Appends an event if it is allowed; at `seq` if that is given, so that it is refused when the log has grown since
    /// it was read.
    pub(crate) async fn append_at(
        &self,
        id: ContestId,
        seq: Option<u32>,
        event: &Event,
        now: UnixSeconds,
    ) -> Result<(), ContestRefused> {
        let (next, counted) = self.follows(id, seq, event, now).await?;
        self.store.append_to_contest(id, next, &text(event), &counted, now).await?;
        self.changed(id);
        Ok(())
    }

    /// The place of an event in the log and the usage that is counted after it, if the event is allowed now.
    async fn follows(
        &self,
        id: ContestId,
        seq: Option<u32>,
        event: &Event,
        now: UnixSeconds,
    ) -> Result<(u32, Counted), ContestRefused> {
        let (contest, events) = self.store.contest(id).await?.ok_or(ContestError::NoSuchContest)?;
        let next = events.len() as u32;
        if seq.is_some_and(|seq| seq != next) {
            return Err(ContestError::Taken.into());
        }
        let (_, before) = read(&events).ok_or(Illegal::Over)?;
        let after = before.clone().after(event, now.0)?;
        Ok((next, counted(&before, &after, contest.counted)))
    }

    /// Notifies watchers of a tournament, and the thread that plays it, that its log has grown.
    pub(crate) fn changed(&self, id: ContestId) {
        self.window.update(id, |_| {});
        self.wakeup.contest_changed(id);
    }

    /// A tournament of an account; `None` when there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn shown(&self, id: ContestId) -> Result<Option<ContestDetails>, StoreError> {
        let Some((contest, events)) = self.store.contest(id).await? else { return Ok(None) };
        let Some((events, state)) = read(&events) else { return Ok(None) };
        let has_games = matches!(state.stage, Stage::Playing { .. } | Stage::Finished { .. });
        let shown = self.window.now(id, has_games).await?;
        let called = called(&self.store, &contest.game, &events).await?;
        let gone = state.names.iter().filter(|(bot, _)| !called.contains_key(bot));
        let deleted: BTreeSet<String> = gone.map(|(_, name)| name.clone()).collect();
        let mut shown = ContestDetails { contest, events, state, shown, called };
        shown.without(&deleted);
        Ok(Some(shown))
    }

    /// A tournament of an account as it changes.
    pub fn watch(&self, id: ContestId) -> watch::Receiver<ContestSnapshot> {
        self.window.watch(id)
    }
}

/// The usage that is counted after an event. A tournament cancelled before its start has used nothing.
fn counted(before: &ContestState, after: &ContestState, counted: Counted) -> Counted {
    match (&before.stage, &after.stage) {
        (Stage::Entry, Stage::Cancelled { .. }) => Counted { phase: Phase::Over, games: 0, fuel: 0 },
        (_, Stage::Entry) => counted,
        // Further bots may enter, so the whole reservation stays.
        (_, Stage::Playing { .. }) if after.entry.late => Counted { phase: Phase::Playing, ..counted },
        (_, Stage::Playing { .. }) => {
            let cost = after.terms.cost(after.count()).ok();
            let Cost { games, fuel } = cost.unwrap_or(Cost { games: counted.games, fuel: counted.fuel });
            // Never more than was reserved, which was within the quota.
            let (games, fuel) = (games.min(counted.games), fuel.min(counted.fuel));
            Counted { phase: Phase::Playing, games, fuel }
        }
        (_, Stage::Finished { .. } | Stage::Cancelled { .. }) => Counted { phase: Phase::Over, ..counted },
    }
}

fn text(event: &Event) -> String {
    // Strings, numbers and lists always serialise.
    serde_json::to_string(event).unwrap_or_default()
}
