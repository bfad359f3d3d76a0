//! The field and the definition of the next edition of a game.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arena_record::{Budgets, EntrantId};
use arena_runner::Contender;
use arena_store::{AccountId, PAGE_MAX, Page, Store, StoreError, UnixSeconds};
use arena_tournaments::{Definition, Draw, EntrantSpec, FormatSpec, Source, Standings, limits};
use arena_wire::{Game, Shape, UnknownGame};

use super::PastEdition;
use super::places::{Candidate, Choice, Merit, Out, choose};
use super::state::{LeftOut, Qualified, WhyOut};
use crate::cores::{Core, core};
use crate::limits::{EDITION_ANSWERS, EDITION_CELLS, EDITION_FUEL, ENTRANTS_MAX, FIELD_ENTRANTS_MAX, PAIRS_MAX};

/// The entrants by name and id: the built-in opponents for the usual options, then bots, the oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field(Vec<(String, EntrantId)>);

impl Field {
    /// The field of an edition that has begun.
    pub(crate) fn of(entrants: &[arena_tournaments::Entrant]) -> Field {
        Field(entrants.iter().map(|entrant| (entrant.name.clone(), entrant.id.clone())).collect())
    }

    /// The field that a game's next edition would have now, with at most so many bots of an owner.
    pub(crate) async fn now(
        store: &Store,
        plan: &Plan,
        of_owner_max: usize,
        past: &mut Past,
    ) -> Result<Chosen, StoreError> {
        let ruleset = plan.game.ruleset;
        let built_in = Contender::usual(ruleset);
        let built_in = built_in.filter_map(|name| Some((name.into(), Contender::baseline(ruleset, name).ok()?.id())));
        let mut field: Vec<(String, EntrantId)> = built_in.collect();
        let (mut candidates, mut entrants) = (Vec::new(), Vec::new());
        let mut page = Page::first(PAGE_MAX);
        loop {
            let bots = store.active_bots(Some(ruleset), page).await?;
            let Some(last) = bots.last().map(|active| active.bot.id) else { break };
            for active in bots {
                let core = past.core(store, &active.version.entrant).await?;
                if past.before.contains(&active.version.entrant) {
                    past.merit.tried.insert(core);
                }
                if let Some(score) = past.scored.get(&active.version.entrant) {
                    past.merit.scores.insert(core, *score);
                }
                let (name, since) = (active.bot.name.to_string(), active.version.submitted_at);
                candidates.push(Candidate { name, owner: active.bot.account, core, since });
                entrants.push(active.version.entrant);
            }
            page = Page::after(last, PAGE_MAX);
        }
        first_claims(store, ruleset, past, &mut candidates, &entrants).await?;
        past.keep(&candidates, &entrants);
        let places = plan.entrants_max().saturating_sub(field.len());
        let Choice { chosen, out, unscored } = choose(&candidates, &past.merit, places, of_owner_max);
        let score = |bot: &usize| past.merit.scores.get(&candidates[*bot].core).copied();
        let is_new = |bot: &usize| !past.merit.tried.contains(&candidates[*bot].core);
        let copies = out.iter().filter(|(_, why)| matches!(why, Out::Copy(_)));
        let copies: BTreeSet<usize> = copies.map(|(bot, _)| *bot).collect();
        let of = |bot: usize| (candidates[bot].name.clone(), entrants[bot].clone());
        let mut scored: Vec<Qualified> = (0..candidates.len())
            .filter(is_new)
            .filter_map(|bot| {
                let ((name, id), score) = (of(bot), score(&bot)?);
                (!copies.contains(&bot)).then(|| Qualified { bot: name, id, score, plays: chosen.contains(&bot) })
            })
            .collect();
        scored.sort_by_key(|newcomer| Reverse((newcomer.score, newcomer.plays)));
        let others_of = |owner: AccountId| -> Vec<String> {
            let own = chosen.iter().filter(|bot| candidates[**bot].owner == owner);
            own.map(|bot| candidates[*bot].name.clone()).collect()
        };
        let reasons: BTreeMap<usize, Out> = out.iter().copied().collect();
        let left_out = out.into_iter().map(|(bot, why)| {
            // A copy of one without a place has none for the same reason.
            let original = if let Out::Copy(of) = why { reasons.get(&of) } else { None };
            let why = match *original.unwrap_or(&why) {
                Out::Copy(of) => WhyOut::CopyOf(candidates[of].name.clone()),
                Out::Owner => WhyOut::OwnersOthers(others_of(candidates[bot].owner)),
                Out::Newcomer => WhyOut::Newcomer,
                Out::Beaten => WhyOut::Beaten,
            };
            let (bot, id) = of(bot);
            LeftOut { bot, id, why }
        });
        let left_out = left_out.collect();
        field.extend(chosen.into_iter().map(of));
        let unscored = unscored.into_iter().map(|bot| entrants[bot].clone()).collect();
        Ok(Chosen { field: Field(field), left_out, scored, unscored })
    }

    /// The bytes of its bots from the store, by file name, and the names of bots whose bytes are damaged.
    pub(crate) async fn bots(
        &self,
        store: &Store,
    ) -> Result<(BTreeMap<String, Vec<u8>>, BTreeSet<String>), StoreError> {
        let (mut bots, mut damaged) = (BTreeMap::new(), BTreeSet::new());
        for (name, id) in &self.0 {
            let Source::File(file) = source(id) else { continue };
            match store.module(id).await {
                Ok(bytes) => drop(bots.insert(file, bytes)),
                Err(StoreError::Damaged(_)) => drop(damaged.insert(name.clone())),
                Err(error) => return Err(error),
            }
        }
        Ok((bots, damaged))
    }

    /// The definition of edition `number` with this field, `without` some bots, drawn with the secret that it reveals.
    pub(crate) fn definition(&self, plan: &Plan, number: u32, draw: &Draw, without: &BTreeSet<String>) -> Definition {
        let playing = || self.0.iter().filter(|(name, _)| !without.contains(name));
        let entrants: Vec<EntrantSpec> =
            playing().map(|(name, id)| EntrantSpec { name: name.clone(), display: None, source: source(id) }).collect();
        Definition {
            openings: Vec::new(),
            name: format!("standing tournament, edition {number}"),
            ruleset: plan.game.ruleset.into(),
            options: plan.game.ranked.into(),
            seed: draw.secret.seed(playing().map(|(_, id)| id)),
            draw: Some(*draw),
            format: plan.format(entrants.len()),
            // The game's own, which always takes part.
            anchor: None,
            budgets: Budgets::of(plan.game.allowance),
            wall_ms_per_move: limits::WALL_MS_DEFAULT,
            entrants,
        }
    }
}

/// Which bots play in an edition, and which do not.
pub(crate) struct Chosen {
    pub(crate) field: Field,
    /// All others, the oldest first.
    pub(crate) left_out: Vec<LeftOut>,
    /// Newcomers that have a score, the best first.
    pub(crate) scored: Vec<Qualified>,
    /// Newcomers that may play for a score, because there are too few places for all of them, in the order of their
    /// turns.
    pub(crate) unscored: Vec<EntrantId>,
}

/// Finds out whose owner was first, where several candidates have the same core. Submitting the same bytes again, or
/// with other custom sections, does not make an owner's claim later.
async fn first_claims(
    store: &Store,
    ruleset: &str,
    past: &mut Past,
    candidates: &mut [Candidate],
    entrants: &[EntrantId],
) -> Result<(), StoreError> {
    let mut times: BTreeMap<Core, usize> = BTreeMap::new();
    for candidate in &*candidates {
        *times.entry(candidate.core).or_default() += 1;
    }
    times.retain(|_, times| *times > 1);
    if times.is_empty() {
        return Ok(());
    }
    let mut known: BTreeMap<EntrantId, Core> =
        candidates.iter().zip(entrants).map(|(candidate, id)| (id.clone(), candidate.core)).collect();
    for id in past.last.clone() {
        let core = past.core(store, &id).await?;
        known.insert(id, core);
    }
    known.retain(|_, core| times.contains_key(core));
    let ids: Vec<EntrantId> = known.keys().cloned().collect();
    let mut claims: BTreeMap<(AccountId, Core), UnixSeconds> = BTreeMap::new();
    for ids in ids.chunks(PAGE_MAX as usize) {
        for (id, first) in store.named(Some(ruleset), ids).await? {
            let claim = claims.entry((first.account, known[&id])).or_insert(first.submitted_at);
            *claim = first.submitted_at.min(*claim);
        }
    }
    for candidate in candidates {
        if let Some(claim) = claims.get(&(candidate.owner, candidate.core)) {
            candidate.since = candidate.since.min(*claim);
        }
    }
    Ok(())
}

/// What is known from earlier editions: bots' merits, and the cores of their modules.
#[derive(Default)]
pub(crate) struct Past {
    merit: Merit,
    cores: BTreeMap<EntrantId, Core>,
    /// The entrants of editions that earlier processes played.
    before: BTreeSet<EntrantId>,
    /// The bots of the last edition.
    last: Vec<EntrantId>,
    /// Newcomers' scores in their qualifying games.
    scored: BTreeMap<EntrantId, u64>,
}

impl Past {
    /// What the editions on the disk show, so that a bot that was tried is no newcomer again after a restart.
    pub(crate) fn of(history: &[Arc<PastEdition>], scored: &[Qualified]) -> Past {
        let before = history.iter().flat_map(|past| &past.rows).map(|row| row.id.clone()).collect();
        let scored = scored.iter().map(|newcomer| (newcomer.id.clone(), newcomer.score)).collect();
        Past { before, scored, ..Past::default() }
    }

    /// Notes a newcomer's score in its qualifying games.
    pub(crate) fn qualified(&mut self, newcomer: EntrantId, score: u64) {
        self.scored.insert(newcomer, score);
    }

    /// Forgets everything about bots that are neither active nor in the last edition.
    fn keep(&mut self, candidates: &[Candidate], entrants: &[EntrantId]) {
        let active: BTreeSet<&EntrantId> = entrants.iter().collect();
        let cores: BTreeSet<Core> = candidates.iter().map(|candidate| candidate.core).collect();
        let last: BTreeSet<&EntrantId> = self.last.iter().collect();
        self.cores.retain(|entrant, _| active.contains(entrant) || last.contains(entrant));
        self.scored.retain(|entrant, _| active.contains(entrant));
        self.merit.tried.retain(|core| cores.contains(core));
        self.merit.scores.retain(|core, _| cores.contains(core));
    }

    /// Notes how an edition ended.
    pub(crate) fn played(&mut self, standings: &Standings) {
        let ranks = standings.rows.iter().enumerate().map(|(rank, row)| (row.name.clone(), rank));
        self.merit.ranks = ranks.collect();
        let bots = standings.rows.iter().filter(|row| row.id.hash().is_some());
        self.last = bots.map(|row| row.id.clone()).collect();
        self.merit.tried.extend(standings.rows.iter().filter_map(|row| self.cores.get(&row.id)));
    }

    async fn core(&mut self, store: &Store, entrant: &EntrantId) -> Result<Core, StoreError> {
        if let Some(known) = self.cores.get(entrant) {
            return Ok(*known);
        }
        let core = match store.module(entrant).await {
            Ok(module) => core(&module),
            // Counts as nobody's copy. That it is damaged is reported when an edition begins.
            Err(StoreError::Damaged(_)) => return Ok(core(entrant.as_str().as_bytes())),
            Err(error) => return Err(error),
        };
        self.cores.insert(entrant.clone(), core);
        Ok(core)
    }
}

/// An entrant's source in a definition. The definition is published, so a bot's file is named by its hash.
pub(super) fn source(id: &EntrantId) -> Source {
    match id.baseline() {
        Some((name, _)) => Source::Baseline(name.into()),
        None => Source::File(format!("{}.wasm", id.hash().unwrap_or_default())),
    }
}

/// How editions of a game are set up. All of it follows from the game's own declarations.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) game: &'static Game,
    shape: Shape,
    kind: Kind,
}

/// The kind of a game's standing tournament: a field if games have more than two seats. The choice is made once, by
/// this site, and written into every definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    RoundRobin,
    Field,
}

impl Plan {
    pub(crate) fn of(game: &'static Game) -> Result<Plan, UnknownGame> {
        let shape = game.shape(game.ranked)?;
        let kind = if shape.duel.is_some() { Kind::Field } else { Kind::RoundRobin };
        Ok(Plan { game, shape, kind })
    }

    /// Whether its games have more than two seats.
    pub(super) fn is_field(&self) -> bool {
        self.kind == Kind::Field
    }

    fn entrants_max(&self) -> usize {
        match self.kind {
            Kind::RoundRobin => ENTRANTS_MAX,
            Kind::Field => FIELD_ENTRANTS_MAX,
        }
    }

    /// Games that an edition aims at: as many as fit if all are of maximal length, by fuel, length of records and
    /// board.
    pub(super) fn target(&self) -> usize {
        let (fuel, answers) = fuel_and_answers(self.game, &self.shape);
        let cells = self.game.cells_a_turn * u64::from(self.game.turns_max);
        let target =
            (EDITION_FUEL / fuel.max(1)).min(EDITION_ANSWERS / answers.max(1)).min(EDITION_CELLS / cells.max(1));
        usize::try_from(target).unwrap_or(usize::MAX).max(1)
    }

    /// The format of an edition with this many entrants.
    fn format(&self, entrants: usize) -> FormatSpec {
        let target = u32::try_from(self.target()).unwrap_or(u32::MAX);
        match self.kind {
            Kind::RoundRobin => {
                let games_per_pair = u32::try_from(entrants * entrants.saturating_sub(1)).unwrap_or(u32::MAX);
                FormatSpec::round_robin((target / games_per_pair.max(1)).clamp(1, PAIRS_MAX))
            }
            Kind::Field => {
                FormatSpec::Field { games: target.min(limits::FIELD_GAMES_MAX), pairs: self.game.cages.into() }
            }
        }
    }
}

/// The fuel and the answers of a game of maximal length.
pub(crate) fn fuel_and_answers(game: &Game, shape: &Shape) -> (u64, u64) {
    let (turns, seats) = (u64::from(game.turns_max), u64::from(shape.seats));
    let answers = if shape.alternates { turns } else { turns * seats };
    let fuel = match game.allowance.fuel_per_game {
        Some(bank) => bank.saturating_mul(seats),
        None => answers.saturating_mul(game.allowance.fuel_per_move),
    };
    (fuel, answers)
}

#[cfg(test)]
mod tests {
    use arena_store::{BotName, DisplayName, Limits, Verdict};
    use arena_wire::GAMES;

    use super::*;
    use crate::limits::BOTS_PER_OWNER_MAX;
    use crate::standing::PastRow;

    #[test]
    fn an_edition_has_about_as_many_games_as_it_aims_at() {
        let plan = Plan::of(&GAMES[0]).expect("a game");
        for (entrants, pairs) in
            [(2, 20), (3, 20), (14, 20), (15, 19), (20, 10), (32, 4), (33, 3), (63, 1), (ENTRANTS_MAX, 1)]
        {
            assert_eq!(plan.format(entrants), FormatSpec::round_robin(pairs), "{entrants} entrants");
            // A round robin of everybody never exceeds one tournament.
            assert!(entrants * (entrants - 1) * pairs as usize <= arena_runner::GAMES_MAX);
        }
    }

    #[tokio::test]
    async fn an_owner_has_a_few_places_which_its_oldest_bots_get_as_long_as_none_has_played() {
        let store: &Store = &Store::in_memory(Limits::DEFAULT).await.expect("a store");
        let now = UnixSeconds(0);
        // An account may own only so many bots, so each game has owners of its own.
        for (game, owner) in GAMES.iter().flat_map(|game| ["Ann", "Bob"].map(|owner| (game, owner))) {
            let name = DisplayName::parse(&format!("{owner}-{}", game.tag)).expect("a name");
            let account = store.create_account(&name, now).await.expect("an account").0.id;
            for number in 0..5 {
                let text = format!("{owner}-{}-{number}", game.tag);
                let (bot, bytes) = (BotName::parse(&text).expect("a name"), text.as_bytes().into());
                let submitted = store.submit(account, &bot, game.ruleset, bytes, now).await.expect("taken");
                store.set_verdict(submitted.version().id, Verdict::Accepted).await.expect("pending");
            }
        }
        for (game, places) in GAMES.iter().flat_map(|game| [1, BOTS_PER_OWNER_MAX, 5].map(|places| (game, places))) {
            let plan = Plan::of(game).expect("a game");
            let chosen = Field::now(store, &plan, places, &mut Past::default()).await.expect("readable");
            let (Field(field), left_out) = (chosen.field, chosen.left_out);
            let built_in = Contender::usual(game.ruleset).count();
            let wanted: Vec<String> = ["Ann", "Bob"]
                .into_iter()
                .flat_map(|owner| (0..places).map(move |number| format!("{owner}-{}-{number}", game.tag)))
                .collect();
            let found: Vec<&str> = field[built_in..].iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(found, wanted, "{}", game.ruleset);
            let is_named = |bot: &LeftOut, others: &[String]| {
                others.len() == places
                    && others.iter().all(|other| other[..3] == bot.bot[..3] && found.contains(&&**other))
            };
            let too_many =
                left_out.iter().filter(|bot| matches!(&bot.why, WhyOut::OwnersOthers(others) if is_named(bot, others)));
            assert_eq!((left_out.len(), too_many.count()), (2 * (5 - places), 2 * (5 - places)), "{}", game.ruleset);
        }
    }

    #[tokio::test]
    async fn who_was_tried_is_no_newcomer_to_another_process() {
        let store: &Store = &Store::in_memory(Limits::DEFAULT).await.expect("a store");
        let now = UnixSeconds(0);
        let account = store.create_account(&DisplayName::parse("Ann").expect("a name"), now).await.expect("made").0.id;
        let mut entrants = Vec::new();
        for name in ["first", "second"] {
            let name = BotName::parse(name).expect("a name");
            let bytes = name.as_str().as_bytes().into();
            let taken = store.submit(account, &name, GAMES[0].ruleset, bytes, now).await.expect("taken");
            store.set_verdict(taken.version().id, Verdict::Accepted).await.expect("pending");
            entrants.push(taken.version().entrant.clone());
        }
        let row =
            PastRow { rank: 9, name: "first".into(), id: entrants[0].clone(), value: None, low: None, high: None };
        let mut past = Past::of(
            &[Arc::new(PastEdition { number: 1, finished_at: UnixSeconds(0), anchor: None, rows: vec![row] })],
            &[],
        );
        Field::now(store, &Plan::of(&GAMES[0]).expect("a game"), BOTS_PER_OWNER_MAX, &mut past)
            .await
            .expect("readable");
        let tried: Vec<bool> = entrants.iter().map(|id| past.merit.tried.contains(&past.cores[id])).collect();
        assert_eq!(tried, [true, false]);
    }

    #[tokio::test]
    async fn a_copy_of_the_leaders_bytes_in_an_older_bot_does_not_push_it_out() {
        let store: &Store = &Store::in_memory(Limits::DEFAULT).await.expect("a store");
        let account = async |name: &str| {
            let name = DisplayName::parse(name).expect("a name");
            store.create_account(&name, UnixSeconds(0)).await.expect("made").0.id
        };
        let submit = async |account, bot: &str, bytes: &[u8], at| {
            let (bot, game) = (BotName::parse(bot).expect("a name"), GAMES[0].ruleset);
            let taken = store.submit(account, &bot, game, bytes.into(), UnixSeconds(at)).await.expect("taken");
            store.set_verdict(taken.version().id, Verdict::Accepted).await.expect("pending");
        };
        let plan = Plan::of(&GAMES[0]).expect("a game");
        let mut past = Past::default();
        let names = async |past: &mut Past| {
            let chosen = Field::now(store, &plan, BOTS_PER_OWNER_MAX, past).await.expect("readable");
            let built_in = Contender::usual(GAMES[0].ruleset).count();
            let names: Vec<String> = chosen.field.0[built_in..].iter().map(|(name, _)| name.clone()).collect();
            (names, chosen.left_out.into_iter().map(|bot| (bot.bot, bot.why)).collect::<Vec<_>>())
        };
        let (copier, author) = (account("Copier").await, account("Author").await);
        submit(copier, "older", b"its own", 1).await;
        let leader = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0";
        submit(author, "leader", leader, 2).await;
        assert_eq!(names(&mut past).await.0, ["older", "leader"]);
        submit(copier, "older", leader, 3).await;
        let copy = |of: &str| vec![("older".to_owned(), WhyOut::CopyOf(of.into()))];
        assert_eq!(names(&mut past).await, (vec!["leader".into()], copy("leader")));
        // The author submits it again with a custom section: in the last edition it had the old bytes.
        past.last = vec![EntrantId::of_bytes(leader)];
        submit(author, "leader", &[&leader[..], b"\0\x03\x01xy"].concat(), 4).await;
        assert_eq!(names(&mut past).await, (vec!["leader".into()], copy("leader")));
        // The same module in another bot of the author.
        let bot = store.bot_by_name(&BotName::parse("leader").expect("a name")).await.expect("read").expect("there");
        store.choose_version(bot.id, None).await.expect("withdrawn");
        submit(author, "second", leader, 5).await;
        assert_eq!(names(&mut past).await, (vec!["second".into()], copy("second")));
    }

    #[test]
    fn every_game_has_editions_of_bounded_length_in_which_its_built_in_opponents_fill_a_board() {
        for game in GAMES {
            let plan = Plan::of(game).expect("its ranked options are its own");
            let built_in = Contender::usual(game.ruleset).count();
            assert!(built_in >= plan.shape.seats.into(), "{}", game.ruleset);
            let (pairs, games) = match plan.format(built_in) {
                FormatSpec::RoundRobin { pairs, .. } => (pairs, 0),
                FormatSpec::Field { games, pairs } => (pairs, games),
                other => panic!("{other:?}"),
            };
            let answers = |seats: u64| u64::from(game.turns_max) * if plan.shape.alternates { 1 } else { seats };
            let round_robin = (built_in * (built_in - 1)) as u64 * u64::from(pairs);
            let field = u64::from(games) * answers(plan.shape.seats.into());
            assert!(field + round_robin * answers(2) <= 2 * EDITION_ANSWERS, "{}", game.ruleset);
            assert_eq!(games > 0, plan.shape.seats > 2, "{}", game.ruleset);
            assert_eq!(pairs > 0, games == 0 || game.cages, "{}", game.ruleset);
        }
    }
}
