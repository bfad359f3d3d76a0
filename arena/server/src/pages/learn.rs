//! `/learn`: lessons on a board in the page, game by game.

use arena_rules::Ruleset;
use arena_rules::life2::Position;
use arena_runner::Contender;
use arena_service::OpenRoomError;
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::room::{LessonView, Practice, RoomPage};
use super::{Shell, page};
use crate::identity::Reader;
use crate::lessons::{LESSONS, Lesson};
use crate::names::{self, Who};
use crate::pictures::{self, Drawn};
use crate::problem::{Code, Problem, Result};
use crate::text;

/// A game with its lessons.
struct Course {
    game: &'static Game,
    /// Titles, each with its address.
    lessons: Vec<(String, String)>,
    /// The picture of a turn's result.
    picture: Option<&'static Drawn>,
}

#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    shell: Shell,
    courses: Vec<Course>,
}

/// The address of the lesson of Life2, which is a world in the page: `pages::worlds::lesson`.
const IN_WORLD: &str = "/learn/life2";

/// The lessons of a game.
fn lessons(game: &Game) -> Vec<&'static Lesson> {
    LESSONS.iter().filter(|lesson| lesson.game == game.name()).collect()
}

fn address(game: &Game, number: usize) -> String {
    format!("/learn/{}/{number}", game.name())
}

/// The addresses of all lessons.
pub(crate) fn addresses() -> impl Iterator<Item = String> {
    let numbered = GAMES.iter().flat_map(|game| (1..=lessons(game).len()).map(move |number| address(game, number)));
    numbered.chain([IN_WORLD.to_owned()])
}

pub(crate) async fn all(Reader(visitor): Reader) -> Result<Response> {
    let titled = |game: &'static Game| -> Vec<(String, String)> {
        let in_world =
            (game.ruleset == Position::ID).then(|| (text::common_learn_it_in_six_steps().into(), IN_WORLD.to_owned()));
        let numbered = (1..).zip(lessons(game)).map(|(number, one)| ((one.title)().into(), address(game, number)));
        numbered.chain(in_world).collect()
    };
    let picture = |game| pictures::of(game).first().and_then(|figure| figure.boards.last());
    let courses = GAMES.iter().map(|game| Course { game, lessons: titled(game), picture: picture(game) });
    page(&Learn { shell: Shell::new(&visitor, "learn"), courses: courses.collect() })
}

pub(crate) async fn lesson(Path((game, number)): Path<(String, String)>, Reader(visitor): Reader) -> Result<Response> {
    let game = names::game(Some(&game))?;
    let lessons = lessons(game);
    let missing = || Problem::new(Code::NoSuchLesson, "there is no such lesson", "/learn has them all");
    let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).ok_or_else(missing)?;
    let lesson = lessons.get(place).ok_or_else(missing)?;
    let from = lesson.start.shown().ok_or_else(missing)?;
    let opponent = Contender::baseline(game.ruleset, lesson.opponent).map_err(|_| OpenRoomError::NoSuchOpponent)?;
    let number = place + 1;
    let next =
        if number == lessons.len() { format!("/practice?game={}", game.name()) } else { address(game, number + 1) };
    let seats = vec![Who::called(text::common_you()), Who::built_in(Some(game), lesson.opponent)];
    let texts = |texts: Vec<Option<&str>>| serde_json::to_string(&texts).unwrap_or_default();
    let title = String::from((lesson.title)());
    let practice = Practice {
        game: game.name(),
        options: game.casual.to_owned(),
        seed: arena_record::Hex([0; 32]).to_string(),
        seat: Some(0),
        opponent: opponent.id().to_string(),
        many: Vec::new(),
        at_once: game.plays_at_once(),
        choices: Vec::new(),
        more: false,
        lesson: Some(LessonView {
            game: game.title,
            number,
            of: lessons.len(),
            title: title.clone(),
            text: (lesson.text)().into(),
            task: (lesson.task)().into(),
            done: (lesson.done)().into(),
            goal: lesson.goal,
            from: from.iter().map(|byte| format!("{byte:02x}")).collect(),
            before: (place > 0).then(|| address(game, place)),
            next,
        }),
        from: None,
        names: texts(seats.iter().map(|who| Some(who.name.as_str())).collect()),
        pages: texts(seats.iter().map(|who| who.page.as_deref()).collect()),
    };
    let shell = Shell::new(&visitor, "learn");
    page(&RoomPage::alone(shell, game.ruleset, title, seats, practice))
}
