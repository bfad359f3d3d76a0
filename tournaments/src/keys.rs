//! The keys of a definition as written, and the format that they describe.

use arena_record::Budgets;
use arena_wire::Game;
use serde::{Deserialize, Serialize};

use crate::anchor::AnchorSpec;
use crate::bracket::{Lives, Seeding};
use crate::commitment::Draw;
use crate::entrant_spec::{EntrantSpec, Source};
use crate::format::{DOUBLE_KNOCKOUT, FIELD, GAUNTLET, KNOCKOUT, LADDER, ROUND_ROBIN, SWISS};
use crate::formats::FormatSpec;
use crate::limits::{
    CONFIDENCE_PER_MILLE_MAX, CONFIDENCE_PER_MILLE_MIN, CYCLES_MAX, ENTRANTS_MAX, ENTRANTS_MIN, FIELD_GAMES_MAX,
    PAIRS_MAX, ROUNDS_MAX, STOP_PAIRS_MAX, STOP_WITHIN_MAX, STOP_WITHIN_MIN,
};
use crate::problem::{DefinitionError, Problem, within, wrong};
use crate::ranking::{TieBreak, TieBreaks};
use crate::round_robin::Table;
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

/// The value of `seeding` for the order of ratings.
pub(crate) const BY_RATING: &str = "rating";

/// The keys of a definition, as written. The order of the fields is that of a complete text.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Keys {
    pub(crate) name: Option<String>,
    pub(crate) ruleset: Option<String>,
    pub(crate) options: Option<String>,
    pub(crate) openings: Option<Vec<String>>,
    pub(crate) seed: Option<u64>,
    pub(crate) format: Option<String>,
    pub(crate) games: Option<u32>,
    pub(crate) pairs: Option<u32>,
    #[serde(rename = "further-pairs")]
    pub(crate) further_pairs: Option<u32>,
    pub(crate) rounds: Option<u32>,
    pub(crate) cycles: Option<u32>,
    pub(crate) table: Option<String>,
    pub(crate) seeding: Option<String>,
    pub(crate) seeds: Option<String>,
    #[serde(rename = "tie-breaks")]
    pub(crate) tie_breaks: Option<Vec<String>>,
    pub(crate) wall_ms_per_move: Option<u64>,
    pub(crate) stop: Option<WrittenStop>,
    pub(crate) anchor: Option<AnchorSpec>,
    pub(crate) draw: Option<Draw>,
    pub(crate) budgets: Option<WrittenBudgets>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) entrants: Vec<WrittenEntrant>,
}

/// Budgets, as written. Omitted ones are the game's.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WrittenBudgets {
    fuel_per_move: Option<u64>,
    fuel_per_game: Option<u64>,
    fuel_at_start: Option<u64>,
    memory_bytes: Option<u64>,
    module_bytes: Option<u64>,
}

/// An entrant, as written.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenEntrant {
    pub(crate) name: String,
    pub(crate) display: Option<String>,
    pub(crate) rating: Option<i32>,
    pub(crate) baseline: Option<String>,
    pub(crate) gallery: Option<String>,
    pub(crate) file: Option<String>,
}

impl WrittenBudgets {
    /// All of them.
    pub(crate) fn of(budgets: Budgets) -> WrittenBudgets {
        let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = budgets;
        WrittenBudgets {
            fuel_per_move: Some(fuel_per_move),
            fuel_per_game,
            fuel_at_start: Some(fuel_at_start),
            memory_bytes: Some(memory_bytes),
            module_bytes: Some(module_bytes),
        }
    }

    /// Fills omitted budgets with the game's own.
    pub(crate) fn or(&self, own: Budgets) -> Budgets {
        Budgets {
            fuel_per_move: self.fuel_per_move.unwrap_or(own.fuel_per_move),
            fuel_per_game: self.fuel_per_game.or(own.fuel_per_game),
            fuel_at_start: self.fuel_at_start.unwrap_or(own.fuel_at_start),
            memory_bytes: self.memory_bytes.unwrap_or(own.memory_bytes),
            module_bytes: self.module_bytes.unwrap_or(own.module_bytes),
        }
    }
}

impl WrittenEntrant {
    /// An entrant as a complete definition writes it.
    pub(crate) fn of(EntrantSpec { name, display, source }: &EntrantSpec) -> WrittenEntrant {
        let written = WrittenEntrant { name: name.clone(), display: display.clone(), ..WrittenEntrant::default() };
        match source.clone() {
            Source::Baseline(tier) => WrittenEntrant { baseline: Some(tier), ..written },
            Source::Gallery(bot) => WrittenEntrant { gallery: Some(bot), ..written },
            Source::File(file) => WrittenEntrant { file: Some(file), ..written },
        }
    }

    /// The entrant, if it has a good name and one source.
    pub(crate) fn spec(self) -> Result<EntrantSpec, DefinitionError> {
        let WrittenEntrant { name, display, baseline, gallery, file, .. } = self;
        let source = match (baseline, gallery, file) {
            (Some(tier), None, None) => Source::Baseline(tier),
            (None, Some(bot), None) => Source::Gallery(bot),
            (None, None, Some(file)) => Source::File(file),
            _ => return wrong(None, "entrants", Problem::Source { name }),
        };
        EntrantSpec::new(name, source)?.displayed(display)
    }
}

/// A stop, as written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct WrittenStop {
    top: Option<u32>,
    confidence: Option<f64>,
    within: Option<u32>,
    max_pairs: u32,
}

/// The name of a key, whether it is there, and the formats that have it.
type Own = (&'static str, fn(&Keys) -> bool, &'static [&'static str]);

const OWN: [Own; 10] = [
    ("games", |keys| keys.games.is_some(), &[FIELD]),
    ("pairs", |keys| keys.pairs.is_some(), &[ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT, DOUBLE_KNOCKOUT, FIELD]),
    ("further-pairs", |keys| keys.further_pairs.is_some(), &[KNOCKOUT, DOUBLE_KNOCKOUT]),
    ("rounds", |keys| keys.rounds.is_some(), &[SWISS, LADDER]),
    ("cycles", |keys| keys.cycles.is_some(), &[ROUND_ROBIN]),
    ("table", |keys| keys.table.is_some(), &[ROUND_ROBIN]),
    ("seeding", |keys| keys.seeding.is_some(), &[KNOCKOUT, DOUBLE_KNOCKOUT]),
    ("seeds", |keys| keys.seeds.is_some(), &[KNOCKOUT, DOUBLE_KNOCKOUT]),
    ("tie-breaks", |keys| keys.tie_breaks.is_some(), &[ROUND_ROBIN, SWISS]),
    ("stop", |keys| keys.stop.is_some(), &[ROUND_ROBIN, GAUNTLET, LADDER]),
];

impl Keys {
    /// The name and version of the ruleset.
    pub(crate) fn ruleset(&self) -> &str {
        self.ruleset.as_deref().unwrap_or(arena_wire::GAMES[0].ruleset)
    }

    /// The game, if this release has it. The full id is required: a definition must keep its meaning when a new version
    /// of a game is released.
    pub(crate) fn game(&self) -> Option<&'static Game> {
        arena_wire::GAMES.iter().find(|game| game.ruleset == self.ruleset())
    }

    /// The keys of a definition whose entrants are in their order already.
    pub(crate) fn sorted(self) -> Keys {
        Keys { seeds: None, seeding: self.seeding.filter(|seeding| seeding != BY_RATING), ..self }
    }

    /// The format of these keys for a number of entrants. Without a name it is a round robin.
    pub(crate) fn spec(&self, entrants: usize) -> Result<FormatSpec, DefinitionError> {
        if !(ENTRANTS_MIN..=ENTRANTS_MAX).contains(&entrants) {
            return wrong(None, "entrants", Problem::Entrants { given: entrants });
        }
        let name = self.format.as_deref().unwrap_or(ROUND_ROBIN);
        self.check_own(name)?;
        let number = |key: Option<u32>, field: &'static str, usual: u32, most: u32| match key {
            None => Ok(usual),
            Some(given) => within(field, given.into(), 1, most.into()).map(|()| given),
        };
        let pairs = |usual| number(self.pairs, "pairs", usual, PAIRS_MAX);
        let stop = || self.stop.as_ref().map(|stop| stopped(stop, entrants)).transpose();
        // A field has pairs that break ties if its game has such cages, unless it says otherwise.
        let no_pairs = self.pairs.map_or(self.game().is_some_and(|game| !game.cages), |pairs| pairs == 0);
        let spec = match name {
            ROUND_ROBIN => FormatSpec::RoundRobin {
                pairs: pairs(PAIRS_EACH)?,
                cycles: number(self.cycles, "cycles", 1, CYCLES_MAX)?,
                table: self.table()?,
                tie_breaks: self.tie_breaks(TieBreaks::default())?,
                stop: stop()?,
            },
            GAUNTLET => FormatSpec::Gauntlet { pairs: pairs(PAIRS_GAUNTLET)?, stop: stop()? },
            SWISS => FormatSpec::Swiss {
                pairs: pairs(PAIRS_ROUNDS)?,
                // There are no more rounds without a rematch; an odd number of entrants has a bye in each.
                rounds: {
                    let most = ROUNDS_MAX.min(u32::try_from(entrants - 1 + entrants % 2).unwrap_or(u32::MAX));
                    number(self.rounds, "rounds", usual_rounds(entrants).min(most), most)?
                },
                tie_breaks: self.tie_breaks(TieBreaks::new(&TieBreak::ALL).unwrap_or_default())?,
            },
            KNOCKOUT | DOUBLE_KNOCKOUT => FormatSpec::Knockout {
                lives: if name == KNOCKOUT { Lives::One } else { Lives::Two },
                pairs: pairs(PAIRS_ROUNDS)?,
                further_pairs: number(self.further_pairs, "further-pairs", FURTHER_PAIRS, PAIRS_MAX)?,
                seeding: self.seeding()?,
            },
            LADDER => {
                let stop = stop()?;
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
            other => return wrong(None, "format", Problem::Format { given: other.into() }),
        };
        match spec.entrants_max() {
            most if entrants > most => {
                wrong(None, "entrants", Problem::TooMany { most, format: name.into(), given: entrants })
            }
            _ => Ok(spec),
        }
    }

    /// Refuses keys of other formats.
    fn check_own(&self, name: &str) -> Result<(), DefinitionError> {
        let is_known = OWN.iter().any(|(_, _, formats)| formats.contains(&name));
        for (field, is_there, formats) in OWN {
            if is_there(self) && is_known && !formats.contains(&name) {
                return wrong(None, field, Problem::OtherFormat { of: formats, format: name.into() });
            }
        }
        Ok(())
    }

    fn table(&self) -> Result<Table, DefinitionError> {
        match self.table.as_deref() {
            None | Some("circle") => Ok(Table::Circle),
            Some("berger") => Ok(Table::Berger),
            Some(given) => wrong(None, "table", Problem::Word { known: ["circle", "berger"], given: given.into() }),
        }
    }

    /// Seeding by rating becomes `Given`, once the entrants are in the order of their ratings.
    fn seeding(&self) -> Result<Seeding, DefinitionError> {
        match self.seeding.as_deref() {
            None | Some("given" | BY_RATING) => Ok(Seeding::Given),
            Some("draw") => Ok(Seeding::Draw),
            Some(given) => wrong(None, "seeding", Problem::Seeding { given: given.into() }),
        }
    }

    fn tie_breaks(&self, usual: TieBreaks) -> Result<TieBreaks, DefinitionError> {
        let Some(words) = &self.tie_breaks else { return Ok(usual) };
        let known = |word: &String| TieBreak::ALL.into_iter().find(|one| one.name() == word);
        let found: Option<Vec<TieBreak>> = words.iter().map(known).collect();
        match found.and_then(|found| TieBreaks::new(&found)) {
            Some(tie_breaks) => Ok(tie_breaks),
            None => wrong(None, "tie-breaks", Problem::TieBreaks { given: words.clone() }),
        }
    }

    /// The keys of a complete definition. Optional parts of a round robin are only written if they are used.
    pub(crate) fn of(spec: FormatSpec) -> Keys {
        let named = Keys { format: Some(spec.name().into()), ..Keys::default() };
        match spec {
            FormatSpec::RoundRobin { pairs, cycles, table, tie_breaks, stop } => Keys {
                pairs: Some(pairs),
                cycles: (cycles > 1).then_some(cycles),
                table: (table == Table::Berger).then(|| "berger".into()),
                tie_breaks: (tie_breaks != TieBreaks::default()).then(|| names(tie_breaks)),
                stop: stop.map(written),
                ..named
            },
            FormatSpec::Gauntlet { pairs, stop } => Keys { pairs: Some(pairs), stop: stop.map(written), ..named },
            FormatSpec::Swiss { pairs, rounds, tie_breaks } => {
                Keys { pairs: Some(pairs), rounds: Some(rounds), tie_breaks: Some(names(tie_breaks)), ..named }
            }
            FormatSpec::Knockout { pairs, further_pairs, seeding, .. } => Keys {
                pairs: Some(pairs),
                further_pairs: Some(further_pairs),
                seeding: Some(if seeding == Seeding::Draw { "draw" } else { "given" }.into()),
                ..named
            },
            FormatSpec::Ladder { rounds, stop } => Keys { rounds: Some(rounds), stop: stop.map(written), ..named },
            FormatSpec::Field { games, pairs } => Keys { games: Some(games), pairs: Some(pairs), ..named },
        }
    }
}

/// The usual number of rounds: those that leave one entrant unbeaten, and two more to sort out the others.
fn usual_rounds(entrants: usize) -> u32 {
    entrants.max(2).next_power_of_two().ilog2() + ROUNDS_MORE
}

fn stopped(stop: &WrittenStop, entrants: usize) -> Result<Stop, DefinitionError> {
    let most = u32::try_from(entrants).unwrap_or(u32::MAX);
    let WrittenStop { top, confidence, within: aim, max_pairs } = *stop;
    if top.is_none() && (aim.is_none() || confidence.is_some()) {
        return wrong(None, "stop", Problem::NoGoal);
    }
    if let Some(given) = top.filter(|top| !(1..=most).contains(top)) {
        return wrong(None, "stop.top", Problem::Places { most, given });
    }
    let per_mille = confidence.map_or(f64::from(CONFIDENCE_PER_MILLE), |confidence| confidence * 1_000.0);
    let (least, sure) = (f64::from(CONFIDENCE_PER_MILLE_MIN), f64::from(CONFIDENCE_PER_MILLE_MAX));
    if !(least..=sure).contains(&per_mille) || (per_mille - libm::round(per_mille)).abs() > 1e-6 {
        let given = confidence.unwrap_or_default().to_string();
        return wrong(None, "stop.confidence", Problem::Confidence { given });
    }
    if let Some(given) = aim {
        within("stop.within", given.into(), STOP_WITHIN_MIN.into(), STOP_WITHIN_MAX.into())?;
    }
    within("stop.max-pairs", max_pairs.into(), 1, STOP_PAIRS_MAX.into())?;
    let confidence_per_mille = libm::round(per_mille) as u32;
    Ok(Stop { top: top.unwrap_or(0), confidence_per_mille, within: aim, max_pairs })
}

fn names(tie_breaks: TieBreaks) -> Vec<String> {
    tie_breaks.iter().map(|one| one.name().into()).collect()
}

fn written(stop: Stop) -> WrittenStop {
    let Stop { top, confidence_per_mille, within, max_pairs } = stop;
    let top = (top > 0).then_some(top);
    let confidence = top.map(|_| f64::from(confidence_per_mille) / 1_000.0);
    WrittenStop { top, confidence, within, max_pairs }
}
