//! The standing tournament of one game.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use arena_record::{EntrantId, Record};
use arena_runner::{Folder, FolderError, Host, Played, Sight, semantics_id, semantics_of};
use arena_store::StoreError;
use arena_tournaments::{Draw, Secret};
use arena_wire::Game;
use tracing::{info, warn};

use super::run::{Others, Run, Turn};
use super::samples::SampleWaits;
use super::{Next, Trouble};
use crate::core::{Core, with_causes, without_place};
use crate::limits::{EDITIONS_KEPT_MAX, NEWCOMERS_LOOK, REFUSED_TRIES};
use crate::standing::{
    Chosen, Edition, Editions, Field, Past, PastEdition, Plan, Progress, Qualifying, StandingTournaments, deleted_of,
};
use crate::wakeup::Playing;

/// Plays the standing tournament of one game.
pub(super) struct EditionRunner {
    game: &'static Game,
    run: Run,
    standing: StandingTournaments,
    data: PathBuf,
    editions: Editions,
    host: Arc<dyn Host>,
    /// Whether the work of earlier processes was taken in.
    recovered: bool,
    /// The latest edition of another server that this one shows.
    listener: Option<u32>,
    /// The highest edition number so far.
    newest: u32,
    /// The edition that has begun and is unfinished.
    begun: Option<Begun>,
    waits: SampleWaits,
    /// The field of the latest edition as it was chosen, before bots that could not play were left out.
    settled: Option<Field>,
    past: Past,
    qualifying: Qualifying,
    /// How many newcomers have played for a score since the latest edition began.
    newcomers: usize,
}

/// An edition that is being played.
struct Begun {
    number: u32,
    /// Its folder, once it is open.
    folder: Option<Folder>,
    /// Its field as it was chosen; `None` if another process chose it.
    field: Option<Field>,
}

impl EditionRunner {
    pub(super) fn new(game: &'static Game, run: Run, standing: StandingTournaments, data: PathBuf) -> EditionRunner {
        EditionRunner {
            game,
            standing,
            editions: Editions::new(game, &data.join("tournaments")),
            qualifying: Qualifying::new(game, &data),
            host: run.core.host(),
            data,
            run,
            recovered: false,
            listener: None,
            newest: 0,
            begun: None,
            waits: SampleWaits::default(),
            settled: None,
            past: Past::default(),
            newcomers: 0,
        }
    }

    pub(super) fn game(&self) -> &'static Game {
        self.game
    }

    fn core(&self) -> &Core {
        &self.run.core
    }

    fn playing(&self) -> Playing {
        Playing::Standing(self.game.ruleset)
    }

    /// Forgets all open work: another server may have played since.
    pub(super) fn forget(&mut self) {
        (self.recovered, self.begun, self.settled) = (false, None, None);
        self.waits = SampleWaits::default();
    }

    /// Shows what another server has played, if there is anything new, and forgets this server's own work.
    pub(super) async fn follow(&mut self) -> Result<(), Trouble> {
        self.forget();
        let (numbers, _) = self.editions.numbers()?;
        let finished: Vec<u32> = numbers.into_iter().filter(|number| self.editions.is_finished(*number)).collect();
        let latest = finished.last().copied();
        if self.listener == latest && !self.standing.has_changed(self.game) {
            return Ok(());
        }
        // Bots may have been renamed or deleted as well.
        self.standing.wakeup().look(self.game);
        self.show_latest(&finished).await?;
        self.listener = latest;
        self.standing.update(self.game, |now| (now.waiting, now.playing) = (false, None));
        Ok(())
    }

    /// Takes a turn, at most to the end of an edition, and shorter if others wait. `failures` is the number of failed
    /// steps since the last good one.
    pub(super) async fn step(&mut self, others: Others, failures: u32) -> Result<Next, Trouble> {
        if !self.recovered {
            self.recover().await?;
            (self.recovered, self.listener) = (true, None);
        }
        if let Some(begun) = self.begun.take() {
            return self.resume(begun, others, failures).await;
        }
        let chosen = self.field().await?;
        if self.settled.as_ref() == Some(&chosen.field) {
            self.standing.update(self.game, |now| {
                now.waiting = self.standing.has_changed(self.game);
                now.trouble = None;
            });
            return Ok(Next::Wait(None));
        }
        self.standing.update(self.game, |now| now.waiting = true);
        self.core().store.has_space()?;
        let plan = Plan::of(self.game)?;
        match chosen.unscored.first() {
            Some(newcomer) if self.newcomers < Qualifying::newcomers_max(&plan) => {
                return self.qualify(&plan, newcomer, others, failures).await;
            }
            _ => {}
        }
        let begun = self.begin(&plan, chosen).await?;
        self.resume(begun, others, failures).await
    }

    /// The field that the next edition would have now.
    async fn field(&mut self) -> Result<Chosen, Trouble> {
        self.standing.wakeup().look(self.game);
        let plan = Plan::of(self.game)?;
        let of_owner = self.standing.bots_per_account();
        let mut chosen = Field::now(&self.run.core.store, &plan, of_owner, &mut self.past).await?;
        let left_out = Arc::new(std::mem::take(&mut chosen.left_out));
        self.standing.update(self.game, |now| now.left_out = left_out);
        Ok(chosen)
    }

    /// Has a newcomer play for a score.
    async fn qualify(
        &mut self,
        plan: &Plan,
        newcomer: &EntrantId,
        others: Others,
        failures: u32,
    ) -> Result<Next, Trouble> {
        let bytes = self.core().store.module(newcomer).await;
        let began = self.core().clock.now();
        let pause =
            || self.run.pause(self.playing(), began, others).map_or(ControlFlow::Continue(()), ControlFlow::Break);
        let score = match bytes {
            // A bot that cannot play scores nothing. Why it cannot is reported when it is to play in an edition.
            Err(StoreError::Damaged(_)) => 0,
            bytes => match self.qualifying.play(plan, (newcomer, bytes?), &self.host, self.run.threads(), pause) {
                Ok(ControlFlow::Continue(score)) => score,
                Ok(ControlFlow::Break(pause)) => return Ok(Turn::next_after(pause, || ())),
                Err(error) if failures < REFUSED_TRIES => return Err(error.into()),
                Err(error) => {
                    warn!(%newcomer, cause = with_causes(&error), "the qualifying games of a newcomer cannot be played");
                    0
                }
            },
        };
        self.newcomers += 1;
        info!(game = self.game.ruleset, %newcomer, score, "a newcomer has played for a place");
        self.past.qualified(newcomer.clone(), score);
        Ok(Next::Step)
    }

    /// Takes in the work of earlier processes: repairs the index, and shows the latest finished edition.
    async fn recover(&mut self) -> Result<(), Trouble> {
        let numbers = self.editions.begun()?;
        self.newest = numbers.last().copied().unwrap_or(0);
        let mut unfinished = numbers.last().copied().filter(|number| !self.editions.is_finished(*number));
        if let (None, Some(last)) = (unfinished, numbers.last()) {
            // Its results are written, but they were not yet compared with the queue.
            let asked = self.core().store.end_hashes(&self.editions.tournament(*last)?).await?;
            unfinished = (!asked.is_empty()).then_some(*last);
        }
        self.begun = unfinished.map(|number| Begun { number, folder: None, field: None });
        let is_finished = |number: &u32| self.editions.is_finished(*number) && unfinished != Some(*number);
        let finished: Vec<u32> = numbers.into_iter().filter(is_finished).collect();
        for number in finished.iter().copied() {
            let tournament = self.editions.tournament(number)?;
            let indexed = self.core().store.games_count(&tournament).await?;
            let is_indexed = self.editions.records_count(number).is_ok_and(|count| count == indexed);
            if !is_indexed {
                info!(%tournament, indexed, "the index of games is rebuilt");
                // Games that cannot be read are not indexed; the standings do not depend on the index.
                let games = self.editions.games(number).unwrap_or_else(|error| {
                    warn!(%tournament, cause = with_causes(&error), "cannot read games: the index leaves them out");
                    Vec::new()
                });
                self.core().store.reindex(&tournament, &games).await?;
            }
        }
        self.show_latest(&finished).await?;
        // Last, so that editions are shown even if nothing can be written.
        Ok(self.forget_revealed().await?)
    }

    /// Shows the latest of these editions that can be shown, and the history before it.
    async fn show_latest(&mut self, finished: &[u32]) -> Result<(), Trouble> {
        let ours = semantics_id(self.game.ruleset);
        let past = finished.iter().filter(|number| semantics_of(&self.editions.path(**number)).as_ref() == Some(&ours));
        let history: Vec<_> = past.filter_map(|number| self.past_edition(*number)).collect();
        let latest = self.editions.numbers()?.0.last().copied().unwrap_or(0);
        let mut qualifying = self.qualifying.read(&self.editions.name(latest));
        let newcomers: Vec<_> = qualifying.iter().map(|newcomer| (newcomer.bot.clone(), newcomer.id.clone())).collect();
        let deleted = deleted_of(&self.core().store, self.game, &newcomers).await?;
        qualifying.retain(|newcomer| !deleted.contains(&newcomer.id));
        self.past = Past::of(&history, &qualifying);
        self.standing.update(self.game, |now| (now.history, now.qualifying) = (history, Arc::new(qualifying)));
        for number in finished.iter().rev() {
            match self.editions.finished(*number, &self.host) {
                Ok(folder) if folder.progress().played == folder.progress().total => {
                    let tournament = self.editions.tournament(*number)?;
                    self.show(Edition::of(self.game, *number, tournament, &folder, folder.standings(), 0)).await;
                    self.settled = Some(Field::of(folder.entrants()));
                    break;
                }
                Ok(_) => self.trouble(format!("edition {number} lacks games that it had")),
                Err(error) if error.is_lasting() => {
                    if self.show_earlier(*number, &error).await {
                        break;
                    }
                    self.trouble(format!("edition {number} cannot be shown: {}", with_causes(&error)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Begins the next edition, without bots that cannot play.
    async fn begin(&mut self, plan: &Plan, chosen: Chosen) -> Result<Begun, Trouble> {
        let number = self.newest + 1;
        let Chosen { field, scored, .. } = chosen;
        let (bots, mut without) = field.bots(&self.core().store).await?;
        let (secret, next) = (self.secret(number).await?, self.secret(number + 1).await?);
        // One secret ahead, so that the next edition commits to the same secret here and in a copy of this store.
        self.secret(number + 2).await?;
        let draw = Draw { secret, next: Some(next.commitment()), chain: false };
        let host = self.run.host_of(&self.editions.tournament(number)?);
        // Before the edition begins, so that its scores are there once it has.
        self.qualifying.write(&self.editions.name(number), &scored)?;
        let begun = loop {
            let definition = field.definition(plan, number, &draw, &without);
            match self.editions.begin(number, &definition, &bots, &host) {
                Err(FolderError::Refused { name, .. }) if without.insert(name.clone()) => {}
                begun => break begun,
            }
        };
        if self.editions.has_begun(number) {
            // The field is frozen, whatever happens next.
            (self.newest, self.newcomers) = (number, 0);
            self.standing.update(self.game, |now| now.qualifying = Arc::new(scored));
            self.begun = Some(Begun { number, folder: None, field: None });
            // Before its secret is forgotten, so that a server that takes over has the same field.
            self.run.send(&self.editions.tournament(number)?).await?;
            self.forget_revealed().await?;
        }
        let folder = begun?;
        if !without.is_empty() {
            // Without names, which are in the log already.
            let bots = without.len();
            self.trouble(format!(
                "edition {number} is played without {bots} of its bots: damaged or refused, although accepted before"
            ));
        }
        let (game, games) = (self.game.ruleset, folder.progress().total);
        info!(game, edition = number, entrants = folder.entrants().len(), games, "an edition begins");
        Ok(Begun { number, folder: Some(folder), field: Some(field) })
    }

    /// The secret of an edition that has not begun. The edition before it publishes its hash.
    async fn secret(&self, number: u32) -> Result<Secret, StoreError> {
        let fresh = self.core().random.bytes(self.game.ruleset)?;
        self.core().store.secret(self.game.ruleset, number, fresh).await.map(Secret)
    }

    /// Forgets the secrets of editions that have begun, so that no other field is ever drawn with one of them.
    async fn forget_revealed(&self) -> Result<(), StoreError> {
        self.core().store.forget_secrets(self.game.ruleset, self.newest).await
    }

    /// Plays an edition, to its end unless others wait.
    async fn resume(&mut self, begun: Begun, others: Others, failures: u32) -> Result<Next, Trouble> {
        let Begun { number, folder, field } = begun;
        // Until the step succeeds: a failed step is retried from the disk.
        self.begun = Some(Begun { number, folder: None, field: field.clone() });
        let tournament = self.editions.tournament(number)?;
        let mut folder = match folder {
            Some(folder) => folder,
            None => match self.editions.open(number, &self.run.host_of(&tournament)) {
                Ok(folder) => folder,
                Err(error) => return self.failed(number, error, failures).await,
            },
        };
        // Before its draw is shown.
        self.run.send(&tournament).await?;
        let entrants = Field::of(folder.entrants());
        let field_waits = self.field().await?.field != *field.as_ref().unwrap_or(&entrants);
        // Their authors wait for their games; of the others some are known.
        let new = self.newcomers_of(&folder);
        // Where everybody is new, the schedule's order is as good.
        if self.standing.of(self.game).edition.is_some() {
            folder.begin_with(new.iter().map(|(place, _)| *place));
        }
        let mut show = self.shows(number, &folder, new);
        show(folder.progress(), &|| folder.ended_of());
        let watch = move |sight: &Sight<'_>| show(sight.progress(), &|| sight.ended_of());
        self.standing.update(self.game, |now| now.waiting = field_waits || self.standing.has_changed(self.game));
        let (folder, played) = match self.run.turn((self.playing(), &tournament), folder, others, watch).await {
            Ok(Turn::Played(folder, played)) => (folder, played),
            Ok(Turn::Paused(pause, folder)) => {
                let keep = || self.begun = Some(Begun { number, folder: Some(folder), field });
                return Ok(Turn::next_after(pause, keep));
            }
            Err(Trouble::Folder(error)) => {
                self.standing.update(self.game, |now| now.playing = None);
                return self.failed(number, error, failures).await;
            }
            Err(trouble) => return Err(trouble),
        };
        let indexed = |game: usize, record: &Record| self.editions.indexed(number, game, record);
        let folder = match self.run.settle((&tournament, &mut self.waits), folder, indexed).await? {
            Ok(folder) => folder,
            Err(next) => return Ok(next),
        };
        self.finish(number, &folder, played).await?;
        self.settled = Some(field.unwrap_or(entrants));
        self.begun = None;
        Ok(Next::Step)
    }

    /// The entrants of an edition that were not in the one before, each with its place.
    fn newcomers_of(&self, folder: &Folder) -> Vec<(usize, EntrantId)> {
        let before = self.standing.of(self.game).edition.clone();
        let is_new =
            |id: &EntrantId| id.hash().is_some() && before.as_ref().is_none_or(|edition| edition.name(id).is_none());
        let entrants = folder.entrants().iter().map(|entrant| entrant.id.clone()).enumerate();
        entrants.filter(|(_, id)| is_new(id)).collect()
    }

    /// Shows how far an edition is, and its newcomers.
    fn shows(
        &self,
        edition: u32,
        folder: &Folder,
        new: Vec<(usize, EntrantId)>,
    ) -> impl FnMut(arena_runner::Progress, &dyn Fn() -> BTreeMap<usize, usize>) + Send + 'static {
        let (standing, game, draw) = (self.standing.clone(), self.game, folder.draw());
        let (clock, mut next_look, mut newcomers) = (self.core().clock.clone(), None, Vec::new());
        move |arena_runner::Progress { played, total }, ended| {
            let now = clock.now();
            // Counting takes longer the more games there are.
            if !new.is_empty() && next_look.is_none_or(|at| now >= at) {
                let games = ended();
                let so_far = |place| games.get(place).copied().unwrap_or_default();
                newcomers = new.iter().map(|(place, id)| (id.clone(), so_far(place))).collect();
                next_look = Some(now + NEWCOMERS_LOOK);
            }
            let playing = Some(Progress { edition, played, total, draw, newcomers: newcomers.clone() });
            standing.update(game, |now| now.playing = playing);
        }
    }

    /// Shows a finished edition, and removes old ones.
    async fn finish(&mut self, number: u32, folder: &Folder, played: Played) -> Result<(), Trouble> {
        let tournament = self.editions.tournament(number)?;
        let Played { standings, games, platform_faults, .. } = played;
        let (game, void) = (self.game.ruleset, standings.void);
        info!(game, edition = number, games, void, platform_faults, "an edition is finished");
        let past = self.past_edition(number);
        self.standing.update(self.game, |now| {
            now.history.extend(past);
            now.history.drain(..now.history.len().saturating_sub(EDITIONS_KEPT_MAX));
        });
        self.show(Edition::of(self.game, number, tournament, folder, standings, platform_faults)).await;
        let kept = self.editions.begun()?;
        for old in &kept[..kept.len().saturating_sub(EDITIONS_KEPT_MAX)] {
            // From the index first, so that it never names a missing record.
            let tournament = self.editions.tournament(*old)?;
            self.core().store.remove_games(&tournament, self.core().now()).await?;
            self.core().replica.forget(&tournament).await?;
            self.editions.remove(*old)?;
            self.qualifying.forget(&self.editions.name(*old))?;
            info!(game, edition = old, "an old edition is removed");
        }
        Ok(())
    }

    fn past_edition(&self, number: u32) -> Option<Arc<PastEdition>> {
        PastEdition::read(&self.editions.path(number), number).map(Arc::new)
    }

    /// Handles an edition that has begun and cannot be resumed, now or ever.
    async fn failed(&mut self, number: u32, error: FolderError, failures: u32) -> Result<Next, Trouble> {
        let refused = matches!(error, FolderError::Refused { .. });
        if !error.is_lasting() || (refused && failures < REFUSED_TRIES) {
            return Err(error.into());
        }
        let tournament = self.editions.tournament(number)?;
        if !refused && failures == 0 && self.core().replica.distrust(&tournament).await? {
            // Perhaps only this server's copy is damaged.
            return Err(error.into());
        }
        self.core().store.forget_games(&tournament).await?;
        self.begun = None;
        // The field has to be played again, even if it equals that of the latest edition.
        self.settled = None;
        Err(Trouble::Abandoned { edition: number, why: error })
    }

    /// Shows an edition that another release played, if `error` says so and its standings can be read.
    async fn show_earlier(&self, number: u32, error: &FolderError) -> bool {
        let mut earlier = error.other_build().and_then(|build| self.editions.earlier(number, build).ok());
        if let Some(earlier) = &mut earlier {
            match deleted_of(&self.core().store, self.game, &earlier.entrants).await {
                Ok(deleted) => earlier.without(&deleted),
                Err(error) => warn!(cause = with_causes(&error), "cannot find out which bots were deleted"),
            }
        }
        let is_there = earlier.is_some();
        self.standing.update(self.game, |now| now.earlier = earlier.map(|earlier| (number, Arc::new(earlier))));
        is_there
    }

    async fn show(&mut self, mut edition: Edition) {
        self.past.played(&edition.standings);
        match deleted_of(&self.core().store, self.game, &edition.entrants).await {
            Ok(deleted) => edition.without(&deleted),
            // They are shown with their names until the next edition or restart.
            Err(error) => warn!(cause = with_causes(&error), "cannot find out which bots were deleted"),
        }
        self.standing.update(self.game, |now| {
            now.edition = Some(Arc::new(edition));
            now.earlier = None;
            now.playing = None;
            now.trouble = None;
        });
    }

    /// Shows what is wrong, without the path of our folder, because it is public.
    pub(super) fn trouble(&self, trouble: String) {
        warn!(game = self.game.ruleset, trouble, "the standing tournament has trouble");
        let trouble = without_place(&trouble, &self.data);
        self.standing.update(self.game, |now| now.trouble = Some(trouble));
    }
}
