//! Asks the bots and built-in opponents of a room, until only people are to move or the game is over.

use std::sync::{Arc, Weak};

use arena_record::EntrantId;
use arena_rooms::Rejected;
use arena_rules::Seat;
use arena_runner::{Contender, ContenderPlayer, semantics_id};
use arena_store::StoreError;
use tracing::{Instrument, error, error_span, warn};

use super::bot_slots::{Ready, Unseated, blocking};
use super::live::{LiveRoom, LiveState, NotKept, short};
use super::player::{Past, Question, Waiting, ask};
use crate::core::{Core, with_causes};
use crate::limits::{ASK_PAUSES, DUTY_LOOK, QUICK_TRIES, pause};

/// The result of one round of asking.
enum Round {
    /// A player was asked, or the room changed meanwhile: look again.
    Again,
    /// There is nothing to do.
    Idle,
    /// Another server does the asking.
    Elsewhere,
    /// The service closes.
    Stopped,
    /// No player could be asked.
    Failed(Trouble),
}

/// Why no player could be asked.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Unseated(#[from] Unseated),
    #[error("the end of this game is not written down yet")]
    EndNotStored,
    #[error("this room was opened by another release, whose players are gone")]
    OtherRelease,
    #[error(transparent)]
    Rejected(Rejected),
}

impl Trouble {
    /// Whether no machine can continue this game.
    fn is_lasting(&self) -> bool {
        match self {
            Trouble::Unseated(Unseated::Deleted) | Trouble::OtherRelease | Trouble::Rejected(_) => true,
            Trouble::Store(_) | Trouble::Unseated(_) | Trouble::EndNotStored => false,
        }
    }
}

/// Asks as long as a player is to be asked. Ends when the room leaves memory: its log is enough to continue from.
async fn until_idle(room: Weak<LiveRoom>, core: Arc<Core>) {
    let mut failures = 0;
    while let Some(room) = room.upgrade() {
        let trouble = match room.round().await {
            Round::Again => {
                failures = 0;
                continue;
            }
            Round::Idle | Round::Stopped => return,
            Round::Elsewhere => {
                // Not held meanwhile. What the other server writes comes as news; if that server dies, this one takes
                // over.
                drop(room);
                if core.stopping.run_until_cancelled(core.clock.sleep(DUTY_LOOK)).await.is_none() {
                    return;
                }
                continue;
            }
            Round::Failed(trouble) => trouble,
        };
        let is_lasting = trouble.is_lasting();
        let trouble = with_causes(&trouble);
        if is_lasting {
            error!(trouble, "no machine can continue the room's game");
            // Not asked again while the room is in memory.
            return room.show_trouble(trouble).await;
        }
        failures += 1;
        warn!(failures, trouble, "a player was not asked");
        if failures < QUICK_TRIES {
            continue;
        }
        room.show_trouble(format!("{trouble}; trying again")).await;
        // Not held meanwhile, so that a room without watchers can leave memory.
        drop(room);
        let waited = core.clock.sleep(pause(ASK_PAUSES, failures - QUICK_TRIES + 1));
        if core.stopping.run_until_cancelled(waited).await.is_none() {
            return;
        }
    }
}

/// The player that is asked in a turn.
struct Asked {
    ruleset: String,
    ply: u16,
    seat: Seat,
    id: EntrantId,
    question: Question,
    /// How many turns it has answered.
    answered: usize,
    waiting: Option<Waiting>,
}

impl LiveRoom {
    /// Starts asking the players whose turn it is.
    pub(super) fn ask_next(self: &Arc<Self>, state: &mut LiveState) {
        if !state.asking && !state.is_idle() {
            state.asking = true;
            let room: Weak<LiveRoom> = Arc::downgrade(self);
            let core = self.slots.core.clone();
            let span = error_span!(parent: None, "room", room = short(self.id()));
            core.tasks.spawn(until_idle(room, core.clone()).instrument(span));
        }
    }

    async fn round(&self) -> Round {
        let asked = {
            let mut state = self.state.lock().await;
            if let Err(error) = self.refresh(&mut state).await {
                return Round::Failed(error.into());
            }
            self.finish(&mut state, self.slots.core.now()).await;
            if self.rest(&mut state) {
                return Round::Idle;
            }
            let room = &state.room;
            let Some((seat, id)) = room.to_ask().next().map(|(seat, id)| (seat, id.clone())) else {
                return Round::Failed(Trouble::EndNotStored);
            };
            if room.opened().semantics != semantics_id(&room.opened().ruleset) {
                return Round::Failed(Trouble::OtherRelease);
            }
            match self.slots.core.leases.take(&self.duty).await {
                Ok(true) => {}
                Ok(false) => return Round::Elsewhere,
                Err(error) => return Round::Failed(error.into()),
            }
            let Some(observation) = room.observation(seat) else { return Round::Again };
            let (ruleset, budgets) = (room.opened().ruleset.clone(), room.opened().budgets);
            let (ply, answered, fuel) = (room.ply(), room.answers(seat), room.fuel(seat));
            let waiting = state.players.remove(&seat.0).filter(|waiting| waiting.answered == answered);
            let room = &state.room;
            let past = waiting.is_none().then(|| Past {
                start: room.start_fuel(seat).unwrap_or(budgets.fuel_at_start),
                exchanges: room.exchanges(seat),
            });
            let question = Question { observation, fuel, past, budgets };
            Asked { ruleset, ply, seat, id, question, answered, waiting }
        };
        match self.slots.core.stopping.run_until_cancelled(self.think(asked)).await {
            Some(Ok(thought)) => self.answer(thought).await,
            Some(Err(error)) => Round::Failed(error.into()),
            None => Round::Stopped,
        }
    }

    async fn think(&self, asked: Asked) -> Result<Thought, Unseated> {
        let Asked { ruleset, ply, seat, id, question, answered, waiting } = asked;
        // A player whose process is gone starts again, and its turns are played again.
        let (before, is_gone) = (question.fuel_before(), waiting.is_none());
        let compiling = if is_gone { self.slots.compiling(&id, question.budgets) } else { 0 };
        let most = before.saturating_add(compiling).saturating_add(question.fuel);
        let request = self.slots.request(&id, &self.seats(), most, answered > 0).await?;
        let mut thinking = self.slots.thinking.turn(request).await;
        let Ready { contender, compiling } = self.slots.contender(&ruleset, &id, question.budgets).await?;
        let before = if is_gone { before.saturating_add(compiling) } else { before };
        let (player, permit) = waiting.map_or((None, None), |waiting| (Some(waiting.player), waiting._seat));
        let needs_seat = !matches!(contender, Contender::Baseline(_));
        let (reply, player) = blocking(move || Ok(ask(&contender, player, &question)?)).await?;
        let used = reply.as_ref().ok().and_then(|reply| reply.fuel).map(|fuel| before.saturating_add(fuel));
        if let (Some(thinking), Some(used)) = (&mut thinking, used) {
            thinking.cost(used);
        }
        Ok(Thought { ply, seat, reply, player, answered: answered + 1, needs_seat, permit })
    }

    /// Turns a reply into an event.
    async fn answer(&self, thought: Thought) -> Round {
        let Thought { ply, seat, reply, player, answered, needs_seat, permit } = thought;
        let mut state = self.state.lock().await;
        // Refused when the room changed meanwhile; the next round asks again.
        let Ok(event) = state.room.answer(ply, seat, reply) else { return Round::Again };
        match self.append(&mut state, event, self.slots.core.room_time.now(), self.slots.core.now()).await {
            Ok(()) => {
                let permit = permit.or_else(|| needs_seat.then(|| self.slots.seat()).flatten());
                if permit.is_some() || !needs_seat {
                    state.players.insert(seat.0, Waiting { player, answered, _seat: permit });
                }
                Round::Again
            }
            Err(NotKept::Overtaken) => Round::Again,
            Err(NotKept::Store(error)) => Round::Failed(error.into()),
            Err(NotKept::Rejected(rejected)) => Round::Failed(Trouble::Rejected(rejected)),
        }
    }
}

/// A player's reply, and what is needed to keep the player.
struct Thought {
    ply: u16,
    seat: Seat,
    reply: Result<arena_referee::Reply, arena_referee::Fault>,
    player: ContenderPlayer,
    answered: usize,
    needs_seat: bool,
    permit: Option<tokio::sync::OwnedSemaphorePermit>,
}
