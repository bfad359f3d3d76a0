//! Tournaments as the API and pages show them. Not here: what a request does.

use std::collections::BTreeMap;

use arena_service::OlderRelease;
use arena_service::contests::{Admission, By, ContestDetails, Event, Meeting, Stage, tournament_of};
use arena_store::{Contest, ContestId, DELETED};
use arena_tournaments::{BracketRound, Definition};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::standings::TableView;
use crate::app::App;
use crate::measures::Annulled;
use crate::said::words as said;
use crate::text;
use crate::words;

/// A tournament in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentLine {
    /// Its id, such as `cup-7`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// The name and version of its ruleset.
    pub(crate) game: String,
    /// The account that started it.
    pub(crate) owner: String,
    /// `entry`, `playing` or `over`.
    pub(crate) stage: &'static str,
    /// When it was opened, in seconds since 1970.
    pub(crate) opened_at: i64,
    /// Why and when the operator annulled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annulled: Option<Annulled>,
}

impl TournamentLine {
    pub(crate) fn of(app: &App, contest: &Contest) -> TournamentLine {
        let id = id_of(contest.id);
        TournamentLine {
            annulled: app.measures.annulled(&id),
            id,
            name: contest.name.clone(),
            game: contest.game.clone(),
            owner: contest.owner_name.to_string(),
            stage: contest.counted.phase.into(),
            opened_at: contest.opened_at.0,
        }
    }
}

/// A tournament's id.
pub(crate) fn id_of(id: ContestId) -> String {
    tournament_of(id).map(|id| id.to_string()).unwrap_or_default()
}

/// A tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContestView {
    /// Its id, such as `cup-7`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// The name and version of its ruleset.
    pub(crate) game: String,
    /// The account that started it.
    pub(crate) owner: String,
    /// When it was opened, in seconds since 1970.
    pub(crate) opened_at: i64,
    /// `entry`, `playing`, `finished` or `cancelled`.
    pub(crate) stage: &'static str,
    /// Who may enter: `named`, `open` or `invited`.
    pub(crate) admission: &'static str,
    /// The number of invited accounts.
    pub(crate) invited: usize,
    /// The number of entrants at which entry closes.
    pub(crate) places: u32,
    /// The latest time at which entry closes, in seconds since 1970.
    pub(crate) until: Option<i64>,
    /// Whether bots may enter after the start, between rounds.
    pub(crate) late: bool,
    /// Whether entry is closed.
    pub(crate) closed: bool,
    /// The SHA-256 of the secret from which the seed is drawn, published when the tournament was opened.
    pub(crate) commitment: String,
    /// The secret, once the field is frozen.
    pub(crate) secret: Option<String>,
    /// The seed, a hash of the secret and of all entrants, once the field is frozen.
    pub(crate) seed: Option<u64>,
    /// The seed as text, for readers whose numbers have 53 bits.
    pub(crate) seed_text: Option<String>,
    /// The definition: without entrants and seed until the field is frozen, then complete.
    pub(crate) definition: String,
    /// The arena's own opponents that have a seat.
    pub(crate) reserved: Vec<String>,
    /// The bots that entered.
    pub(crate) entrants: Vec<EntrantView>,
    /// Its events, oldest first.
    pub(crate) log: Vec<LogLine>,
    /// Games played so far.
    pub(crate) played: usize,
    /// The number of games in the tournament; the most possible while later games depend on earlier ones.
    pub(crate) total: usize,
    /// The standings so far.
    pub(crate) standings: Option<TableView>,
    /// The final standings if another release played it. They are not comparable; besides them, only the index of games
    /// is left.
    pub(crate) earlier: Option<OtherStandings>,
    /// Who meets whom, in the order of the schedule.
    pub(crate) meetings: Vec<MeetingView>,
    /// Why it cannot continue.
    pub(crate) trouble: Option<String>,
    /// Why and when the operator annulled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annulled: Option<Annulled>,
    /// Increases with every change.
    pub(crate) revision: u64,
}

/// Standings from another release.
#[derive(Serialize, ToSchema)]
pub(crate) struct OtherStandings {
    /// The build that played.
    pub(crate) build: String,
    /// Its standings as it wrote them for people, in plain text.
    pub(crate) table: String,
}

/// A bot that entered.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntrantView {
    /// Its current name.
    pub(crate) bot: String,
    /// Its author.
    pub(crate) author: String,
    /// Its author's account, for links; `None` once the bot is deleted.
    #[serde(skip)]
    pub(crate) account: Option<i64>,
    /// The version that entered.
    pub(crate) version: u32,
    /// Its id in records.
    pub(crate) id: String,
    /// Why it was withdrawn, if it was.
    pub(crate) withdrawn: Option<String>,
}

/// An event.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogLine {
    /// When, in seconds since 1970.
    pub(crate) at: i64,
    /// `opened`, `entered`, `withdrawn`, `closed`, `frozen`, `drawn`, `cancelled` or `finished`.
    pub(crate) event: &'static str,
    /// The event, in a sentence.
    pub(crate) text: String,
}

/// Two or more entrants that meet in a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct MeetingView {
    /// The round, from 1; in a bracket the round of the match, which includes its further pairs.
    pub(crate) round: usize,
    /// The round's name, if it has one, such as `semi-finals`.
    pub(crate) title: Option<String>,
    /// The same for pages.
    #[serde(skip)]
    pub(crate) name: Option<BracketRound>,
    /// The entrants' names.
    pub(crate) names: Vec<String>,
    /// Games won by each.
    pub(crate) wins: Vec<u32>,
    /// Drawn games.
    pub(crate) draws: u32,
    /// Finished games.
    pub(crate) played: u32,
    /// Planned games.
    pub(crate) games: u32,
}

impl MeetingView {
    /// The points of the entrant at a place: one for a win, a half for a draw.
    pub(crate) fn points(&self, place: &usize) -> String {
        let halves = 2 * self.wins.get(*place).copied().unwrap_or(0) + self.draws;
        match (halves / 2, halves.is_multiple_of(2)) {
            (whole, true) => whole.to_string(),
            (0, false) => "½".into(),
            (whole, false) => format!("{whole}½"),
        }
    }
}

impl EntrantView {
    /// The hash of its bytes.
    pub(crate) fn hash(&self) -> &str {
        self.id.strip_prefix("sha256:").unwrap_or(&self.id)
    }
}

impl OtherStandings {
    fn of(earlier: &OlderRelease) -> OtherStandings {
        let OlderRelease { build, table, .. } = earlier.clone();
        OtherStandings { build, table }
    }
}

impl From<&Meeting> for MeetingView {
    fn from(meeting: &Meeting) -> MeetingView {
        let Meeting { round, name, names, wins, draws, played, games } = meeting.clone();
        let title = name.map(|name| name.to_string());
        MeetingView { round, title, name, names, wins, draws, played, games }
    }
}

/// The current names of bots.
struct Called<'a>(&'a BTreeMap<i64, (String, String)>);

impl Called<'_> {
    /// A deleted bot has no name any more.
    fn bot(&self, bot: i64) -> (&str, &str) {
        self.0.get(&bot).map_or((DELETED, DELETED), |(bot, owner)| (bot, owner))
    }

    fn line(&self, at: i64, event: &Event, owner: &str) -> LogLine {
        let bot = |bot: i64| self.bot(bot).0;
        let (event, sentence) = match event {
            Event::Opened { by_operator: true, .. } => {
                ("opened", text::tournaments_the_operator_opened_the_tournament(owner))
            }
            Event::Opened { .. } => ("opened", text::tournaments_opened_the_tournament(owner)),
            Event::Entered(entrant) => {
                ("entered", text::tournaments_version_entered(bot(entrant.bot), entrant.version))
            }
            Event::Withdrawn { bot: out, by, reason } => {
                ("withdrawn", text::tournaments_was_taken_out_by(bot(*out), words::by(*by), said(reason)))
            }
            Event::Closed => ("closed", text::tournaments_closed_entry(words::by(By::Owner))),
            Event::Frozen { .. } => ("frozen", text::tournaments_the_field_was_frozen_and_the_seed()),
            Event::Drawn { round, secret, .. } => {
                ("drawn", text::tournaments_the_entrants_of_round_were(round + 1, arena_record::Hex(secret.0)))
            }
            Event::Cancelled { by, reason } => {
                ("cancelled", text::tournaments_cancelled_by(words::by(*by), said(reason)))
            }
            Event::Finished { games } => ("finished", text::tournaments_all_games_were_played(games)),
        };
        LogLine { at, event, text: sentence.into() }
    }
}

impl ContestView {
    pub(crate) fn of(app: &App, contest: &ContestDetails) -> ContestView {
        let now = app.now();
        let called = Called(&contest.called);
        let ContestDetails { contest, events, state, shown, .. } = contest;
        let (stage, frozen) = match &state.stage {
            Stage::Entry => ("entry", None),
            Stage::Playing { definition } => ("playing", Some(definition)),
            Stage::Finished { definition, .. } => ("finished", Some(definition)),
            Stage::Cancelled { .. } => ("cancelled", None),
        };
        let parsed = frozen.and_then(|text| Definition::parse(text).ok());
        let draw = parsed.as_ref().and_then(|definition| definition.draw);
        let owner = contest.owner_name.to_string();
        let (admission, invited) = match &state.entry.admission {
            Admission::Named => ("named", 0),
            Admission::Open => ("open", 0),
            Admission::Invited { accounts } => ("invited", accounts.len()),
        };
        let entrants = state.entrants.iter().map(|(entrant, out)| {
            let (bot, author) = called.bot(entrant.bot);
            EntrantView {
                bot: bot.into(),
                author: author.into(),
                account: called.0.contains_key(&entrant.bot).then_some(entrant.account),
                version: entrant.version,
                id: entrant.id.to_string(),
                withdrawn: out.as_ref().map(|out| said(out).into()),
            }
        });
        let entrants: Vec<EntrantView> = entrants.collect();
        let playing = matches!(state.stage, Stage::Playing { .. } | Stage::Finished { .. });
        let progress = shown.progress.filter(|_| playing).map(|progress| (progress.played, progress.total));
        let (played, total) = games(&state.stage, progress);
        let id = id_of(contest.id);
        ContestView {
            annulled: app.measures.annulled(&id),
            id,
            name: contest.name.clone(),
            game: contest.game.clone(),
            opened_at: contest.opened_at.0,
            stage,
            admission,
            invited,
            places: state.entry.places,
            until: state.entry.until,
            late: state.entry.late,
            closed: state.is_closed(now.0),
            commitment: state.commitment.0.to_string(),
            secret: draw.map(|draw| arena_record::Hex(draw.secret.0).to_string()),
            seed: parsed.as_ref().map(|definition| definition.seed),
            seed_text: parsed.as_ref().map(|definition| definition.seed.to_string()),
            definition: frozen.cloned().unwrap_or_else(|| state.terms.to_string()),
            reserved: state.reserved.clone(),
            entrants,
            log: events.iter().map(|(at, event)| called.line(*at, event, &owner)).collect(),
            played,
            total,
            standings: shown.standings.as_deref().filter(|_| playing).map(TableView::of),
            earlier: shown.earlier.as_deref().filter(|_| playing).map(OtherStandings::of),
            meetings: if playing { shown.meetings.iter().map(MeetingView::from).collect() } else { Vec::new() },
            trouble: shown.trouble.clone(),
            revision: shown.revision,
            owner,
        }
    }
}

/// The number of played games, and of all games. If another release played the folder, it cannot be read, but the log
/// has its games.
fn games(stage: &Stage, progress: Option<(usize, usize)>) -> (usize, usize) {
    match stage {
        Stage::Finished { games, .. } => progress.unwrap_or((*games as usize, *games as usize)),
        _ => progress.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_what_another_release_played_are_known_from_the_log() {
        let finished = Stage::Finished { definition: String::new(), games: 12 };
        assert_eq!((games(&finished, None), games(&finished, Some((12, 12)))), ((12, 12), (12, 12)));
        let playing = Stage::Playing { definition: String::new() };
        assert_eq!((games(&playing, None), games(&playing, Some((3, 12)))), ((0, 0), (3, 12)));
    }
}
