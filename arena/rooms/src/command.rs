//! Commands of people, replies of bots, and the events that follow from both.

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{Bytes, ForfeitCode};
use arena_referee::{Fault, Reply};
use arena_rules::Seat;
use serde::{Deserialize, Serialize};

use crate::{
    ACTION_BYTES_MAX, CHAT_CHARS_MAX, CHAT_WITHIN, DETAIL_BYTES_MAX, EVENTS_MAX, Event, PersonId, Room, Seated,
};

/// A person's turn, as its page sends it. Sending it again unchanged has no further effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The turn it is meant for.
    pub ply: u16,
    /// A number the page chose for it.
    pub client_seq: u64,
    /// The action's bytes.
    pub action: Bytes,
}

/// The result of a command that is not rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposal {
    /// Write this event to the log, then apply it. The room that proposed it accepts it.
    Append(Event),
    /// It is in the log already; acknowledge it again.
    AlreadyApplied,
}

/// Why a command has no effect. Codes are stable: pages match them.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejected {
    /// The sender has no seat.
    #[error("this is not your seat")]
    NotYourSeat,
    /// This seat is not asked now, or has answered already.
    #[error("it is not your turn")]
    NotYourTurn,
    /// It is for another turn than the one being played.
    #[error("turn {current} is being played; this was meant for another")]
    StalePly {
        /// The turn being played, from 0.
        current: u16,
    },
    /// The bytes are not an action; with the reason.
    #[error("these bytes are not an action: {0}")]
    BadAction(String),
    /// The rules refuse the action; with their sentence.
    #[error("{0}")]
    IllegalMove(String),
    /// Another command had the same number.
    #[error("this number was given to another command in the same turn")]
    StaleSequence,
    /// The game begins once all seats are taken.
    #[error("the game starts when every seat is taken")]
    NotStarted,
    /// The game waits for somebody who is there, or has not been away for long, or has a clock.
    #[error("the game can be ended without a result only while it waits for people who have been away for minutes")]
    NotAbandoned,
    /// This is possible only before the start.
    #[error("the game has started: now you can resign or offer a draw")]
    Started,
    /// The host cannot leave, but can close the room.
    #[error("the person who opened a room cannot leave it, only close it")]
    HostStays,
    /// Only the host can do this.
    #[error("only the person who opened the room can do this")]
    NotHost,
    /// Every seat is taken.
    #[error("every seat of this room is taken")]
    RoomTaken,
    /// This seat is taken.
    #[error("this seat is taken")]
    SeatTaken,
    /// The sender has a seat already.
    #[error("you already have a seat in this room")]
    AlreadySeated,
    /// Somebody else is invited.
    #[error("somebody else is invited to this room")]
    NotInvited,
    /// There is no such message any more.
    #[error("that message no longer exists")]
    NoSuchMessage,
    /// A program may not join a game that may count.
    #[error("programs play in unrated rooms only")]
    ProgramInRated,
    /// Draws are agreed between people only.
    #[error("bots do not accept offers: this is for games between people")]
    BotsAgreeToNothing,
    /// It was meant for another room.
    #[error("this was meant for another game")]
    OtherGame,
    /// The message is empty.
    #[error("the message is empty")]
    NothingSaid,
    /// The message is too long.
    #[error("a message has at most {CHAT_CHARS_MAX} characters")]
    ChatTooLong,
    /// Too many messages in a short time.
    #[error("too many messages: at most five in five seconds")]
    ChatTooFast,
    /// The room has no chat.
    #[error("this room has no chat")]
    NoChat,
    /// This is possible only after the game.
    #[error("the game is not over")]
    NotOver,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The log has as many events as allowed.
    #[error("this room has had the {EVENTS_MAX} events a room may have")]
    RoomFull,
}

impl Refused for Rejected {
    fn refusal(&self) -> Refusal {
        use Kind::{Conflict, Forbidden, Invalid, NotFound, TooMany};
        match self {
            Rejected::NotYourSeat => {
                Forbidden.says("not_your_seat", "anyone with the link may watch; only the players play")
            }
            Rejected::NotYourTurn => Conflict.says("not_your_turn", "wait for the other player"),
            Rejected::StalePly { .. } => {
                Conflict.says("stale_ply", "read the room's state and answer the turn being played")
            }
            Rejected::BadAction(_) => Invalid.says("bad_action", "sdk/ABI.md says what the bytes of an action are"),
            Rejected::IllegalMove(_) => Invalid.says("illegal_move", "nothing has changed; choose another move"),
            Rejected::StaleSequence => Conflict.says("stale_sequence", "give each command its own number"),
            Rejected::NotStarted => Conflict.says("not_started", "send the room's link or code to your opponent"),
            Rejected::NotAbandoned => Conflict.says("not_abandoned", "wait for the others, or resign"),
            Rejected::Started => Conflict.says("started", "its page has the buttons for that"),
            Rejected::HostStays => Conflict.says("host_stays", "its page has the button for that"),
            Rejected::NotHost => Forbidden.says("not_host", "open your own room at /lobby"),
            Rejected::RoomTaken => Conflict.says("room_taken", "watch the game, or find another at /lobby"),
            Rejected::SeatTaken => Conflict.says("seat_taken", "take another seat"),
            Rejected::AlreadySeated => Conflict.says("already_seated", "wait for the others in its page"),
            Rejected::NotInvited => Forbidden.says("not_invited", "find another room at /lobby, or open one"),
            Rejected::NoSuchMessage => NotFound.says("no_such_message", "only the latest are kept"),
            Rejected::ProgramInRated => Forbidden.says("program_in_rated", "open an unrated room for it"),
            Rejected::BotsAgreeToNothing => Conflict.says("bots_agree_to_nothing", "play on, or resign"),
            Rejected::OtherGame => Conflict.says("another_game", "look at the address that it was sent to"),
            Rejected::NothingSaid => Invalid.says("nothing_said", "say it in a sentence"),
            Rejected::ChatTooLong => Invalid.says("chat_too_long", "say it in a sentence"),
            // After this time the first of them is old enough, whenever they were sent.
            Rejected::ChatTooFast => TooMany.says("chat_too_fast", "wait some seconds").again_in(CHAT_WITHIN.as_secs()),
            Rejected::NoChat => Conflict.says("no_chat", "the host turned it off"),
            Rejected::NotOver => Conflict.says("not_over", "ask again when it is over"),
            Rejected::GameOver => Conflict.says("game_over", "open another room to play again"),
            Rejected::RoomFull => Conflict.says("room_full", "open another room"),
        }
    }
}

impl Rejected {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        self.refusal().code
    }
}

impl Room {
    /// Turns a person's command into an event. If the person has several seats, the command is for the first that is
    /// asked.
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn propose(&self, person: PersonId, command: &Command) -> Result<Proposal, Rejected> {
        if self.seats_of(person).next().is_none() {
            return Err(Rejected::NotYourSeat);
        }
        if self.has_applied(person, command) {
            return Ok(Proposal::AlreadyApplied);
        }
        self.in_play()?;
        if self.has_used(person, command) {
            return Err(Rejected::StaleSequence);
        }
        self.expect(command.ply)?;
        let seat = self.seats_of(person).find(|seat| self.awaits(*seat)).ok_or(Rejected::NotYourTurn)?;
        self.game().check(seat, &command.action.0).map_err(|Fault { code, detail }| match code {
            ForfeitCode::IllegalMove => Rejected::IllegalMove(detail),
            _ => Rejected::BadAction(detail),
        })?;
        within_action(&command.action.0).map_err(|fault| Rejected::BadAction(fault.detail))?;
        let (action, client_seq) = (command.action.clone(), Some(command.client_seq));
        Ok(Proposal::Append(Event::Played { ply: command.ply, seat: seat.0, action, fuel: None, client_seq }))
    }

    /// Turns a person's resignation in turn `ply` into an event. It is possible at any time during the game.
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn resign(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected> {
        let mine = |seat: u8| self.seats_of(person).any(|own| own.0 == seat);
        if self.seats_of(person).next().is_none() {
            return Err(Rejected::NotYourSeat);
        }
        let resigned = |event: &Event| matches!(event, Event::Resigned { ply: at, seat } if *at == ply && mine(*seat));
        if self.later().iter().any(resigned) {
            return Ok(Proposal::AlreadyApplied);
        }
        self.expect(ply)?;
        let is_in = |seat: &Seat| self.forfeits().iter().all(|forfeit| forfeit.seat != seat.0);
        let asked = self.seats_of(person).find(|seat| self.awaits(*seat));
        let seat = asked.or_else(|| self.seats_of(person).find(is_in)).ok_or(Rejected::NotYourTurn)?;
        Ok(Proposal::Append(Event::Resigned { ply, seat: seat.0 }))
    }

    /// Turns a contender's reply in turn `ply` into an event: its play, or a forfeit if it failed or the action is
    /// malformed or illegal.
    ///
    /// # Errors
    /// When this seat is not asked, for example because another process was faster. Then nothing happens.
    pub fn answer(&self, ply: u16, seat: Seat, reply: Result<Reply, Fault>) -> Result<Event, Rejected> {
        self.contender(seat)?;
        self.expect(ply)?;
        if !self.awaits(seat) {
            return Err(Rejected::NotYourTurn);
        }
        // The size is checked last, so that the referee's refusals keep the referee's words.
        let ruled = self.game().ruling(seat, reply).and_then(|reply| within_action(&reply.action).map(|()| reply));
        Ok(match ruled {
            Ok(Reply { action, fuel }) => {
                Event::Played { ply, seat: seat.0, action: Bytes(action), fuel, client_seq: None }
            }
            Err(Fault { code, detail }) => Event::Forfeited { ply: Some(ply), seat: seat.0, code, detail: cut(detail) },
        })
    }

    /// The event of a contender that could not start. Possible only before anybody has played.
    ///
    /// # Errors
    /// When it is too late, or the seat is not a contender's. Then nothing happens.
    pub fn failed_to_start(&self, seat: Seat, fault: Fault) -> Result<Event, Rejected> {
        self.contender(seat)?;
        self.in_play()?;
        if !self.can_fail_to_start(seat) {
            return Err(Rejected::StalePly { current: self.ply() });
        }
        Ok(Event::Forfeited { ply: None, seat: seat.0, code: fault.code, detail: cut(fault.detail) })
    }

    /// Whether the same command is in the log already.
    fn has_applied(&self, person: PersonId, command: &Command) -> bool {
        self.numbered(person, command).any(|action| *action == command.action)
    }

    /// Whether a command with the same number is in the log for this turn.
    fn has_used(&self, person: PersonId, command: &Command) -> bool {
        self.numbered(person, command).next().is_some()
    }

    /// What a person played in the command's turn under its number. The log is in the order of turns, so it is searched
    /// from its end.
    fn numbered<'a>(&'a self, person: PersonId, command: &'a Command) -> impl Iterator<Item = &'a Bytes> {
        let (ply, number) = (command.ply, Some(command.client_seq));
        let before = move |event: &&Event| matches!(event, Event::Played { ply: at, .. } if *at < ply);
        self.later().iter().rev().take_while(move |event| !before(event)).filter_map(move |event| match event {
            Event::Played { ply: at, seat, action, client_seq, .. }
                if (*at, *client_seq) == (ply, number) && self.seats_of(person).any(|own| own.0 == *seat) =>
            {
                Some(action)
            }
            _ => None,
        })
    }

    /// Checks that turn `ply` is being played and the game is not over.
    pub(crate) fn expect(&self, ply: u16) -> Result<(), Rejected> {
        self.in_play()?;
        if ply == self.ply() { Ok(()) } else { Err(Rejected::StalePly { current: self.ply() }) }
    }

    fn in_play(&self) -> Result<(), Rejected> {
        if self.outcome().is_some() {
            return Err(Rejected::GameOver);
        }
        if !self.has_started() {
            return Err(Rejected::NotStarted);
        }
        if self.is_full() { Err(Rejected::RoomFull) } else { Ok(()) }
    }

    fn contender(&self, seat: Seat) -> Result<(), Rejected> {
        match self.seats().get(seat.index()) {
            Some(Seated::Contender(_)) => Ok(()),
            _ => Err(Rejected::NotYourSeat),
        }
    }
}

/// Checks that an action is no longer than a room accepts.
fn within_action(action: &[u8]) -> Result<(), Fault> {
    if action.len() <= ACTION_BYTES_MAX {
        return Ok(());
    }
    let detail = format!("an action of {} bytes; {ACTION_BYTES_MAX} are allowed", action.len());
    Err(Fault { code: ForfeitCode::BadOutput, detail })
}

/// Cuts a detail to its limit.
fn cut(mut detail: String) -> String {
    detail.truncate(detail.floor_char_boundary(DETAIL_BYTES_MAX));
    detail
}
