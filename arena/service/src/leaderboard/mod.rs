//! The leaderboard of people: finished games are taken from their rooms and folded by `arena-people`. Not here: points
//! and ratings (`arena_people`) and the standings of bots (`standing`).

mod stored_games;

use std::collections::BTreeSet;
use std::sync::Arc;

use arena_people::{Browser, Day, Finished, People, Row, SignIns, Span, Strength, Unrated};
use arena_record::Hex;
use arena_rooms::{Newcomer, PersonId, RoomId};
use arena_rules::BySeat;
use arena_store::{AccountId, DisplayName, NewPeopleGame, PAGE_MAX, Page, Store, StoreError, UnixSeconds};
use tokio::sync::{Mutex, MutexGuard};
use tracing::warn;

use crate::core::{Core, with_causes};
use crate::limits::{CLEAN_EVERY, LEADERS_MAX, TALLY_AFTER_SECONDS};
use crate::{account_of_person, person_of_account};

/// A table with the names of the people in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The best, at most [`LEADERS_MAX`].
    pub leaders: Vec<Leader>,
    /// How many people the table has.
    pub people: usize,
    /// The line of the account that asks, whether it is among the best or not.
    pub own: Option<Leader>,
}

/// A line of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leader {
    /// The name of the account.
    pub name: DisplayName,
    /// Place, points and games.
    pub row: Row,
    /// The rating; `None` without rated games against people.
    pub strength: Option<Strength>,
}

/// The leaderboard of people.
pub struct Leaderboard {
    store: Arc<Store>,
    state: Mutex<State>,
}

/// The fold over the games that were read so far.
#[derive(Default)]
struct State {
    people: People,
    /// People whose accounts are deleted.
    gone: BTreeSet<PersonId>,
    /// The number of the last game read, and the store's count of changes to earlier ones.
    last: i64,
    changes: u64,
}

impl Leaderboard {
    pub(crate) fn start(core: &Arc<Core>) -> Arc<Leaderboard> {
        let leaderboard = Arc::new(Leaderboard::over(core.store.clone()));
        core.tasks.spawn(leaderboard.clone().tally_on(core.clone()));
        leaderboard
    }

    pub(crate) fn over(store: Arc<Store>) -> Leaderboard {
        Leaderboard { store, state: Mutex::default() }
    }

    /// Takes games from finished rooms at intervals, because finished rooms are forgotten at some point.
    async fn tally_on(self: Arc<Self>, core: Arc<Core>) {
        let mut ticks = core.clock.interval(CLEAN_EVERY);
        loop {
            tokio::select! {
                () = core.stopping.cancelled() => return,
                () = ticks.tick() => {
                    if let Some(Err(error)) = core.stopping.run_until_cancelled(self.tally(core.now())).await {
                        warn!(cause = with_causes(&error), "cannot count games of people; trying again later");
                    }
                }
            }
        }
    }

    /// Takes the games of all finished rooms except those of the last seconds, so that games that ended in the same
    /// second are taken together, in order.
    pub(crate) async fn tally(&self, now: UnixSeconds) -> Result<(), StoreError> {
        let until = UnixSeconds(now.0.saturating_sub(TALLY_AFTER_SECONDS));
        loop {
            let rooms = self.store.rooms_to_tally(until).await?;
            for id in &rooms {
                let room = self.store.room(id).await?;
                let found = room
                    .as_ref()
                    .and_then(stored_games::of_room)
                    .map(|(game, of)| (stored_games::text(&game), stored_games::keeping(&game, of), of));
                let new =
                    found.as_ref().map(|(game, keeping, of)| NewPeopleGame { accounts: *of, keeping: *keeping, game });
                self.store.tally_room(id, new.as_ref(), now).await?;
            }
            if rooms.len() < PAGE_MAX as usize {
                return Ok(());
            }
        }
    }

    /// A table of the leaderboard of people, for a game by its name without a version, with the line of `own`.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn board(
        &self,
        game: &str,
        span: Span,
        own: Option<AccountId>,
        now: UnixSeconds,
    ) -> Result<Board, StoreError> {
        let state = self.up_to(now).await?;
        let shown = |person| !state.gone.contains(&person);
        let table = state.people.table(game, span);
        let mut rows = table.map(|table| table.rows(shown)).unwrap_or_default();
        let people = rows.len();
        let own = own.map(person_of_account).and_then(|own| rows.iter().find(|row| row.account == own).copied());
        rows.truncate(LEADERS_MAX);
        let persons: Vec<PersonId> = rows.iter().chain(&own).map(|row| row.account).collect();
        let strengths = state.people.strengths(game, Day::of(now.0), &persons);
        drop(state);
        let accounts: Vec<AccountId> = persons.into_iter().filter_map(account_of_person).collect();
        let names = self.store.names_of(&accounts).await?;
        let leader = |row: Row| {
            let name = names.get(&account_of_person(row.account)?)?.clone();
            Some(Leader { name, row, strength: strengths.get(&row.account).copied() })
        };
        Ok(Board { leaders: rows.into_iter().filter_map(leader).collect(), people, own: own.and_then(leader) })
    }

    /// Whether a game between these two that begins now may be rated.
    pub(crate) async fn admits(
        &self,
        players: [&Newcomer; 2],
        now: UnixSeconds,
    ) -> Result<Result<(), Unrated>, StoreError> {
        let sign_ins = self.sign_ins(players).await?;
        let state = self.up_to(now).await?;
        Ok(state.people.admits(&BySeat::from(players.map(stored_games::side)), &sign_ins))
    }

    /// The browsers in which these two have signed in.
    async fn sign_ins(&self, players: [&Newcomer; 2]) -> Result<SignIns, StoreError> {
        let accounts: Vec<AccountId> = players.iter().filter_map(|player| account_of_person(player.person)).collect();
        let browsers = self.store.browsers_of(&accounts).await?;
        let of_person = |(account, browsers): (AccountId, BTreeSet<Hex<32>>)| {
            (person_of_account(account), browsers.into_iter().map(Browser).collect())
        };
        Ok(browsers.into_iter().map(of_person).collect())
    }

    /// When the game of people in a room ended, even if the room is forgotten; `None` if no such game is kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ended_at(&self, room: &RoomId) -> Result<Option<UnixSeconds>, StoreError> {
        Ok(self.store.people_game(room).await?.as_ref().and_then(stored_games::ended_at))
    }

    /// How many games an account has finished against built-in opponents; rated games against people require some.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn practice_games(&self, account: AccountId, now: UnixSeconds) -> Result<u32, StoreError> {
        Ok(self.up_to(now).await?.people.practice_games(person_of_account(account)))
    }

    /// The fold over all games up to now.
    async fn up_to(&self, now: UnixSeconds) -> Result<MutexGuard<'_, State>, StoreError> {
        self.tally(now).await?;
        let mut state = self.state.lock().await;
        self.refresh(&mut state).await?;
        Ok(state)
    }

    /// Reads the games that were added since, or all of them if earlier ones changed.
    async fn refresh(&self, state: &mut State) -> Result<(), StoreError> {
        loop {
            let (changes, games) = self.store.people_games(Page::after(state.last, PAGE_MAX)).await?;
            if changes != state.changes {
                return self.fold_again(state).await;
            }
            let is_last = games.len() < PAGE_MAX as usize;
            for kept in games {
                state.gone.extend(kept.gone.iter().copied().map(person_of_account));
                let game = stored_games::game(&kept).map_err(damaged)?;
                if state.people.add(&game).is_err() {
                    // It ended before a game that was folded already.
                    return self.fold_again(state).await;
                }
                state.last = kept.number;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn fold_again(&self, state: &mut State) -> Result<(), StoreError> {
        let mut read = State::default();
        let mut games: Vec<Finished> = Vec::new();
        loop {
            let (changes, page) = self.store.people_games(Page::after(read.last, PAGE_MAX)).await?;
            if read.last == 0 {
                // Changes made while the games are read are noticed the next time.
                read.changes = changes;
            }
            let is_last = page.len() < PAGE_MAX as usize;
            for kept in page {
                read.gone.extend(kept.gone.iter().copied().map(person_of_account));
                games.push(stored_games::game(&kept).map_err(damaged)?);
                read.last = kept.number;
            }
            if is_last {
                break;
            }
        }
        read.people = People::fold(&games);
        *state = read;
        Ok(())
    }
}

fn damaged(error: stored_games::NotAGame) -> StoreError {
    StoreError::Damaged(Box::new(error))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use arena_people::{GameMode, Uncounted, Verdict};
    use arena_record::{Budgets, EntrantId, ForfeitCode};
    use arena_rooms::{Event, Opened, Seated};
    use arena_store::{Limits, PeopleGame, RoomTerms};

    use super::*;

    const NOW: i64 = 1_796_083_200;

    /// Plays a room of these two: the second one's seat fails at once, or the person in seat 0 resigns. It ends this
    /// many seconds after [`NOW`].
    async fn played(store: &Store, number: u8, seats: [Seated; 2], won: bool, at: i64) -> RoomId {
        let room = RoomId(Hex([number; 16]));
        let starts = seats.iter().map(|_| None).collect();
        // As a room opened from `/play` has them.
        let options = if seats[1] == easy_v54() { "" } else { "chain_needs_home,weighted_majority" };
        let owner = PersonId(Hex([1; 8]));
        let opened = Opened {
            format: Default::default(),
            room,
            semantics: "test".into(),
            build: "test".into(),
            ruleset: "conquerors@2".into(),
            options: options.into(),
            budgets: Budgets::DEFAULT,
            seed: Hex([number; 32]),
            opponents: BTreeMap::new(),
            // A rated game of two people needs a table.
            browsers: if seats[1].entrant().is_some_and(|id| id.person().is_none()) {
                vec![Some(Hex([number; 32])), None]
            } else {
                Vec::new()
            },
            seats: seats.into(),
            starts,
            table: None,
        };
        let end = if won {
            Event::Forfeited { ply: None, seat: 1, code: ForfeitCode::Trap, detail: "it failed".into() }
        } else {
            Event::Resigned { ply: 0, seat: 0 }
        };
        let terms = RoomTerms { owner, silence_seconds_max: 100 };
        let start = Event::Opened(Box::new(opened)).to_line();
        store.create_room(&room, &start, &terms, UnixSeconds(NOW + at - 60)).await.expect("opened");
        store.append(&room, 1, &end.to_line(), UnixSeconds(NOW + at)).await.expect("appended");
        store.finish_room(&room, &[], UnixSeconds(NOW + at)).await.expect("finished");
        room
    }

    fn easy() -> Seated {
        Seated::Contender(EntrantId::of_baseline("easy", 1))
    }

    /// An opponent that was made for the V1 rules.
    fn easy_v54() -> Seated {
        Seated::Contender(EntrantId::of_baseline("easy-v54", 1))
    }

    async fn account(store: &Store, name: &str) -> (AccountId, Seated) {
        let name = DisplayName::parse(name).expect("a name");
        let (account, _) = store.create_account(&name, UnixSeconds(NOW)).await.expect("an account");
        (account.id, Seated::Person(person_of_account(account.id)))
    }

    async fn check(store: Arc<Store>) {
        let ((ada, as_ada), (bob, as_bob)) = (account(&store, "Ada").await, account(&store, "Bob").await);
        let guest = Seated::Person(crate::GuestSecret::random().expect("secrets").person());
        let bot = Seated::Contender(EntrantId::of_bytes(b"a bot"));
        let won = played(&store, 1, [as_ada.clone(), easy()], true, 0).await;
        played(&store, 2, [as_ada.clone(), easy()], false, 1).await;
        played(&store, 3, [as_bob.clone(), easy()], false, 1).await;
        played(&store, 4, [as_ada.clone(), as_bob.clone()], false, 2).await;
        played(&store, 5, [guest, easy()], true, 2).await;
        played(&store, 6, [as_ada.clone(), bot], false, 2).await;
        let by_v1 = played(&store, 8, [as_ada.clone(), easy_v54()], true, 2).await;
        let leaderboard = Leaderboard::over(store.clone());
        let all = |own, at| leaderboard.board("conquerors", Span::AllTime, own, UnixSeconds(NOW + at));
        assert_eq!(all(None, TALLY_AFTER_SECONDS - 1).await.expect("read").people, 0, "too soon");
        let board = all(Some(bob), TALLY_AFTER_SECONDS + 2).await.expect("read");
        let lines = |board: &Board| -> Vec<(String, u32, u64, u32)> {
            let line =
                |leader: &Leader| (leader.name.to_string(), leader.row.rank, leader.row.points, leader.row.games);
            board.leaders.iter().map(line).collect()
        };
        // Beating `easy` gives 30 points, and 50 more because the game took a minute. The game by the V1 rules gives
        // nothing.
        assert_eq!(lines(&board), [("Ada".into(), 1, 80, 2), ("Bob".into(), 2, 0, 1)]);
        let (_, games) = store.people_games(Page::first(100)).await.expect("read");
        let by_v1 = games.into_iter().find(|game| game.room == by_v1).expect("it is practice");
        let as_rated = by_v1.game.replace("\"rated\":false", "\"rated\":true");
        assert_ne!(as_rated, by_v1.game);
        let as_rated = stored_games::game(&PeopleGame { game: as_rated, ..by_v1 }).expect("a game");
        assert_eq!(as_rated.terms, GameMode::Casual, "not even if it was kept as rated");
        let verdict = People::fold([&as_rated]).verdict(&as_rated.room);
        assert_eq!(verdict, Some(Verdict::Not(Uncounted::Casual)));
        assert_eq!(board.own.as_ref().map(|own| own.row.rank), Some(2));
        assert_eq!(all(None, 9).await.expect("read").own, None);

        // When it ended is still known after its room is forgotten.
        assert_eq!(leaderboard.ended_at(&won).await.expect("read"), Some(UnixSeconds(NOW)));
        assert_eq!(leaderboard.ended_at(&RoomId(Hex([9; 16]))).await.expect("read"), None);

        // A game that is counted late, as after a restart of a site whose clock was set back, is folded in its place.
        played(&store, 7, [as_bob.clone(), easy()], true, -5).await;
        let later = all(None, 9).await.expect("read");
        assert_eq!(lines(&later)[0].0, "Ada");
        assert_eq!(lines(&later)[1], ("Bob".into(), 1, 80, 2), "as many points and wins");
        assert_eq!(
            lines(
                &Leaderboard::over(store.clone())
                    .board("conquerors", Span::AllTime, None, UnixSeconds(NOW + 9))
                    .await
                    .expect("read")
            ),
            lines(&later)
        );

        store.delete_account(ada, UnixSeconds(NOW)).await.expect("deleted");
        assert_eq!(lines(&all(None, 9).await.expect("read")), [("Bob".into(), 1, 80, 2)]);
        let (_, games) = store.people_games(Page::first(100)).await.expect("read");
        assert!(games.iter().all(|game| game.room != won), "what was Ada's alone is gone");
        let with_bob = games.iter().find(|game| game.room == RoomId(Hex([4; 16]))).expect("it is Bob's, too");
        let game = stored_games::game(with_bob).expect("a game");
        assert_eq!((game.terms, stored_games::text(&game)), (GameMode::Casual, with_bob.game.clone()));
    }

    #[tokio::test]
    async fn games_are_counted_from_rooms_that_ended_and_go_with_the_last_account() {
        check(Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"))).await;
        let folder = tempfile::tempdir().expect("a folder");
        check(Arc::new(Store::open(folder.path()).await.expect("a store"))).await;
    }
}
