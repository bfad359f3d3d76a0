//! The state of the site, as the operator sees it.

use arena_service::contests::ContestSnapshot;
use arena_service::{Report, account_of_person};
use arena_store::{AccountId, ContestId, Limits, Measure, MeasureKind, UnixSeconds};
use arena_wire::{GAMES, Game};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::tournaments::id_of;
use crate::app::App;
use crate::limit_kind::LimitKind;
use crate::metrics::free_bytes;
use crate::problem::Result;
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
    /// The accounts that have used much of their share at this moment, and the networks that have used much of theirs
    /// or of everybody's, the most first, at most twenty.
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

/// How much an account has used of its share, or a network of its own or of everybody's, whichever is more. Networks
/// are in memory alone.
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
    pub(crate) async fn of(app: &App, taker: &Taker) -> Result<Going> {
        let service = app.service();
        let (figures, queues) = (service.figures().await?, service.queues());
        let queue = |(account, waiting): &(AccountId, usize)| QueueView { account: account.0, waiting: *waiting };
        let refusals = app.site.metrics.refusals().into_iter();
        let edition = |game: &&'static Game| {
            let standing = service.standing().of(game);
            let (finished, playing) = (standing.edition.as_deref(), standing.playing.as_ref());
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
        let under_way = |(id, shown): (ContestId, ContestSnapshot)| UnderWayView {
            id: id_of(id),
            played: shown.progress.map_or(0, |progress| progress.played),
            games: shown.progress.map_or(0, |progress| progress.total),
            trouble: shown.trouble,
        };
        let tournaments = service.contests_under_way().await?.into_iter().map(under_way).collect();
        let unjudgeable = queues.unjudgeable.iter().map(|id| format!("bot {} version {}", id.bot.0, id.number));
        Ok(Going {
            draining: service.is_draining(),
            closed: app.measures.closed().into_iter().map(Into::into).collect(),
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
            disk_free_bytes_min: Limits::DEFAULT.free_disk_bytes_min,
        })
    }
}
