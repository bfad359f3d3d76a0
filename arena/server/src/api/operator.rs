//! What the operator can see and do.

use std::net::IpAddr;
use std::str::FromStr;

use arena_rooms::RoomId;
use arena_service::contests::{ContestSnapshot, contest_of};
use arena_service::{Report, account_of_person};
use arena_store::{
    AccountId, Act, Adjusted, AuditEntry, BotName, DisplayName, Gate, Measure, MeasureKind, Notice, PAGE_MAX, Page,
    Reason, TournamentId, UnixSeconds, WorldName,
};
use arena_tournaments::FormKeys;
use arena_wire::GAMES;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::{Deserialize, Serialize};
use tracing::Instrument;
use utoipa::{IntoParams, ToSchema};

use super::bots::find;
use super::tournaments::{self, OpenedTournament, TournamentToOpen, find as find_contest, id_of, number};
use super::{Json, Query};
use crate::app::App;
use crate::limit_kind::LimitKind;
use crate::limits::BAN_HOURS_MAX;
use crate::metrics::free_bytes;
use crate::operator_session::Operator;
use crate::problem::{Code, Problem};
use crate::visitors::{Holder, Taker};

/// The state of the site.
#[derive(Serialize, ToSchema)]
pub(crate) struct Going {
    /// Whether new visitors are turned away before a restart.
    pub(crate) draining: bool,
    /// What is closed: `submissions`, `rooms`, `accounts`, `tournaments`, `changes`.
    pub(crate) closed: Vec<&'static str>,
    /// The notice on all pages, the bans, the annulled tournaments and the adjusted limits, the oldest first.
    pub(crate) measures: Vec<MeasureView>,
    /// Rooms in memory.
    pub(crate) rooms: usize,
    /// The running worlds, by name.
    pub(crate) worlds: Vec<String>,
    /// Submissions waiting for a verdict.
    pub(crate) pending: usize,
    /// How many of these each account has, by its number: the longest queue first, at most ten.
    pub(crate) queues: Vec<QueueView>,
    /// Submissions that a fault of the arena keeps from being judged, as `bot NUMBER version NUMBER`.
    pub(crate) unjudgeable: Vec<String>,
    /// Turns of opponents in rooms that wait for a place to think.
    pub(crate) thinking: usize,
    /// How many share the places to think.
    pub(crate) thinking_for: usize,
    /// Submissions accepted since the start.
    pub(crate) accepted: u64,
    /// Submissions refused since the start.
    pub(crate) refused: u64,
    /// Attempts to judge that failed because of the machine, since the start.
    pub(crate) judge_faults: u64,
    /// Failures of the machine in games played here, and modules that took too long to compile, since the start.
    pub(crate) platform_faults: u64,
    /// Wrong tokens of operators that were tried since the start.
    pub(crate) guesses: u64,
    /// What was refused temporarily since the start: shares that were used up, and the codes of other problems.
    pub(crate) refusals: Vec<RefusalCount>,
    /// The accounts that have used much of their share at this moment, and the networks that have had much of
    /// everybody's, the most first, at most twenty.
    pub(crate) used: Vec<UsedView>,
    /// Chat messages reported lately, latest first.
    pub(crate) reports: Vec<ReportView>,
    /// The standing tournaments.
    pub(crate) editions: Vec<TournamentView>,
    /// The unfinished tournaments of accounts, oldest first.
    pub(crate) tournaments: Vec<UnderWayView>,
    /// Rated games of two people that are kept.
    pub(crate) rated_games: u64,
    /// Other games that the leaderboard of people is based on.
    pub(crate) practice_games: u64,
    /// Bytes in the logs of the rooms of these rated games.
    pub(crate) rated_room_bytes: u64,
    /// Bytes in the logs of all other finished rooms.
    pub(crate) finished_room_bytes: u64,
    /// Free bytes on the disk that holds the data.
    pub(crate) disk_free_bytes: u64,
    /// Free bytes below which nothing new is accepted.
    pub(crate) disk_free_bytes_min: u64,
}

/// A measure that holds until further notice.
#[derive(Serialize, ToSchema)]
pub(crate) struct MeasureView {
    /// Its number, that of its line in the log.
    pub(crate) number: i64,
    /// `notice`, `ban`, `annulled` or `limit`.
    pub(crate) kind: &'static str,
    /// The notice, the network, the tournament's id, or the limit's name and its value.
    pub(crate) about: String,
    /// When it was taken, in seconds since 1970.
    pub(crate) since: i64,
    /// When it ends, in seconds since 1970; `null` if it does not end by itself.
    pub(crate) until: Option<i64>,
}

impl From<Measure> for MeasureView {
    fn from(Measure { number, kind, since, until }: Measure) -> MeasureView {
        let (kind, about) = match kind {
            MeasureKind::Notice(text) => ("notice", text),
            MeasureKind::Ban(network) => ("ban", network),
            MeasureKind::Annulled(id, _) => ("annulled", id.to_string()),
            MeasureKind::Limit(name, value) => ("limit", format!("{name} {value}")),
        };
        MeasureView { number, kind, about, since: since.0, until: until.map(|until| until.0) }
    }
}

/// The submissions of an account that wait.
#[derive(Serialize, ToSchema)]
pub(crate) struct QueueView {
    /// The account's number.
    pub(crate) account: i64,
    /// How many of its submissions wait.
    pub(crate) waiting: usize,
}

/// How often something was refused temporarily.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusalCount {
    /// The share that was used up; otherwise the code of the problem, such as `full` or `no_space`.
    pub(crate) limit: String,
    /// Whose share it is.
    pub(crate) whose: &'static str,
    /// How often it was refused.
    pub(crate) count: u64,
}

/// How much an account has used of its share, or a network of everybody's. Networks are in memory alone.
#[derive(Serialize, ToSchema)]
pub(crate) struct UsedView {
    /// The account's number.
    pub(crate) account: Option<i64>,
    /// The network, such as `2001:db8::/32`.
    pub(crate) network: Option<String>,
    /// The share.
    pub(crate) share: &'static str,
    /// The part of it that is used and not regained yet, in per cent.
    pub(crate) percent: u32,
}

/// An unfinished tournament of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnderWayView {
    /// Its id.
    pub(crate) id: String,
    /// Games played so far.
    pub(crate) played: usize,
    /// Its games; 0 while it waits for entrants or for its first turn.
    pub(crate) games: usize,
    /// Why it cannot continue.
    pub(crate) trouble: Option<String>,
}

/// A reported chat message.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReportView {
    /// When it was reported, in seconds since 1970.
    pub(crate) at: i64,
    /// The room where it was sent.
    pub(crate) room: String,
    /// The number of its author's account; `null` for a guest.
    pub(crate) account: Option<i64>,
    /// Its text.
    pub(crate) text: String,
    /// The number of the reporter's account; `null` for a guest.
    pub(crate) by: Option<i64>,
}

impl From<Report> for ReportView {
    fn from(Report { at: UnixSeconds(at), room, said_by, text, by, .. }: Report) -> ReportView {
        let account = |person| account_of_person(person).map(|account| account.0);
        ReportView { at, room: room.to_string(), account: account(said_by), text, by: account(by) }
    }
}

/// The standing tournament of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentView {
    /// The game's ruleset.
    pub(crate) game: &'static str,
    /// The latest finished edition; 0 if there is none.
    pub(crate) edition: u32,
    /// Games of the latest finished edition that were played again because of a fault of the arena.
    pub(crate) platform_faults: u64,
    /// Games played so far in the current edition.
    pub(crate) played: usize,
    /// Games of the current edition; 0 if there is none.
    pub(crate) games: usize,
    /// Bots without a place in the field.
    pub(crate) left_out: usize,
    /// Why it cannot continue.
    pub(crate) trouble: Option<String>,
}

/// Queues that are shown.
const QUEUES_SHOWN: usize = 10;
/// Used shares that are shown.
const USED_SHOWN: usize = 20;

impl Going {
    pub(crate) async fn of(app: &App, taker: &Taker) -> Result<Going, Problem> {
        let service = app.service();
        let (figures, queues) = (service.figures().await?, service.queues());
        let queue =
            |(account, waiting): &(arena_store::AccountId, usize)| QueueView { account: account.0, waiting: *waiting };
        let refusals = app.site.metrics.refusals().into_iter();
        let edition = |game: &&'static arena_wire::Game| {
            let standing = service.standing().of(game);
            let (finished, playing) = (standing.edition.as_deref(), standing.playing);
            TournamentView {
                game: game.ruleset,
                edition: finished.map_or(0, |edition| edition.number),
                platform_faults: finished.map_or(0, |edition| edition.platform_faults),
                played: playing.map_or(0, |playing| playing.played),
                games: playing.map_or(0, |playing| playing.total),
                left_out: standing.left_out.len(),
                trouble: standing.trouble.clone(),
            }
        };
        let used = |(holder, what, percent): (Holder, LimitKind, u32)| {
            let (account, network) = match holder {
                Holder::Account(account) => (Some(account.0), None),
                Holder::Network(network) => (None, Some(network.to_string())),
            };
            UsedView { account, network, share: what.words(), percent }
        };
        let under_way = |(id, shown): (arena_store::ContestId, ContestSnapshot)| UnderWayView {
            id: id_of(id),
            played: shown.progress.map_or(0, |progress| progress.played),
            games: shown.progress.map_or(0, |progress| progress.total),
            trouble: shown.trouble,
        };
        let tournaments = service.contests_under_way().await?.into_iter().map(under_way).collect();
        let unjudgeable = queues.unjudgeable.iter().map(|id| format!("bot {} version {}", id.bot.0, id.number));
        Ok(Going {
            draining: service.is_draining(),
            closed: app.measures.closed().into_iter().map(Gate::word).collect(),
            measures: app.measures.all().into_iter().map(MeasureView::from).collect(),
            rooms: figures.rooms,
            worlds: service.worlds().all().iter().map(|world| world.name().to_string()).collect(),
            pending: figures.pending,
            queues: queues.submissions.iter().take(QUEUES_SHOWN).map(queue).collect(),
            unjudgeable: unjudgeable.collect(),
            thinking: queues.thinking,
            thinking_for: queues.thinking_for,
            accepted: figures.accepted,
            refused: figures.refused,
            judge_faults: figures.judge_faults,
            platform_faults: figures.platform_faults,
            guesses: app.site.metrics.guesses(),
            refusals: refusals
                .map(|(limit, whose, count)| RefusalCount { limit: limit.into(), whose, count })
                .collect(),
            used: taker.most_used(USED_SHOWN).into_iter().map(used).collect(),
            reports: service.rooms().reports().into_iter().map(ReportView::from).collect(),
            editions: GAMES.iter().map(|game| edition(&game)).collect(),
            tournaments,
            rated_games: figures.kept.rated_games,
            practice_games: figures.kept.practice_games,
            rated_room_bytes: figures.kept.rated_room_bytes,
            finished_room_bytes: figures.kept.finished_room_bytes,
            disk_free_bytes: free_bytes(service.tournaments()),
            disk_free_bytes_min: arena_store::Limits::DEFAULT.free_disk_bytes_min,
        })
    }
}

/// An act of the operator.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ActWord {
    /// Take no submissions.
    CloseSubmissions,
    /// Take them again.
    OpenSubmissions,
    /// Open no rooms.
    CloseRooms,
    /// Open them again.
    OpenRooms,
    /// Create no accounts.
    CloseAccounts,
    /// Create them again.
    OpenAccounts,
    /// Start no tournaments of accounts.
    CloseTournaments,
    /// Start them again.
    OpenTournaments,
    /// Make the site read-only: visitors change nothing.
    CloseChanges,
    /// Let them change things again.
    OpenChanges,
    /// Show a notice on all pages: the new name.
    PostNotice,
    /// Show none any more.
    RemoveNotice,
    /// Refuse all requests of a network or an address, for as many hours as the new name says.
    Ban,
    /// End a ban, by its number.
    LiftBan,
    /// Declare a tournament or an edition void, with the reason on its page. Its folder stays.
    AnnulTournament,
    /// Let it count again.
    RestoreTournament,
    /// Let a bot play no longer.
    DisableBot,
    /// Let it play again.
    EnableBot,
    /// Give a bot another name. Its old one stays with it: nobody else gets it.
    RenameBot,
    /// Let an account do nothing any more, and none of its bots play.
    DisableAccount,
    /// Let it do everything again.
    EnableAccount,
    /// Give an account another name.
    RenameAccount,
    /// Take a game of people out of the count: its record stays.
    AnnulGame,
    /// Let it count again.
    RestoreGame,
    /// End a tournament that an account started, without a result. It keeps its log.
    CancelTournament,
    /// Take no new visitors, before a restart.
    Drain,
    /// Take them again, without one.
    EndDrain,
    /// Start a world of Life2. It continues after a restart, too.
    StartWorld,
    /// Let a bot play in a world, at one of the nine places that the site has there, or nobody.
    SeatBot,
    /// Adjust a limit: the new name is its value, within the bounds that `/api/v1/limits` has.
    SetLimit,
    /// Give a limit its usual value again.
    ResetLimit,
    /// Free a slot of a world: its kingdom ends, and no bot plays for its account any more. The account may join again.
    FreeSlot,
}

/// An act to perform.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAct {
    /// The act.
    act: ActWord,
    /// What it is about: the name of a bot, an account or a world; a world's name, `/` and the number of a place or a
    /// slot, from 1 to 9; `#` and an account's number; a tournament's id such as `cup-7`, or an edition's; a game's id;
    /// a network or an address; a ban's number; or a limit's name.
    #[serde(default)]
    #[schema(required = false)]
    name: String,
    /// The new name, for acts that give one; the text of a notice; the hours of a ban; the value of a limit; for a
    /// place in a world, the name of a bot or of a built-in opponent, or nothing.
    #[serde(default)]
    #[schema(required = false)]
    new_name: String,
    /// The reason, in one line for the log.
    reason: String,
}

impl NewAct {
    /// Does it.
    pub(crate) async fn perform(self, app: &App) -> Result<AuditEntry, Problem> {
        let app = app.clone();
        to_its_end(async move { self.performed(&app).await }).await
    }

    async fn performed(&self, app: &App) -> Result<AuditEntry, Problem> {
        let reason = Reason::parse(&self.reason)?;
        let act = match self.act {
            ActWord::CloseSubmissions => Act::Close(Gate::Submissions),
            ActWord::OpenSubmissions => Act::Open(Gate::Submissions),
            ActWord::CloseRooms => Act::Close(Gate::Rooms),
            ActWord::OpenRooms => Act::Open(Gate::Rooms),
            ActWord::CloseAccounts => Act::Close(Gate::Accounts),
            ActWord::OpenAccounts => Act::Open(Gate::Accounts),
            ActWord::CloseTournaments => Act::Close(Gate::Tournaments),
            ActWord::OpenTournaments => Act::Open(Gate::Tournaments),
            ActWord::CloseChanges => Act::Close(Gate::Changes),
            ActWord::OpenChanges => Act::Open(Gate::Changes),
            ActWord::PostNotice => Act::PostNotice(Notice::parse(&self.new_name)?),
            ActWord::RemoveNotice => Act::RemoveNotice,
            ActWord::Ban => self.ban(app.now())?,
            ActWord::LiftBan => Act::LiftBan(self.name.trim().parse().map_err(|_| arena_store::ActError::NoSuchBan)?),
            ActWord::AnnulTournament => Act::AnnulTournament(self.tournament(app).await?),
            ActWord::RestoreTournament => Act::RestoreTournament(
                TournamentId::parse(self.name.trim()).map_err(|_| arena_store::ActError::NoSuchTournament)?,
            ),
            ActWord::DisableBot => Act::DisableBot(self.bot(app).await?),
            ActWord::EnableBot => Act::EnableBot(self.bot(app).await?),
            ActWord::RenameBot => Act::RenameBot(self.bot(app).await?, BotName::parse(self.new_name.trim())?),
            ActWord::DisableAccount => Act::DisableAccount(self.account(app).await?),
            ActWord::EnableAccount => Act::EnableAccount(self.account(app).await?),
            ActWord::RenameAccount => {
                Act::RenameAccount(self.account(app).await?, DisplayName::parse(self.new_name.trim())?)
            }
            ActWord::AnnulGame => Act::AnnulGame(self.game()?),
            ActWord::RestoreGame => Act::RestoreGame(self.game()?),
            ActWord::CancelTournament => {
                let id = number(self.name.trim())?;
                return Ok(app.service().cancel_contest_as_operator(id, &reason, app.now()).await?);
            }
            ActWord::Drain => Act::Drain,
            ActWord::EndDrain => Act::EndDrain,
            ActWord::StartWorld => arena_service::start_of(WorldName::parse(self.name.trim())?),
            ActWord::SeatBot => {
                let (world, place) = self.within_world().ok_or(arena_store::ActError::NoSuchPlace)?;
                let bot = Some(self.new_name.trim()).filter(|name| !name.is_empty());
                return Ok(app.service().seat_for_site(&world, place, bot, &reason).await?);
            }
            ActWord::SetLimit => Act::SetLimit(Adjusted::parse(self.name.trim(), self.new_name.trim())?),
            ActWord::ResetLimit => Act::ResetLimit(Adjusted::name(self.name.trim())?),
            ActWord::FreeSlot => {
                let (world, slot) = self.within_world().ok_or(arena_store::ActError::NoSuchSlot)?;
                return Ok(app.service().free_slot(&world, slot, &reason).await?);
            }
        };
        let done = app.service().act(&act, &reason, app.now()).await?;
        if let Act::DisableAccount(account) | Act::EnableAccount(account) | Act::RenameAccount(account, _) = &act {
            app.forget(*account).await;
        }
        app.known.forget();
        app.renew_measures().await?;
        Ok(done)
    }

    /// A ban of a network, such as `2001:db8::/48`, or of an address: one of IPv6 with the /56 around it, which is what
    /// a line has. Narrower networks of IPv6 than a /64, in which a machine chooses its address, are made as wide as
    /// that.
    fn ban(&self, now: UnixSeconds) -> Result<Act, Problem> {
        let wrong = |detail: String| {
            let hint = "give an address or a network such as 192.0.2.0/24, and the hours in which it is banned";
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::BadBan, detail, hint)
        };
        let text = self.name.trim();
        let of_address = |address: IpAddr| match address.to_canonical() {
            IpAddr::V4(address) => Ipv4Net::from(address).into(),
            IpAddr::V6(address) => Ipv6Net::new_assert(address, LINE_PREFIX_LEN).into(),
        };
        let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(of_address));
        let network = canonical(network.map_err(|_| wrong(format!("`{text}` is not a network")))?);
        let is_everybody = match network {
            IpNet::V4(network) => network.prefix_len() < 8,
            IpNet::V6(network) => network.prefix_len() < 16,
        };
        if is_everybody {
            return Err(wrong(format!("{network} is too much of the internet for a ban")));
        }
        let network = match network {
            IpNet::V6(network) if network.prefix_len() > 64 => Ipv6Net::new_assert(network.addr(), 64).trunc().into(),
            network => network.trunc(),
        };
        let hours = self.new_name.trim().parse().ok().filter(|hours| (1..=BAN_HOURS_MAX).contains(hours));
        let hours = hours.ok_or_else(|| wrong(format!("a ban lasts for 1 to {BAN_HOURS_MAX} hours")))?;
        Ok(Act::Ban { network: network.to_string(), until: UnixSeconds(now.0 + i64::from(hours) * 3_600) })
    }

    /// A tournament of an account, or a finished edition.
    async fn tournament(&self, app: &App) -> Result<TournamentId, Problem> {
        let missing = |_| arena_store::ActError::NoSuchTournament;
        let id = TournamentId::parse(self.name.trim()).map_err(missing)?;
        if contest_of(id.as_str()).is_some() {
            find_contest(app, id.as_str()).await?;
        } else if app.store().games_count(&id).await? == 0 {
            return Err(arena_store::ActError::NoSuchTournament.into());
        }
        Ok(id)
    }

    /// A world, and the number of a place or a slot in it.
    fn within_world(&self) -> Option<(WorldName, u8)> {
        let (world, number) = self.name.trim().split_once('/')?;
        Some((WorldName::parse(world).ok()?, number.parse().ok()?))
    }

    fn game(&self) -> Result<RoomId, Problem> {
        Ok(self.name.trim().parse().map_err(|_| arena_store::ActError::NoSuchGame)?)
    }

    async fn bot(&self, app: &App) -> Result<arena_store::BotId, Problem> {
        let name = BotName::parse(self.name.trim())?;
        Ok(find(app, name.as_str()).await?.id)
    }

    async fn account(&self, app: &App) -> Result<AccountId, Problem> {
        account(app, &self.name).await
    }
}

/// Bits of an IPv6 network that a line usually has, as shares of networks are counted.
const LINE_PREFIX_LEN: u8 = 56;

/// A network of IPv4 that is written as one of IPv6, as one of IPv4: requests from it count as such.
fn canonical(network: IpNet) -> IpNet {
    const MAPPED_PREFIX_LEN: u8 = 96;
    let IpNet::V6(v6) = network else { return network };
    match (v6.addr().to_ipv4_mapped(), v6.prefix_len().checked_sub(MAPPED_PREFIX_LEN)) {
        (Some(address), Some(prefix_len)) => Ipv4Net::new_assert(address, prefix_len).into(),
        _ => network,
    }
}

/// The account of a name, or of `#` and its number.
async fn account(app: &App, name: &str) -> Result<AccountId, Problem> {
    let name = name.trim();
    let found = match name.strip_prefix('#').map(i64::from_str) {
        Some(Ok(number)) => app.store().account(AccountId(number)).await?,
        _ => app.store().account_by_name(&DisplayName::parse(name)?).await?,
    };
    Ok(found.ok_or(arena_store::ActError::NoSuchAccount)?.id)
}

/// A tournament that the operator starts for an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentOfOperator {
    /// The account that organises it: its name, or `#` and its number.
    owner: String,
    /// The reason, in one line for the log.
    reason: String,
    /// The tournament.
    tournament: TournamentToOpen,
}

/// Opens a tournament for an account by the limits of a tournament at home: its games may be as many as those of any
/// tournament, and count towards no limit of accounts. The operator's log notes it.
#[utoipa::path(post, path = "/api/v1/operator/tournaments", request_body = TournamentOfOperator,
    security(("operator_token" = [])),
    responses((status = 201, body = OpenedTournament), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn open_tournament(
    _: Operator,
    State(app): State<App>,
    taker: Taker,
    Json(wanted): Json<TournamentOfOperator>,
) -> Result<(StatusCode, axum::Json<OpenedTournament>), Problem> {
    let reason = Reason::parse(&wanted.reason)?;
    let owner = account(&app, &wanted.owner).await?;
    let wanted = (FormKeys::default(), wanted.tournament);
    let opening = async move { tournaments::open(&app, &taker, owner, Some(reason), wanted).await };
    Ok(OpenedTournament::of(to_its_end(opening).await?))
}

/// Runs an act to its end even if the operator stops waiting, because what runs here follows it after the store has it.
async fn to_its_end<T: Send + 'static>(
    acting: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    let acted = tokio::spawn(acting.in_current_span()).await;
    acted.unwrap_or_else(|error| Err(Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error)))
}

/// An entry in the operator's log.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditView {
    /// Its number, from 1.
    number: i64,
    /// When, in seconds since 1970.
    at: i64,
    /// Who did it: always `operator`.
    who: &'static str,
    /// What was done.
    act: String,
    /// The number of the bot concerned.
    bot: Option<i64>,
    /// The number of the account concerned.
    account: Option<i64>,
    /// The id of the game concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The id of the tournament concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<String>,
    /// The name of the world concerned, or of it and a slot; otherwise the current name of the bot, account or
    /// tournament.
    name: Option<String>,
    /// The reason given.
    reason: String,
}

impl From<AuditEntry> for AuditView {
    fn from(entry: AuditEntry) -> AuditView {
        let AuditEntry { number, at: UnixSeconds(at), act, bot, account, contest, game, name, reason } = entry;
        let (bot, account) = (bot.map(|bot| bot.0), account.map(|account| account.0));
        let (game, tournament) = (game.map(|room| room.to_string()), contest.map(id_of));
        let reason = reason.to_string();
        AuditView { number, at, who: "operator", act, bot, account, game, tournament, name, reason }
    }
}

/// The state of the site: queues, shares, limits that were hit, faults, editions and tournaments, the disk.
#[utoipa::path(get, path = "/api/v1/operator", security(("operator_token" = [])),
    responses((status = 200, body = Going), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn show(_: Operator, State(app): State<App>, taker: Taker) -> Result<axum::Json<Going>, Problem> {
    Ok(axum::Json(Going::of(&app, &taker).await?))
}

/// Performs an act as the operator, and logs it.
#[utoipa::path(post, path = "/api/v1/operator/acts", request_body = NewAct, security(("operator_token" = [])),
    responses((status = 200, body = AuditView), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(crate) async fn act(
    _: Operator,
    State(app): State<App>,
    Json(new): Json<NewAct>,
) -> Result<axum::Json<AuditView>, Problem> {
    Ok(axum::Json(new.perform(&app).await?.into()))
}

/// Where the log goes on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Before {
    /// The number of the last line of the previous page; default: the first page.
    #[param(required = false)]
    before: Option<i64>,
}

/// The operator's log as lines of JSON, newest first, at most 100 at once.
#[utoipa::path(get, path = "/api/v1/operator/audit", params(Before), security(("operator_token" = [])),
    responses((status = 200, body = AuditView, content_type = "application/x-ndjson"), (status = 401, body = Problem),
        (status = 404, body = Problem)))]
pub(crate) async fn audit(
    _: Operator,
    State(app): State<App>,
    Query(Before { before }): Query<Before>,
) -> Result<Response, Problem> {
    let page = before.map_or(Page::first(PAGE_MAX), |before| Page::after(before, PAGE_MAX));
    let mut lines = String::new();
    for entry in app.store().audit(page).await? {
        // Strings and numbers always serialise.
        lines += &serde_json::to_string(&AuditView::from(entry)).unwrap_or_default();
        lines.push('\n');
    }
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], lines).into_response())
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn an_act_is_done_to_its_end_although_nobody_waits_for_it() {
        let ((go_on, told), (done, ended)) = (oneshot::channel(), oneshot::channel());
        let acting = to_its_end(async move {
            told.await.expect("somebody says so");
            done.send(()).expect("somebody hears it");
            Ok(())
        });
        tokio::select! {
            biased;
            _ = acting => panic!("it has to be told"),
            () = std::future::ready(()) => {}
        }
        go_on.send(()).expect("it waits");
        ended.await.expect("it went on");
    }
}
