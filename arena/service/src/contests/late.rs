//! Bots that come at any moment of a tournament, drawn by lot: before, at and after the end of entry, while it is full,
//! after its start, between its rounds and after its end. Each is taken, or refused for the reason that holds then.
//! `cargo xtask repeats` draws more of them.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::EntrantId;
use arena_rules::Rng;
use arena_store::AccountId;
use arena_tournaments::Secret;

use super::state::{Admission, By, ContestState, Entrant, Entry, Event, Illegal};
use crate::cores::core;
use crate::limits::{BOTS_PER_OWNER_MAX, CONTEST_ENTRIES_OF_BOT_MAX};

/// Tournaments that the gate draws, and what happens in each.
const TOURNAMENTS: u64 = 500;
const EVENTS: u32 = 40;
/// Bots and accounts that come; every account has several bots, and the last two bots have the same bytes.
const BOTS: u32 = 12;
const ACCOUNTS: i64 = 3;
/// Rounds of the tournaments that are entered late.
const ROUNDS: usize = 4;

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().expect("a number"))
}

fn entrant(bot: i64) -> Entrant {
    let core = core(&bot.min(i64::from(BOTS) - 2).to_le_bytes());
    Entrant { bot, version: 1, id: EntrantId::of_bytes(&bot.to_le_bytes()), core: Some(core), account: bot % ACCOUNTS }
}

/// What is known of a tournament without asking it.
struct Known {
    entry: Entry,
    /// Bots that are in.
    within: BTreeSet<i64>,
    /// Bots in the frozen field, of which some may have been taken out.
    field: BTreeSet<i64>,
    times: BTreeMap<i64, usize>,
    was_closed: bool,
    has_begun: bool,
    is_over: bool,
    drawn: usize,
}

impl Known {
    /// Why a bot is not taken at a moment.
    fn refusal(&self, bot: i64, at: i64) -> Option<Illegal> {
        let is_full = self.within.len() >= self.entry.places as usize;
        // Before the last round is drawn there is still one to play in.
        let is_late = self.has_begun && (!self.entry.late || self.drawn >= ROUNDS - 1);
        let is_shut = !self.has_begun
            && (self.was_closed
                || self.entry.admission == Admission::Named
                || self.entry.until.is_some_and(|until| at >= until));
        let others: BTreeSet<i64> = self.within.union(&self.field).copied().collect();
        let own = self.within.iter().filter(|other| **other % ACCOUNTS == bot % ACCOUNTS).count();
        match () {
            () if self.is_over => Some(Illegal::Over),
            () if is_full || is_late || is_shut => Some(Illegal::Closed),
            () if others.contains(&bot) => Some(Illegal::Twice),
            () if others.iter().any(|other| entrant(*other).core == entrant(bot).core) => Some(Illegal::SameBot),
            () if self.times.get(&bot).is_some_and(|times| *times == CONTEST_ENTRIES_OF_BOT_MAX) => {
                Some(Illegal::TooOften)
            }
            () if own >= BOTS_PER_OWNER_MAX => Some(Illegal::TooManyOfAccount),
            () => None,
        }
    }
}

/// A tournament that is opened, and what is known of it.
fn opened(rng: &mut Rng) -> (ContestState, Known) {
    let accounts = (0..ACCOUNTS).filter(|_| rng.below(2) == 0).collect();
    let admission = match rng.below(6) {
        0 => Admission::Named,
        1 | 2 => Admission::Invited { accounts },
        _ => Admission::Open,
    };
    let until = (rng.below(2) == 0).then(|| i64::from(rng.below(60)));
    // Where nobody enters, nobody does so late.
    let late = admission != Admission::Named && rng.below(2) == 0;
    let entry = Entry { admission, places: 2 + rng.below(5), until, late };
    let event = Event::Opened {
        terms: "name = \"cup\"\n".into(),
        entry: entry.clone(),
        reserved: Vec::new(),
        entrants: Vec::new(),
        order: Vec::new(),
        commitment: Secret([7; 32]).commitment(),
        by_operator: false,
    };
    let state = ContestState::of([(0, &event)].into_iter()).expect("opened");
    let known = Known {
        entry,
        within: BTreeSet::new(),
        field: BTreeSet::new(),
        times: BTreeMap::new(),
        was_closed: false,
        has_begun: false,
        is_over: false,
        drawn: 0,
    };
    (state, known)
}

/// Something else that happens, where it may.
fn happens(state: &ContestState, known: &mut Known, rng: &mut Rng) -> Option<Event> {
    let names = |bots: &BTreeSet<i64>| bots.iter().map(|bot| (*bot, format!("bot-{bot}"))).collect::<Vec<_>>();
    let pending: BTreeSet<i64> = state.pending().map(|entrant| entrant.bot).collect();
    match rng.below(8) {
        0 if !known.has_begun && !known.was_closed => {
            known.was_closed = true;
            Some(Event::Closed)
        }
        1 if !known.has_begun => {
            (known.has_begun, known.field) = (true, known.within.clone());
            let rows = ["a", "b", "c", "d", "e", "f", "g", "h"]
                .map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"easy\"\n"));
            let head = "name = \"cup\"\nseed = 1\nformat = \"swiss\"\npairs = 1\n";
            let definition = format!("{head}rounds = {ROUNDS}\n{}", rows.concat());
            Some(Event::Frozen { definition, names: names(&known.within) })
        }
        2 | 3 if known.has_begun && known.entry.late && known.drawn < ROUNDS - 1 => {
            known.drawn += 1;
            known.field.extend(&pending);
            Some(Event::Drawn { round: known.drawn, secret: Secret([1; 32]), names: names(&pending) })
        }
        4 | 5 => {
            let bot = known.within.iter().copied().nth(rng.below(known.within.len().max(1) as u32) as usize)?;
            known.within.remove(&bot);
            Some(Event::Withdrawn { bot, by: By::Owner, reason: "a test".into() })
        }
        6 if rng.below(6) == 0 => {
            known.is_over = true;
            let cancelled = Event::Cancelled { by: By::Owner, reason: "a test".into() };
            Some(if known.has_begun && rng.below(2) == 0 { Event::Finished { games: 9 } } else { cancelled })
        }
        _ => None,
    }
}

#[test]
fn whenever_a_bot_comes_it_is_taken_or_told_why_not() {
    let (tournaments, seed) = (setting("ARENA_REPEATS", TOURNAMENTS), setting("ARENA_REPEAT_SEED", 1));
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..tournaments.max(TOURNAMENTS) {
        let mut rng = Rng::new(&key, number);
        let (mut state, mut known) = opened(&mut rng);
        let mut at = 0;
        for event in 0..EVENTS {
            // Often at the very second at which entry ends.
            at = match known.entry.until {
                Some(until) if at < until && rng.below(8) == 0 => until - i64::from(rng.below(2)),
                _ => at + i64::from(rng.below(3)),
            };
            let what = format!("tournament {number} of seed {seed}, event {event}, at {at}: {:?}", known.entry);
            let event = if known.is_over { None } else { happens(&state, &mut known, &mut rng) };
            if let Some(event) = event {
                state = state.after(&event, at).unwrap_or_else(|error| panic!("{what}: {error}"));
            }
            let bot = i64::from(rng.below(BOTS));
            let account = AccountId(bot % ACCOUNTS);
            let is_admitted = match &known.entry.admission {
                Admission::Named => false,
                Admission::Open => true,
                Admission::Invited { accounts } => account.0 == 0 || accounts.contains(&account.0),
            };
            assert_eq!(state.admits(account, AccountId(0)), is_admitted, "{what}: account {}", account.0);
            let (wanted, came) = (known.refusal(bot, at), state.clone().after(&Event::Entered(entrant(bot)), at));
            *seen.entry(format!("{wanted:?}")).or_default() += 1;
            assert_eq!(came.as_ref().err(), wanted.as_ref(), "{what}: bot {bot}");
            let is_closed = known.is_over || wanted == Some(Illegal::Closed);
            assert_eq!(state.is_closed(at), is_closed, "{what}: what its page says");
            if let Ok(after) = came.map_err(drop) {
                state = after;
                known.within.insert(bot);
                *known.times.entry(bot).or_default() += 1;
            }
        }
    }
    assert_eq!(seen.len(), 7, "each answer is seen: {seen:?}");
}
