//! A bot's place in the standings, and its results by opponent.

use std::sync::Arc;

use arena_service::Edition;
use arena_store::Results;
use arena_tournaments::Tally;
use arena_wire::Game;

use crate::app::App;
use crate::pages::standings::{Against, Line, lines};
use crate::pages::{percent, wdl};
use crate::problem::Problem;

/// A bot's place in the latest edition of its game.
#[derive(Default)]
pub(super) struct Place {
    pub(super) edition: Option<Arc<Edition>>,
    /// Why it is none, if the operator annulled the edition.
    pub(super) annulled: Option<String>,
    pub(super) line: Option<Line>,
    /// Its results by opponent, the hardest first.
    pub(super) opponents: Vec<Opponent>,
}

impl Place {
    pub(super) async fn of(app: &App, game: &Game, name: &str) -> Result<Place, Problem> {
        let Some(edition) = app.service().standing().of(game).edition.clone() else { return Ok(Place::default()) };
        let line = lines(game, &edition.standings).into_iter().find(|line| line.name.eq_ignore_ascii_case(name));
        if let Some(annulled) = app.latest_annulled(game).filter(|_| line.is_some()) {
            return Ok(Place { edition: Some(edition), annulled: Some(annulled), ..Place::default() });
        }
        let mut opponents: Vec<Opponent> = match &line {
            // Only standings of pairs have a crosstable.
            Some(line) if line.against.is_empty() => {
                let results = app.store().results_of(&line.id, &edition.tournament).await?;
                let named = results.into_iter().filter_map(|(id, results)| Some((edition.name(&id)?, results)));
                named.map(Opponent::of_games).collect()
            }
            Some(line) => {
                let met = line.against.iter().filter(|against| against.score != Against::NONE);
                let one = |Against { name, score, record, .. }: &Against| Opponent {
                    name: name.clone(),
                    score: score.clone(),
                    record: record.clone(),
                };
                met.map(one).collect()
            }
            None => Vec::new(),
        };
        opponents.sort_by(|one, other| one.percent().total_cmp(&other.percent()));
        Ok(Place { edition: Some(edition), annulled: None, line, opponents })
    }

    pub(super) fn edition(&self) -> Option<&Edition> {
        self.edition.as_deref()
    }
}

/// A bot's results against another, or in games that another played, too.
pub(super) struct Opponent {
    pub(super) name: String,
    /// In percent; of games of more than two seats, the order of the list alone.
    pub(super) score: String,
    pub(super) record: String,
}

impl Opponent {
    fn percent(&self) -> f64 {
        self.score.parse().unwrap_or_default()
    }

    /// The results in games of more than two seats.
    fn of_games((name, results): (&str, Results)) -> Opponent {
        let Results { won, drawn, lost } = results;
        let tally = Tally { wins: won, draws: drawn, losses: lost };
        Opponent { name: name.into(), score: percent(tally), record: wdl(tally) }
    }
}
