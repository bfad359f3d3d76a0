//! The keys of a definition that describe its format.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::bracket::{Lives, Seeding};
use crate::format::{DOUBLE_KNOCKOUT, FIELD, GAUNTLET, KNOCKOUT, LADDER, ROUND_ROBIN, SWISS};
use crate::formats::FormatSpec;
use crate::limits::{
    CONFIDENCE_PER_MILLE_MAX, CONFIDENCE_PER_MILLE_MIN, CYCLES_MAX, FIELD_GAMES_MAX, PAIRS_MAX, ROUNDS_MAX,
    STOP_PAIRS_MAX, STOP_WITHIN_MAX, STOP_WITHIN_MIN,
};
use crate::problem::{DefinitionError, Problem, wrong};
use crate::ranking::{TieBreak, TieBreaks};
use crate::round_robin::Table;
use crate::seeds::BY_RATING;
use crate::stop::Stop;

/// The default number of pairs per pairing: in a round robin, in a gauntlet, in rounds, and of a field's pairs that
/// break ties.
const PAIRS_EACH: u32 = 10;
const PAIRS_GAUNTLET: u32 = 50;
const PAIRS_ROUNDS: u32 = 4;
const PAIRS_TIES: u32 = 1;
/// The default for the maximum number of pairs after a level match.
const FURTHER_PAIRS: u32 = 8;
/// The default number of games of a field.
const GAMES: u32 = 40;
/// A stop's default confidence, in thousandths.
const CONFIDENCE_PER_MILLE: u32 = 950;
/// The default number of rounds beyond those that leave one entrant unbeaten.
const ROUNDS_MORE: u32 = 2;

/// The format's name and the keys of all formats, as written.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) format: Option<Spanned<String>>,
    pub(crate) games: Option<Spanned<u32>>,
    pub(crate) pairs: Option<Spanned<u32>>,
    pub(crate) further_pairs: Option<Spanned<u32>>,
    pub(crate) rounds: Option<Spanned<u32>>,
    pub(crate) cycles: Option<Spanned<u32>>,
    pub(crate) table: Option<Spanned<String>>,
    pub(crate) seeding: Option<Spanned<String>>,
    pub(crate) seeds: Option<Spanned<String>>,
    pub(crate) tie_breaks: Option<Spanned<Vec<String>>>,
    pub(crate) stop: Option<Spanned<WrittenStop>>,
}

/// A stop, as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct WrittenStop {
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<u32>,
    max_pairs: u32,
}

/// The names of the keys, and the formats that have them.
const OWN: [(&str, &[&str]); 10] = [
    ("games", &[FIELD]),
    ("pairs", &[ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT, DOUBLE_KNOCKOUT, FIELD]),
    ("further-pairs", &[KNOCKOUT, DOUBLE_KNOCKOUT]),
    ("rounds", &[SWISS, LADDER]),
    ("cycles", &[ROUND_ROBIN]),
    ("table", &[ROUND_ROBIN]),
    ("seeding", &[KNOCKOUT, DOUBLE_KNOCKOUT]),
    ("seeds", &[KNOCKOUT, DOUBLE_KNOCKOUT]),
    ("tie-breaks", &[ROUND_ROBIN, SWISS]),
    ("stop", &[ROUND_ROBIN, GAUNTLET, LADDER]),
];

impl Keys {
    /// The format of these keys for a number of entrants, in the definition `text`. Without a name it is a round robin.
    /// `cages`: whether a field has pairs that break ties if it names none.
    pub(crate) fn spec(self, text: &str, entrants: usize, cages: bool) -> Result<FormatSpec, DefinitionError> {
        let at = |at: usize| Some(1 + text[..at].matches('\n').count());
        let named = self.format.as_ref().and_then(|name| at(name.span().start));
        let name = self.format.as_ref().map_or(ROUND_ROBIN, |name| name.get_ref()).to_owned();
        self.check_own(&name, at)?;
        let number = |key: Option<Spanned<u32>>, field: &'static str, usual: u32, most: u32| match key {
            None => Ok(usual),
            Some(key) if (1..=most).contains(key.get_ref()) => Ok(key.into_inner()),
            Some(key) => {
                let (most, given) = (most.into(), (*key.get_ref()).into());
                wrong(at(key.span().start), field, Problem::Range { least: 1, most, given })
            }
        };
        let no_pairs = self.pairs.as_ref().map_or(!cages, |key| *key.get_ref() == 0);
        let pairs = |usual| number(self.pairs, "pairs", usual, PAIRS_MAX);
        let stop = |stop: Option<Spanned<WrittenStop>>| {
            stop.map(|stop| stopped(at(stop.span().start), &stop.into_inner(), entrants)).transpose()
        };
        let spec = match &*name {
            ROUND_ROBIN => FormatSpec::RoundRobin {
                pairs: pairs(PAIRS_EACH)?,
                cycles: number(self.cycles, "cycles", 1, CYCLES_MAX)?,
                table: chosen(self.table, at, "table", [("circle", Table::Circle), ("berger", Table::Berger)])?,
                tie_breaks: tie_breaks(self.tie_breaks, at, TieBreaks::default())?,
                stop: stop(self.stop)?,
            },
            GAUNTLET => FormatSpec::Gauntlet { pairs: pairs(PAIRS_GAUNTLET)?, stop: stop(self.stop)? },
            SWISS => FormatSpec::Swiss {
                pairs: pairs(PAIRS_ROUNDS)?,
                // There are no more rounds without a rematch; an odd number of entrants has a bye in each.
                rounds: {
                    let most = ROUNDS_MAX.min(u32::try_from(entrants - 1 + entrants % 2).unwrap_or(u32::MAX));
                    number(self.rounds, "rounds", usual_rounds(entrants).min(most), most)?
                },
                tie_breaks: tie_breaks(self.tie_breaks, at, TieBreaks::new(&TieBreak::ALL).unwrap_or_default())?,
            },
            KNOCKOUT | DOUBLE_KNOCKOUT => FormatSpec::Knockout {
                lives: if name == KNOCKOUT { Lives::One } else { Lives::Two },
                pairs: pairs(PAIRS_ROUNDS)?,
                further_pairs: number(self.further_pairs, "further-pairs", FURTHER_PAIRS, PAIRS_MAX)?,
                seeding: seeding(self.seeding, at)?,
            },
            LADDER => {
                let stop = stop(self.stop)?;
                // With a stop, the ladder goes on until that is satisfied.
                let usual = stop.map_or(usual_rounds(entrants), |stop| stop.max_pairs);
                let most = stop.map_or(ROUNDS_MAX, |stop| stop.max_pairs);
                FormatSpec::Ladder { rounds: number(self.rounds, "rounds", usual, most)?, stop }
            }
            FIELD => FormatSpec::Field {
                games: number(self.games, "games", GAMES, FIELD_GAMES_MAX)?,
                // Without pairs, entrants with equal scores share the rank.
                pairs: if no_pairs { 0 } else { pairs(PAIRS_TIES)? },
            },
            other => return wrong(named, "format", Problem::Format { given: other.into() }),
        };
        match spec.entrants_max() {
            most if entrants > most => {
                wrong(named, "entrants", Problem::TooMany { most, format: name, given: entrants })
            }
            _ => Ok(spec),
        }
    }

    /// Refuses keys of other formats.
    fn check_own(&self, name: &str, at: impl Fn(usize) -> Option<usize>) -> Result<(), DefinitionError> {
        let start = |span: std::ops::Range<usize>| span.start;
        let there = [
            self.games.as_ref().map(|key| start(key.span())),
            self.pairs.as_ref().map(|key| start(key.span())),
            self.further_pairs.as_ref().map(|key| start(key.span())),
            self.rounds.as_ref().map(|key| start(key.span())),
            self.cycles.as_ref().map(|key| start(key.span())),
            self.table.as_ref().map(|key| start(key.span())),
            self.seeding.as_ref().map(|key| start(key.span())),
            self.seeds.as_ref().map(|key| start(key.span())),
            self.tie_breaks.as_ref().map(|key| start(key.span())),
            self.stop.as_ref().map(|key| start(key.span())),
        ];
        let is_known = OWN.iter().any(|(_, formats)| formats.contains(&name));
        for ((field, formats), there) in OWN.into_iter().zip(there) {
            if let Some(there) = there.filter(|_| is_known && !formats.contains(&name)) {
                return wrong(at(there), field, Problem::OtherFormat { of: formats, format: name.into() });
            }
        }
        Ok(())
    }

    /// The keys of a complete definition. Optional parts of a round robin are only written if they are used.
    pub(crate) fn of(spec: FormatSpec) -> Keys {
        let named = Keys { format: Some(unplaced(spec.name().into())), ..Keys::default() };
        match spec {
            FormatSpec::RoundRobin { pairs, cycles, table, tie_breaks, stop } => Keys {
                pairs: Some(unplaced(pairs)),
                cycles: (cycles > 1).then(|| unplaced(cycles)),
                table: (table == Table::Berger).then(|| unplaced("berger".into())),
                tie_breaks: (tie_breaks != TieBreaks::default()).then(|| names(tie_breaks)),
                stop: stop.map(written),
                ..named
            },
            FormatSpec::Gauntlet { pairs, stop } => {
                Keys { pairs: Some(unplaced(pairs)), stop: stop.map(written), ..named }
            }
            FormatSpec::Swiss { pairs, rounds, tie_breaks } => Keys {
                pairs: Some(unplaced(pairs)),
                rounds: Some(unplaced(rounds)),
                tie_breaks: Some(names(tie_breaks)),
                ..named
            },
            FormatSpec::Knockout { pairs, further_pairs, seeding, .. } => Keys {
                pairs: Some(unplaced(pairs)),
                further_pairs: Some(unplaced(further_pairs)),
                seeding: Some(unplaced(if seeding == Seeding::Draw { "draw" } else { "given" }.into())),
                ..named
            },
            FormatSpec::Ladder { rounds, stop } => {
                Keys { rounds: Some(unplaced(rounds)), stop: stop.map(written), ..named }
            }
            FormatSpec::Field { games, pairs } => {
                Keys { games: Some(unplaced(games)), pairs: Some(unplaced(pairs)), ..named }
            }
        }
    }
}

/// The usual number of rounds: those that leave one entrant unbeaten, and two more to sort out the others.
fn usual_rounds(entrants: usize) -> u32 {
    entrants.max(2).next_power_of_two().ilog2() + ROUNDS_MORE
}

fn stopped(line: Option<usize>, stop: &WrittenStop, entrants: usize) -> Result<Stop, DefinitionError> {
    let most = u32::try_from(entrants).unwrap_or(u32::MAX);
    let range = |least: u32, most: u32, given: u32| Problem::Range {
        least: least.into(),
        most: most.into(),
        given: given.into(),
    };
    let WrittenStop { top, confidence, within, max_pairs } = *stop;
    if top.is_none() && (within.is_none() || confidence.is_some()) {
        return wrong(line, "stop", Problem::NoGoal);
    }
    if let Some(given) = top.filter(|top| !(1..=most).contains(top)) {
        return wrong(line, "stop.top", Problem::Places { most, given });
    }
    let per_mille = confidence.map_or(f64::from(CONFIDENCE_PER_MILLE), |confidence| confidence * 1_000.0);
    let (least, sure) = (f64::from(CONFIDENCE_PER_MILLE_MIN), f64::from(CONFIDENCE_PER_MILLE_MAX));
    if !(least..=sure).contains(&per_mille) || (per_mille - libm::round(per_mille)).abs() > 1e-6 {
        let given = confidence.unwrap_or_default().to_string();
        return wrong(line, "stop.confidence", Problem::Confidence { given });
    }
    if let Some(given) = within.filter(|within| !(STOP_WITHIN_MIN..=STOP_WITHIN_MAX).contains(within)) {
        return wrong(line, "stop.within", range(STOP_WITHIN_MIN, STOP_WITHIN_MAX, given));
    }
    if !(1..=STOP_PAIRS_MAX).contains(&max_pairs) {
        return wrong(line, "stop.max-pairs", range(1, STOP_PAIRS_MAX, max_pairs));
    }
    let confidence_per_mille = libm::round(per_mille) as u32;
    Ok(Stop { top: top.unwrap_or(0), confidence_per_mille, within, max_pairs })
}

/// One of two words; the first by default.
fn chosen<T>(
    key: Option<Spanned<String>>,
    at: impl Fn(usize) -> Option<usize>,
    field: &'static str,
    [(usual, first), (other, second)]: [(&'static str, T); 2],
) -> Result<T, DefinitionError> {
    match key.as_ref().map(|key| (key.span().start, key.get_ref().as_str())) {
        None => Ok(first),
        Some((_, word)) if word == usual => Ok(first),
        Some((_, word)) if word == other => Ok(second),
        Some((start, word)) => wrong(at(start), field, Problem::Word { known: [usual, other], given: word.into() }),
    }
}

/// Seeding by rating becomes `Given`, once the entrants are in the order of their ratings.
fn seeding(key: Option<Spanned<String>>, at: impl Fn(usize) -> Option<usize>) -> Result<Seeding, DefinitionError> {
    match key.as_ref().map(|key| (key.span().start, key.get_ref().as_str())) {
        None | Some((_, "given" | BY_RATING)) => Ok(Seeding::Given),
        Some((_, "draw")) => Ok(Seeding::Draw),
        Some((start, word)) => wrong(at(start), "seeding", Problem::Seeding { given: word.into() }),
    }
}

fn tie_breaks(
    key: Option<Spanned<Vec<String>>>,
    at: impl Fn(usize) -> Option<usize>,
    usual: TieBreaks,
) -> Result<TieBreaks, DefinitionError> {
    let Some(key) = key else { return Ok(usual) };
    let line = at(key.span().start);
    let known = |word: &String| TieBreak::ALL.into_iter().find(|one| one.name() == word);
    let found: Option<Vec<TieBreak>> = key.get_ref().iter().map(known).collect();
    match found.and_then(|found| TieBreaks::new(&found)) {
        Some(tie_breaks) => Ok(tie_breaks),
        None => wrong(line, "tie-breaks", Problem::TieBreaks { given: key.into_inner() }),
    }
}

fn names(tie_breaks: TieBreaks) -> Spanned<Vec<String>> {
    unplaced(tie_breaks.iter().map(|one| one.name().into()).collect())
}

fn written(stop: Stop) -> Spanned<WrittenStop> {
    let Stop { top, confidence_per_mille, within, max_pairs } = stop;
    let top = (top > 0).then_some(top);
    let confidence = top.map(|_| f64::from(confidence_per_mille) / 1_000.0);
    unplaced(WrittenStop { top, confidence, within, max_pairs })
}

/// A value without a place in the text.
fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}
