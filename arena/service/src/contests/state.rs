//! The state of a tournament, as a pure fold over its log. The same function says what may happen next.

use std::collections::{BTreeMap, BTreeSet};

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{EntrantId, Said};
use arena_store::{AccountId, BotId, ContestError};
use arena_tournaments::{Commitment, Definition, EntrantSpec, Secret, Source};
use serde::{Deserialize, Serialize};

use super::terms::{ContestTerms, Started};
use crate::cores::Core;
use crate::limits::{BOTS_PER_OWNER_MAX, CONTEST_ENTRIES_MAX, CONTEST_ENTRIES_OF_BOT_MAX};

/// Who may enter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "snake_case", deny_unknown_fields)]
pub enum Admission {
    /// Only those that the owner names at the start.
    Named,
    /// Everybody.
    Open,
    /// These accounts, and the owner.
    Invited {
        /// By their numbers.
        accounts: Vec<i64>,
    },
}

/// Who may enter, how many, and until when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Who may.
    pub admission: Admission,
    /// Entry closes at this many entrants, those with reserved seats among them.
    pub places: u32,
    /// Entry closes at this time at the latest, in seconds since 1970.
    pub until: Option<i64>,
    /// Whether bots may enter between rounds after the start, while there are places. Then each round has a seed of its
    /// own.
    #[serde(default, skip_serializing_if = "ends_at_start")]
    pub late: bool,
}

fn ends_at_start(late: &bool) -> bool {
    !late
}

/// A bot that has entered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The bot's number.
    pub bot: i64,
    /// The version that plays.
    pub version: u32,
    /// The hash of that version's bytes.
    pub id: EntrantId,
    /// What it has in common with bots that count as the same. Logs of before this was kept do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<Core>,
    /// Its owner's account.
    pub account: i64,
}

impl Entrant {
    /// Whether it counts as the same bot as another, under whatever name.
    pub(super) fn is_same(&self, other: &Entrant) -> bool {
        self.id == other.id || self.core.is_some() && self.core == other.core
    }
}

/// A place in the order of a field. In a gauntlet the first meets all others; a ladder starts in this order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// An opponent that comes with the arena, by name.
    Reserved(String),
    /// A bot, by its number.
    Bot(i64),
}

/// Who did something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The account that started the tournament.
    Owner,
    /// The author of the bot.
    Author,
    /// The arena, by its rules.
    Arena,
    /// The operator of the site.
    Operator,
}

impl By {
    /// How pages call it.
    pub fn word(self) -> &'static str {
        match self {
            By::Owner => "the organiser",
            By::Author => "its author",
            By::Arena => "the arena",
            By::Operator => "the operator",
        }
    }
}

/// A line of a tournament's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// It was opened.
    Opened {
        /// What it plays by.
        terms: String,
        /// Who may enter.
        entry: Entry,
        /// Opponents that come with the arena and have a seat, by name.
        reserved: Vec<String>,
        /// Bots that are in from the start.
        entrants: Vec<Entrant>,
        /// The order of both. Later entries are added at the end.
        order: Vec<Place>,
        /// The hash of the secret that the seed will be drawn with.
        commitment: Commitment,
        /// Whether the operator started it for its account.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_operator: bool,
    },
    /// A bot entered.
    Entered(Entrant),
    /// A bot was taken out.
    Withdrawn {
        /// The bot's number.
        bot: i64,
        /// By whom.
        by: By,
        /// The reason: what its author or the tournament's owner wrote, or a sentence of the arena.
        reason: Said,
    },
    /// The owner closed entry before its time.
    Closed,
    /// The field was frozen, and with it the secret revealed.
    Frozen {
        /// The complete definition, with the seed and what it was drawn from.
        definition: String,
        /// The bots' names in the definition, by the bot's number.
        names: Vec<(i64, String)>,
    },
    /// The entrants of a later round were frozen, and with it its secret revealed.
    Drawn {
        /// The round, from 0.
        round: usize,
        /// The secret that its seed is drawn with.
        secret: Secret,
        /// The names, in the tournament, of the bots that play from this round on, by the bot's number.
        names: Vec<(i64, String)>,
    },
    /// It was cancelled.
    Cancelled {
        /// By whom.
        by: By,
        /// Why.
        reason: Said,
    },
    /// All games are played.
    Finished {
        /// How many.
        games: u32,
    },
}

/// The stage of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Bots may enter, or it is about to begin.
    Entry,
    /// It is being played.
    Playing {
        /// By this definition.
        definition: String,
    },
    /// All games are played.
    Finished {
        /// By this definition.
        definition: String,
        /// How many.
        games: u32,
    },
    /// It ended without final standings.
    Cancelled {
        /// By whom.
        by: By,
        /// Why.
        reason: Said,
    },
}

/// The state of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct ContestState {
    /// What it plays by.
    pub terms: ContestTerms,
    /// Who may enter.
    pub entry: Entry,
    /// Opponents that come with the arena, by name.
    pub reserved: Vec<String>,
    /// The hash of its secret.
    pub commitment: Commitment,
    /// Bots that entered, with why they were taken out, if they were.
    pub entrants: Vec<(Entrant, Option<Said>)>,
    /// The order of the entrants that are in from the start.
    order: Vec<Place>,
    /// How often each bot entered, by its number.
    entered: BTreeMap<i64, usize>,
    /// The bots' names in the frozen definition, by the bot's number.
    pub names: Vec<(i64, String)>,
    /// Whether the owner closed entry before its time.
    pub was_closed: bool,
    /// The last round, from 0, whose entrants are frozen.
    pub drawn: usize,
    /// The last round, from 0, before which bots may enter. Known once a tournament with late entry has started.
    last_entry: Option<usize>,
    /// Its stage.
    pub stage: Stage,
}

/// Why something cannot happen in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The log does not begin with an opening.
    #[error("a tournament begins when it is opened")]
    NotOpened,
    /// The field is frozen or full, or the date has passed.
    #[error("entry is closed")]
    Closed,
    /// Entry is open to others only.
    #[error("entry is by invitation of the organiser")]
    NotInvited,
    /// The bot is in already.
    #[error("this bot has already entered")]
    Twice,
    /// A bot that counts as the same is in already.
    #[error("the same bot has already entered under another name: equal bots enter once")]
    SameBot,
    /// The account has as many bots in as allowed.
    #[error("an account enters at most {BOTS_PER_OWNER_MAX} bots")]
    TooManyOfAccount,
    /// The bot came and went as often as allowed.
    #[error("a bot enters a tournament at most {CONTEST_ENTRIES_OF_BOT_MAX} times")]
    TooOften,
    /// Too many bots came and went: the rest of the log is reserved for those that are in.
    #[error("entry is closed: bots entered this tournament {CONTEST_ENTRIES_MAX} times")]
    TooManyEntries,
    /// The bot is not in.
    #[error("this bot has not entered, or was already withdrawn")]
    NotIn,
    /// The tournament is over.
    #[error("this tournament is over")]
    Over,
    /// The field is not the one that the definition was drawn for.
    #[error("the field has changed")]
    OtherField,
    /// The tournament is at another stage.
    #[error("this tournament is not at the right stage for that")]
    OtherStage,
}

impl Refused for Illegal {
    fn refusal(&self) -> Refusal {
        match self {
            Illegal::NotOpened
            | Illegal::Closed
            | Illegal::TooOften
            | Illegal::TooManyEntries
            | Illegal::OtherField
            | Illegal::OtherStage => Kind::Conflict.says("closed", "the tournament's page shows its stage"),
            Illegal::NotInvited => Kind::Forbidden.says("not_invited", "ask the organiser"),
            Illegal::Twice | Illegal::SameBot => Kind::Conflict.says("twice", "enter another bot"),
            Illegal::TooManyOfAccount => Kind::Conflict.says("too_many_bots", "take one of yours out first"),
            Illegal::NotIn => Kind::Conflict.says("not_in", "the tournament's page says who takes part"),
            Illegal::Over => ContestError::Over.refusal(),
        }
    }
}

impl ContestState {
    /// The state after the first event.
    fn opened(event: &Event) -> Result<ContestState, Illegal> {
        let Event::Opened { terms, entry, reserved, entrants, order, commitment, by_operator } = event else {
            return Err(Illegal::NotOpened);
        };
        let started = if *by_operator { Started::ByOperator } else { Started::ByAccount };
        let mut state = ContestState {
            terms: ContestTerms::stored(terms, started).ok_or(Illegal::NotOpened)?,
            entry: entry.clone(),
            reserved: reserved.clone(),
            commitment: *commitment,
            entrants: Vec::new(),
            order: order.clone(),
            entered: BTreeMap::new(),
            names: Vec::new(),
            was_closed: false,
            drawn: 0,
            last_entry: None,
            stage: Stage::Entry,
        };
        for entrant in entrants {
            state.check_twice(entrant)?;
            state.entrants.push((entrant.clone(), None));
        }
        Ok(state)
    }

    /// The state after a log, whose events come with their times, in seconds since 1970.
    ///
    /// # Errors
    /// When it is not the log of a tournament.
    pub fn of<'a>(mut events: impl Iterator<Item = (i64, &'a Event)>) -> Result<ContestState, Illegal> {
        let (_, first) = events.next().ok_or(Illegal::NotOpened)?;
        events.try_fold(ContestState::opened(first)?, |state, (at, event)| state.after(event, at))
    }

    /// The tournament after an event that comes `at`.
    ///
    /// # Errors
    /// When it is not allowed then.
    pub fn after(mut self, event: &Event, at: i64) -> Result<ContestState, Illegal> {
        if self.is_over() {
            return Err(Illegal::Over);
        }
        match event {
            Event::Opened { .. } => return Err(Illegal::OtherStage),
            Event::Entered(entrant) => {
                self.check_entry(entrant, at)?;
                // A bot that enters again replaces its old entry.
                self.entrants.retain(|(known, _)| known.bot != entrant.bot);
                self.entrants.push((entrant.clone(), None));
                *self.entered.entry(entrant.bot).or_default() += 1;
            }
            Event::Withdrawn { bot, by, reason } => {
                if *by == By::Author && !self.is_outside(*bot) {
                    return Err(Illegal::Closed);
                }
                let place = self.entrants.iter_mut().find(|(known, out)| known.bot == *bot && out.is_none());
                place.ok_or(Illegal::NotIn)?.1 = Some(reason.clone());
            }
            Event::Closed => {
                if self.stage != Stage::Entry || self.was_closed {
                    return Err(Illegal::OtherStage);
                }
                self.was_closed = true;
            }
            Event::Frozen { definition, names } => {
                if self.stage != Stage::Entry {
                    return Err(Illegal::OtherStage);
                }
                // The definition is for another field: an entrant was taken out while it was drawn.
                let named: BTreeSet<i64> = names.iter().map(|(bot, _)| *bot).collect();
                if named.len() != names.len() || named != self.playing().map(|entrant| entrant.bot).collect() {
                    return Err(Illegal::OtherField);
                }
                // Bots taken out before the start were never in it.
                self.entrants.retain(|(_, out)| out.is_none());
                self.names = names.clone();
                self.last_entry = Some(definition).filter(|_| self.entry.late).and_then(|text| last_entry(text));
                self.stage = Stage::Playing { definition: definition.clone() };
            }
            Event::Drawn { round, names, .. } => {
                let is_due = self.last_entry.is_some() && *round == self.drawn + 1;
                if !matches!(self.stage, Stage::Playing { .. }) || !is_due {
                    return Err(Illegal::OtherStage);
                }
                let named: BTreeSet<i64> = names.iter().map(|(bot, _)| *bot).collect();
                if named.len() != names.len() || named != self.pending().map(|entrant| entrant.bot).collect() {
                    return Err(Illegal::OtherField);
                }
                self.names.extend(names.iter().cloned());
                // Bots that left before their first round were never in it.
                let known: BTreeSet<i64> = self.names.iter().map(|(bot, _)| *bot).collect();
                self.entrants.retain(|(entrant, _)| known.contains(&entrant.bot));
                self.drawn = *round;
            }
            Event::Cancelled { by, reason } => {
                self.stage = Stage::Cancelled { by: *by, reason: reason.clone() };
            }
            Event::Finished { games } => {
                let Stage::Playing { definition } = &self.stage else { return Err(Illegal::OtherStage) };
                self.stage = Stage::Finished { definition: definition.clone(), games: *games };
            }
        }
        Ok(self)
    }

    /// Whether the tournament is over.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Finished { .. } | Stage::Cancelled { .. })
    }

    /// Bots that are in.
    pub fn playing(&self) -> impl Iterator<Item = &Entrant> {
        self.entrants.iter().filter(|(_, out)| out.is_none()).map(|(entrant, _)| entrant)
    }

    /// Bots that entered after the start and play from the next round on.
    pub fn pending(&self) -> impl Iterator<Item = &Entrant> {
        self.playing().filter(|entrant| self.is_outside(entrant.bot))
    }

    /// Whether a bot is outside the frozen field, so that its author may take it out.
    pub fn is_outside(&self, bot: i64) -> bool {
        match self.stage {
            Stage::Entry => true,
            _ => !self.names.iter().any(|(known, _)| *known == bot),
        }
    }

    /// The field: the entrants that are in, in order.
    pub(crate) fn field(&self) -> Vec<Place> {
        let is_in = |place: &Place| match place {
            Place::Reserved(_) => true,
            Place::Bot(bot) => self.playing().any(|entrant| entrant.bot == *bot),
        };
        let first = self.order.iter().filter(|place| is_in(place)).cloned();
        let others = self.playing().map(|entrant| Place::Bot(entrant.bot));
        first.chain(others.filter(|place| !self.order.contains(place))).collect()
    }

    /// How many are in, those with reserved seats among them.
    pub fn count(&self) -> usize {
        self.playing().count() + self.reserved.len()
    }

    /// Whether entry is closed at a moment, in seconds since 1970. It may open again, because places can become free
    /// between rounds.
    pub fn is_closed(&self, at: i64) -> bool {
        let is_late = self.entry.until.is_some_and(|until| at >= until);
        let is_full = self.count() >= self.entry.places as usize;
        match self.stage {
            Stage::Entry => self.was_closed || self.entry.admission == Admission::Named || is_late || is_full,
            Stage::Playing { .. } => is_full || self.last_entry.is_none_or(|last| self.drawn >= last),
            Stage::Finished { .. } | Stage::Cancelled { .. } => true,
        }
    }

    /// Whether an account may enter bots.
    pub fn admits(&self, account: AccountId, owner: AccountId) -> bool {
        match &self.entry.admission {
            Admission::Named => false,
            Admission::Open => true,
            Admission::Invited { accounts } => account == owner || accounts.contains(&account.0),
        }
    }

    fn check_entry(&self, entrant: &Entrant, at: i64) -> Result<(), Illegal> {
        if self.is_closed(at) {
            return Err(Illegal::Closed);
        }
        self.check_twice(entrant)?;
        if self.entered.get(&entrant.bot).is_some_and(|times| *times >= CONTEST_ENTRIES_OF_BOT_MAX) {
            return Err(Illegal::TooOften);
        }
        if self.entered.values().sum::<usize>() >= CONTEST_ENTRIES_MAX {
            return Err(Illegal::TooManyEntries);
        }
        let own = self.playing().filter(|known| known.account == entrant.account).count();
        if own >= BOTS_PER_OWNER_MAX { Err(Illegal::TooManyOfAccount) } else { Ok(()) }
    }

    fn check_twice(&self, entrant: &Entrant) -> Result<(), Illegal> {
        // A bot taken out of the frozen field still has games in it.
        let there = || {
            let in_field = |bot: i64| self.names.iter().any(|(known, _)| *known == bot);
            let there = self.entrants.iter().filter(move |(known, out)| out.is_none() || in_field(known.bot));
            there.map(|(known, _)| known)
        };
        if there().any(|known| known.bot == entrant.bot) {
            return Err(Illegal::Twice);
        }
        if there().any(|known| known.is_same(entrant)) { Err(Illegal::SameBot) } else { Ok(()) }
    }

    /// The bot with this name in the frozen definition.
    pub fn bot_named(&self, name: &str) -> Option<BotId> {
        self.names.iter().find(|(_, known)| known == name).map(|(bot, _)| BotId(*bot))
    }

    /// Names of entrants that were taken out after the start, each with why.
    pub(crate) fn taken_out(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().filter_map(|(bot, name)| {
            let (_, out) = self.entrants.iter().find(|(entrant, _)| entrant.bot == *bot)?;
            Some((name.as_str(), out.as_ref()?.english()))
        })
    }
}

/// The last round of a definition before which one may enter.
fn last_entry(definition: &str) -> Option<usize> {
    Definition::parse(definition).ok()?.to_format().ok()?.last_entry()
}

/// A bot's source in a definition. The definition is published, so the file is named by its hash.
pub(crate) fn spec(name: &str, id: &EntrantId) -> EntrantSpec {
    let source = Source::File(format!("{}.wasm", id.hash().unwrap_or_default()));
    EntrantSpec { name: name.into(), display: None, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;

    fn entrant(bot: i64, account: i64) -> Entrant {
        let bytes = bot.to_le_bytes();
        Entrant { bot, version: 1, id: EntrantId::of_bytes(&bytes), core: Some(core(&bytes)), account }
    }

    fn opened(admission: Admission, places: u32, until: Option<i64>) -> Event {
        Event::Opened {
            terms: "name = \"cup\"\n".into(),
            entry: Entry { admission, places, until, late: false },
            reserved: vec!["easy".into()],
            entrants: vec![entrant(1, 1)],
            order: vec![Place::Bot(1), Place::Reserved("easy".into())],
            commitment: Secret([7; 32]).commitment(),
            by_operator: false,
        }
    }

    fn start(admission: Admission, places: u32, until: Option<i64>) -> ContestState {
        ContestState::of([(0, &opened(admission, places, until))].into_iter()).expect("opened")
    }

    fn enter(state: &ContestState, entrant: Entrant, at: i64) -> Result<ContestState, Illegal> {
        state.clone().after(&Event::Entered(entrant), at)
    }

    #[test]
    fn entry_closes_at_its_date_and_when_it_is_full_and_equal_bots_enter_once() {
        let state = start(Admission::Open, 4, Some(100));
        assert_eq!(enter(&state, entrant(2, 2), 100), Err(Illegal::Closed));
        assert_eq!(enter(&state, entrant(1, 1), 0), Err(Illegal::Twice));
        let same = Entrant { core: entrant(1, 1).core, ..entrant(2, 2) };
        assert_eq!(enter(&state, same, 0), Err(Illegal::SameBot), "whatever its bytes");
        let state = enter(&state, entrant(2, 2), 99).expect("in time");
        let full = enter(&state, entrant(3, 3), 99).expect("the last place");
        assert_eq!(enter(&full, entrant(4, 4), 0), Err(Illegal::Closed));
        let named = start(Admission::Named, 4, None);
        assert_eq!(enter(&named, entrant(2, 2), 0), Err(Illegal::Closed));
        let many = (2..=3).try_fold(start(Admission::Open, 9, None), |state, bot| enter(&state, entrant(bot, 1), 0));
        assert_eq!(enter(&many.expect("three"), entrant(4, 1), 0), Err(Illegal::TooManyOfAccount));
    }

    #[test]
    fn a_log_without_what_bots_have_in_common_is_read_and_the_bytes_decide() {
        let line = r#"{"event":"entered","bot":2,"version":1,
            "id":"sha256:d86e8112f3c4c4442126f8e9f44f16867da487f29052bf91b810457db34209a4","account":2}"#;
        let event: Event = serde_json::from_str(line).expect("a line of before");
        let state = start(Admission::Open, 9, None).after(&event, 0).expect("entered");
        let same = Entrant { bot: 3, ..entrant(2, 3) };
        assert_eq!(enter(&state, same.clone(), 0), Err(Illegal::SameBot));
        let nobodys = Entrant { core: None, ..entrant(3, 3) };
        let state = enter(&state, nobodys, 0).expect("two of which nothing is known but their bytes");
        let line = serde_json::to_string(&Event::Entered(same)).expect("text");
        assert!(line.contains(r#""core":""#), "{line}");
        assert!(enter(&state, entrant(4, 4), 0).is_ok());
    }

    #[test]
    fn who_was_taken_out_may_come_back_before_the_start_and_nothing_happens_after_the_end() {
        let state = start(Admission::Open, 4, None);
        let out = Event::Withdrawn { bot: 1, by: By::Owner, reason: "late".into() };
        let state = state.after(&out, 0).expect("it is in");
        assert_eq!(state.clone().after(&out, 0), Err(Illegal::NotIn));
        let state = enter(&state, entrant(1, 1), 0).expect("again");
        let state = enter(&state, entrant(2, 2), 0).expect("another");
        assert_eq!(state.count(), 3);
        assert_eq!(state.field(), [Place::Bot(1), Place::Reserved("easy".into()), Place::Bot(2)]);
        let frozen = Event::Frozen { definition: "x".into(), names: vec![(1, "one".into()), (2, "two".into())] };
        let state = state.after(&frozen, 0).expect("frozen");
        assert_eq!(enter(&state, entrant(3, 3), 0), Err(Illegal::Closed));
        let out = Event::Withdrawn { bot: 2, by: By::Owner, reason: "it cheats".into() };
        let state = state.after(&out, 0).expect("it is in");
        assert_eq!(state.taken_out().collect::<Vec<_>>(), [("two", "it cheats")]);
        let ended = state.after(&Event::Finished { games: 9 }, 0).expect("played");
        for event in [out, frozen, Event::Cancelled { by: By::Owner, reason: "no".into() }] {
            assert_eq!(ended.clone().after(&event, 0), Err(Illegal::Over));
        }
    }

    #[test]
    fn a_log_that_took_all_entries_has_room_for_its_end() {
        let mut state = start(Admission::Open, 64, None);
        let mut events = 1;
        let out = |bot| Event::Withdrawn { bot, by: By::Author, reason: "r".into() };
        for _ in 0..CONTEST_ENTRIES_OF_BOT_MAX {
            state = enter(&state, entrant(2, 2), 0).expect("a few times").after(&out(2), 0).expect("it is in");
            events += 2;
        }
        assert_eq!(enter(&state, entrant(2, 2), 0), Err(Illegal::TooOften));
        let refused = (3..).find_map(|bot| {
            let entered = match enter(&state, entrant(bot, bot), 0) {
                Ok(entered) => entered,
                Err(refused) => return Some(refused),
            };
            state = entered.after(&out(bot), 0).expect("it is in");
            events += 2;
            None
        });
        assert_eq!(refused, Some(Illegal::TooManyEntries));
        // Closed, frozen, drawn and finished; besides, everybody who was in from the start may be taken out.
        assert!(
            events + crate::limits::CONTEST_ENTRANTS_MAX + arena_tournaments::limits::ROUNDS_MAX as usize + 3
                <= arena_store::CONTEST_EVENTS_MAX as usize,
            "{events}"
        );
    }

    #[test]
    fn nobody_leaves_a_field_while_it_is_drawn() {
        let state = enter(&start(Admission::Open, 4, None), entrant(2, 2), 0).expect("in");
        let frozen = Event::Frozen { definition: "x".into(), names: vec![(1, "one".into()), (2, "two".into())] };
        let out = Event::Withdrawn { bot: 2, by: By::Author, reason: "r".into() };
        let without = state.clone().after(&out, 0).expect("entry is open");
        assert_eq!(without.after(&frozen, 0), Err(Illegal::OtherField));
        assert_eq!(state.after(&frozen, 0).expect("all are named").after(&out, 0), Err(Illegal::Closed));
    }

    #[test]
    fn a_tournament_that_is_entered_late_takes_bots_between_rounds_until_its_last_one_is_drawn() {
        let mut state = start(Admission::Open, 4, None);
        state.entry.late = true;
        let definition = "name = \"cup\"\nseed = 1\nformat = \"swiss\"\nrounds = 3\npairs = 1\n".to_owned()
            + &["a", "b", "c", "d"]
                .map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"easy\"\n"))
                .concat();
        let state = enter(&state, entrant(2, 2), 0).expect("a place is free");
        let frozen = Event::Frozen { definition, names: vec![(1, "one".into()), (2, "two".into())] };
        let state = state.after(&frozen, 0).expect("frozen");
        let late = enter(&state, entrant(3, 3), 0).expect("one place is left");
        assert_eq!(late.pending().map(|entrant| entrant.bot).collect::<Vec<_>>(), [3]);
        assert_eq!(enter(&late, entrant(4, 4), 0), Err(Illegal::Closed), "it is full");
        let drawn = |round, names: &[i64]| {
            let names = names.iter().map(|bot| (*bot, format!("bot-{bot}"))).collect();
            Event::Drawn { round, secret: Secret([1; 32]), names }
        };
        assert_eq!(late.clone().after(&drawn(1, &[]), 0), Err(Illegal::OtherField));
        assert_eq!(late.clone().after(&drawn(2, &[3]), 0), Err(Illegal::OtherStage));
        let out = |bot, by| Event::Withdrawn { bot, by, reason: "r".into() };
        assert_eq!(late.clone().after(&out(2, By::Author), 0), Err(Illegal::Closed), "it plays");
        let gone = late.clone().after(&out(3, By::Author), 0).expect("it does not play yet");
        let without = gone.clone().after(&drawn(1, &[]), 0).expect("nobody is new");
        assert_eq!(without.entrants.len(), 2);
        let again = enter(&gone, entrant(3, 3), 0).expect("it comes back");
        let second = again.after(&drawn(1, &[3]), 0).expect("drawn");
        let out_of_it = second.clone().after(&out(3, By::Owner), 0).expect("it plays");
        assert_eq!(out_of_it.taken_out().collect::<Vec<_>>(), [("bot-3", "r")]);
        assert_eq!(enter(&out_of_it, entrant(3, 3), 0), Err(Illegal::Twice), "its games stay");
        let last = out_of_it.after(&drawn(2, &[]), 0).expect("drawn");
        assert_eq!(enter(&last, entrant(5, 5), 0), Err(Illegal::Closed), "no round follows");
    }

    #[test]
    fn every_event_is_read_as_it_was_written() {
        for event in [
            opened(Admission::Invited { accounts: vec![3] }, 8, Some(9)),
            Event::Entered(entrant(5, 6)),
            Event::Closed,
            Event::Withdrawn { bot: 5, by: By::Author, reason: "r".into() },
            Event::Frozen { definition: "d".into(), names: vec![(5, "five".into())] },
            Event::Drawn { round: 2, secret: Secret([3; 32]), names: vec![(6, "six".into())] },
            Event::Cancelled { by: By::Arena, reason: "r".into() },
            Event::Finished { games: 3 },
        ] {
            let text = serde_json::to_string(&event).expect("plain values");
            assert_eq!(serde_json::from_str::<Event>(&text).expect("its own text"), event, "{text}");
        }
    }
}
