//! `/workshop`: where a bot is written and tried. It plays in the page itself; nothing of it comes here before its
//! author submits it.

use arena_record::{Budgets, EntrantId, Record};
use arena_rules::Seat;
use arena_runner::Contender;
use arena_tournaments::PAIRS_MIN;
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::response::Response;
use serde::Deserialize;

use super::{Shell, opponents, page, seat_title};
use crate::api::Query;
use crate::api::bots::{find_version, game_of};
use crate::app::App;
use crate::bot_games::{self, Wanted};
use crate::games::{self, GameId};
use crate::guide;
use crate::identity::{Reader, Visitor};
use crate::language::Text;
use crate::limit_kind::LimitKind;
use crate::limits::{SOURCE_COST, TEXT_BYTES_MAX};
use crate::names::{self, Face, GameLink};
use crate::problem::{Code, Problem, Result};
use crate::sources::Source;
use crate::text;
use crate::upload::{Typed, WRITTEN, Written, written_in};
use crate::visitors::Taker;

/// Games that are run at once: pairs with one seed and the seats swapped, two more than a verdict needs.
const GAMES_AT_ONCE: u32 = 2 * (PAIRS_MIN + 2);

/// Which game is written for; or which recorded game, from which turn on, in whose place.
#[derive(Deserialize)]
pub(crate) struct Wish {
    game: Option<String>,
    language: Option<String>,
    from: Option<String>,
    turn: Option<usize>,
    seat: Option<u8>,
    /// A bot of the guide or the gallery to begin with, by its path.
    listing: Option<String>,
    /// Another bot to begin with, if its author shows the source of this version.
    bot: Option<String>,
    version: Option<u32>,
}

/// A recorded game that is tried again, from one of its turns.
struct Again {
    id: String,
    turn: usize,
    /// The seat of the bot that is written.
    seat: u8,
    /// The other player, by its id: a bot, or a built-in opponent. A person does not play on.
    opponent: Option<(EntrantId, String)>,
    options: String,
    /// The games that the bot in this seat lost to it, if the game is one of a tournament.
    lost: Option<Lost>,
}

/// Where a page finds the games that a bot lost to another.
struct Lost {
    /// The address of a list that has them, the latest first.
    list: String,
    /// The loser's id, if the list has games of others, too.
    loser: Option<EntrantId>,
    /// The names of the loser and of the winner.
    names: [String; 2],
}

impl Again {
    /// The wished game, and its ruleset's game. The seat is the wished one, or the loser's.
    async fn of(app: &App, wish: &Wish) -> Result<Option<(Again, &'static Game)>> {
        let Some(id) = &wish.from else { return Ok(None) };
        let (record, _) = games::record(app.service(), id).await?;
        let game = names::game(Some(&record.header.ruleset))?;
        if !may_be_tried(&record) {
            let hint = "a game of two seats can be tried again in the workshop";
            return Err(Problem::new(Code::BadRequest, "this game has more than two seats", hint));
        }
        let lost = record.outcome.winner.map_or(0, |winner| 1 - winner.min(1));
        let seat = wish.seat.filter(|seat| *seat < 2).unwrap_or(lost);
        let names = names::all(app.store(), Some(game), &record.header.entrants).await?;
        let [own, other] = [seat, 1 - seat].map(usize::from);
        let id_of_other = &record.header.entrants[other];
        let opponent = id_of_other.person().is_none().then(|| (id_of_other.clone(), names[other].name.clone()));
        let lost = Lost::of(id, game, &record.header.entrants[own], [own, other].map(|seat| names[seat].name.clone()));
        let turn = wish.turn.unwrap_or(0).min(record.turns.len());
        let options = record.header.options.clone();
        Ok(Some((Again { id: id.clone(), turn, seat, opponent, options, lost }, game)))
    }
}

impl Lost {
    /// Those in all editions that are kept, or in the tournament of a game; `None` if it is of no tournament.
    fn of(id: &str, game: &Game, loser: &EntrantId, names: [String; 2]) -> Option<Lost> {
        let GameId::Tournament(tournament, _) = GameId::parse(id)? else { return None };
        if arena_service::edition_of(&tournament).is_none() {
            let list = format!("/api/v1/games?tournament={tournament}&order=latest");
            return Some(Lost { list, loser: Some(loser.clone()), names });
        }
        let wanted = Wanted {
            game: Some(game.name().into()),
            opponent: Some(names[1].clone()),
            result: Some("lost".into()),
            edition: Some("all".into()),
            ..Wanted::default()
        };
        let list = bot_games::address(&format!("/api/v1/bots/{}/games", bot_games::plain(&names[0])), &wanted, None);
        Some(Lost { list, loser: None, names })
    }
}

/// Whether a recorded game can be tried again in the workshop: its games have two seats.
pub(super) fn may_be_tried(record: &Record) -> bool {
    record.header.entrants.len() == 2 && !record.turns.is_empty()
}

#[derive(Template)]
#[template(path = "workshop.html")]
pub(super) struct Workshop {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    face: Face,
    /// Options of the games that are played.
    options: String,
    again: Option<Again>,
    budgets: String,
    /// Opponents by their ids: the built-in ones, weakest first, and that of a game that is tried again.
    opponents: Vec<(EntrantId, String)>,
    /// The seats' names.
    seats: [String; 2],
    /// The visitor's bots with their games, to choose a name from.
    bots: Vec<(String, String)>,
    text_bytes_max: usize,
    language: &'static Written,
    /// Whether the text is that of a listing, to be shown before any draft.
    listed: bool,
    /// The games that are run at once.
    many: u32,
    typed: Typed,
    /// Why what was submitted is refused.
    problem: Option<Problem>,
}

impl Workshop {
    /// The page for a game, with what was typed there.
    pub(super) async fn of(
        app: &App,
        visitor: &Visitor,
        game: &'static Game,
        (typed, problem): (Typed, Option<Problem>),
    ) -> Result<Workshop> {
        let opponent = |name: &str| Some((Contender::baseline(game.ruleset, name).ok()?.id(), name.to_owned()));
        Ok(Workshop {
            shell: Shell::new(visitor, "submit"),
            games: GameLink::all(GAMES.iter(), game),
            face: Face::from(game),
            options: game.match_options().unwrap_or_default(),
            again: None,
            budgets: serde_json::to_string(&Budgets::of(game.allowance)).unwrap_or_default(),
            opponents: Contender::usual(game.ruleset).filter_map(opponent).collect(),
            seats: [0, 1].map(|seat| seat_title(game, Seat(seat))),
            bots: opponents::own(app, visitor).await?,
            text_bytes_max: TEXT_BYTES_MAX,
            many: GAMES_AT_ONCE,
            language: written_in(&typed.language),
            listed: false,
            game,
            typed,
            problem,
        })
    }
}

impl Workshop {
    /// Whether an opponent is that of the game that is tried again.
    fn is_chosen(&self, id: &EntrantId) -> bool {
        self.again.as_ref().is_some_and(|again| again.opponent.as_ref().is_some_and(|(chosen, _)| chosen == id))
    }

    /// The languages to choose from, each with its name for people, its address, and whether it is this one.
    fn languages(&self) -> Vec<(Text, String, bool)> {
        let again = self.again.as_ref();
        let rest = again.map_or_else(
            || format!("game={}", self.game.name()),
            |Again { id, turn, seat, .. }| format!("from={id}&turn={turn}&seat={seat}"),
        );
        let link = |written: &Written| format!("/workshop?{rest}&language={}", written.name);
        WRITTEN.iter().map(|one| (one.title(), link(one), one.name == self.language.name)).collect()
    }

    /// Bots of the game to begin with instead of the template, each with its name and its address: those outside of the
    /// guide's chapters.
    fn others(&self) -> Vec<(&'static str, String)> {
        let is_other = |path: &&str| {
            let is_shown = !path.starts_with("guide/") && *path != self.language.template;
            is_shown && self.language.names(path) && guide::game_of(path).ruleset == self.game.ruleset
        };
        // A file that is called as every bot is named by its folder.
        let name = |path: &'static str| {
            let path = path.strip_suffix(self.language.file).unwrap_or(path).trim_end_matches('/');
            let name = path.rsplit('/').next().unwrap_or(path);
            name.split_once('.').map_or(name, |(name, _)| name)
        };
        guide::bots().filter(is_other).map(|path| (name(path), guide::workshop(path).unwrap_or_default())).collect()
    }

    /// Whether the bot that is written has this seat at first.
    fn sits(&self, seat: &usize) -> bool {
        self.again.as_ref().is_some_and(|again| usize::from(again.seat) == *seat)
    }
}

/// The text of the wished version of a bot, and its game.
async fn forked(app: &App, taker: &Taker, wish: &Wish) -> Result<Option<(Typed, Option<&'static Game>)>> {
    let (Some(bot), Some(number)) = (&wish.bot, wish.version) else { return Ok(None) };
    // A module is looked through.
    taker.take_some(LimitKind::Requests, SOURCE_COST, None)?;
    let (bot, version) = find_version(app, bot, &number.to_string()).await?;
    let source = Source::of(app, &version).await?;
    let begun = source.map(|source| Typed::of_text(source.language, source.forked(&bot)));
    let begun = begun.ok_or_else(|| {
        let hint = "the bot's page lists its versions; those with a licence have a source";
        Problem::new(Code::NoSuchVersion, "this version shows no source", hint)
            .saying(text::refused_no_source())
            .advising(text::hint_no_source())
    })?;
    Ok(Some((begun, game_of(&bot))))
}

pub(crate) async fn show(
    app: App,
    taker: Taker,
    Query(wish): Query<Wish>,
    Reader(visitor): Reader,
) -> Result<Response> {
    let forked = forked(&app, &taker, &wish).await?;
    let is_given = forked.is_some() || wish.listing.is_some();
    let (begun, own_game) = match (forked, &wish.listing) {
        (Some(forked), _) => forked,
        (None, Some(path)) => {
            let begun = Typed::of_listing(path).ok_or_else(|| {
                let hint = "the guide at /guide links to each bot that opens in the workshop";
                Problem::new(Code::NoSuchListing, "the guide has no such bot", hint)
            })?;
            (begun, Some(guide::game_of(path)))
        }
        (None, None) => (Typed::of_template(written_in(wish.language.as_deref().unwrap_or_default())), None),
    };
    let again = Again::of(&app, &wish).await?;
    let game = match (&again, &wish.game, own_game) {
        (Some((_, game)), ..) => game,
        (None, None, Some(game)) => game,
        (None, game, _) => names::game(game.as_deref())?,
    };
    let mut shown = Workshop::of(&app, &visitor, game, (begun, None)).await?;
    shown.listed = is_given;
    if let Some((again, _)) = again {
        let others = again.opponent.iter().filter(|(id, _)| shown.opponents.iter().all(|(known, _)| known != id));
        shown.opponents.extend(others.cloned().collect::<Vec<_>>());
        (shown.options, shown.again) = (again.options.clone(), Some(again));
    }
    page(&shown)
}
