//! What people do in a room besides their turns: they join and leave, agree to draws, and run out of time.

use arena_record::{Forfeit, Hex, OutcomeRecord};
use arena_rules::{Rng, Seat};

use crate::table::TableFault;
use crate::{
    Bot, Clock, Event, IllegalEvent, JOINS_MAX, Newcomer, PersonId, Proposal, Rejected, Room, RoomId, Seated, Seating,
    Table,
};

/// A finished game in the form of the leaderboard of people. All of it follows from the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The room, which identifies the game on the site.
    pub room: RoomId,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options in canonical text.
    pub options: String,
    /// The players, by seat.
    pub seats: Vec<Seated>,
    /// The browsers in which people took their seats, by seat.
    pub browsers: Vec<Option<Hex<32>>>,
    /// Whether it counts, as [`Room::is_rated`] says.
    pub rated: bool,
    /// How long the game lasted, in milliseconds; `None` in logs of releases that did not record it.
    pub elapsed_ms: Option<u64>,
    /// Completed turns.
    pub turns: u16,
    /// Players who resigned, ran out of time or failed.
    pub forfeits: Vec<Forfeit>,
    /// How it ended.
    pub outcome: OutcomeRecord,
}

/// The seat that somebody new takes, and with the last one the lot by which seats are drawn.
fn taken(table: &Table, open: &[Seat], seat: Option<Seat>, lot: Hex<32>) -> Result<(Seat, Option<Hex<32>>), Rejected> {
    let seat = match seat.filter(|_| table.seating == Seating::Chosen) {
        Some(seat) => open.contains(&seat).then_some(seat).ok_or(Rejected::SeatTaken)?,
        None => open[0],
    };
    Ok((seat, (table.seating == Seating::Drawn && open.len() == 1).then_some(lot)))
}

impl Room {
    /// Whether every seat is taken.
    pub fn has_started(&self) -> bool {
        !self.seats.contains(&Seated::Open)
    }

    /// People's clock; `None` for unlimited time.
    pub fn clock(&self) -> Option<Clock> {
        self.opened().table.as_ref().and_then(|table| table.clock)
    }

    /// Turns a person's wish to join into an event: in `seat`, or in any seat. `lot` is random; if seats are drawn,
    /// they are drawn with it.
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn join(&self, newcomer: Newcomer, seat: Option<Seat>, lot: Hex<32>) -> Result<Proposal, Rejected> {
        let Newcomer { person, program, browser } = newcomer;
        if self.seats_of(person).next().is_some() {
            return Err(Rejected::AlreadySeated);
        }
        let open: Vec<Seat> = self.open_seats().collect();
        let table = self.opened().table.as_ref().filter(|_| !open.is_empty()).ok_or(Rejected::RoomTaken)?;
        if program && table.rated {
            return Err(Rejected::ProgramInRated);
        }
        if table.invited.is_some_and(|invited| invited != person) {
            return Err(Rejected::NotInvited);
        }
        let joins = self.later().iter().filter(|event| matches!(event, Event::Joined { .. })).count();
        if joins >= JOINS_MAX {
            return Err(Rejected::RoomFull);
        }
        let (seat, lot) = taken(table, &open, seat, lot)?;
        Ok(Proposal::Append(Event::Joined { seat: seat.0, person, program, browser, lot }))
    }

    /// Turns the host's wish to seat a bot before the start into an event: in `seat`, or in the first open one.
    /// `opponent` and `start` of the bot are as in records; `lot` is as in [`join`](Room::join).
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn seat_bot(&self, host: PersonId, bot: Bot, seat: Option<Seat>, lot: Hex<32>) -> Result<Proposal, Rejected> {
        if !self.is_hosted_by(host) {
            return Err(Rejected::NotHost);
        }
        let open: Vec<Seat> = self.open_seats().collect();
        let table = self.opened().table.as_ref().filter(|_| !open.is_empty()).ok_or(Rejected::Started)?;
        if table.rated {
            return Err(Rejected::ProgramInRated);
        }
        let (seat, lot) = taken(table, &open, seat, lot)?;
        let Bot { entrant, opponent, start } = bot;
        Ok(Proposal::Append(Event::Filled { seat: seat.0, entrant, opponent, start, lot }))
    }

    /// Turns a person's wish to leave before the start into an event.
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn leave(&self, person: PersonId) -> Result<Proposal, Rejected> {
        let seat = self.seats_of(person).next().ok_or(Rejected::NotYourSeat)?;
        if self.has_started() {
            return Err(Rejected::Started);
        }
        if self.is_hosted_by(person) {
            return Err(Rejected::HostStays);
        }
        Ok(Proposal::Append(Event::Left { seat: seat.0 }))
    }

    /// Turns a person's wish for a draw in turn `ply` into an event: an offer, or the end of the game if all others
    /// have offered one.
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn draw(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected> {
        self.seats_of(person).next().ok_or(Rejected::NotYourSeat)?;
        self.expect(ply)?;
        let mine: Vec<Seat> = self.seats_of(person).filter(|seat| self.is_in(*seat)).collect();
        let seat = *mine.first().ok_or(Rejected::NotYourTurn)?;
        if self.seats.iter().any(|seated| matches!(seated, Seated::Contender(_))) {
            return Err(Rejected::BotsAgreeToNothing);
        }
        if self.lacks(&mine).next().is_none() {
            return Ok(Proposal::Append(Event::Drawn { ply, seat: seat.0 }));
        }
        if self.offers.contains(&seat) || self.offered_in(ply, seat) {
            return Ok(Proposal::AlreadyApplied);
        }
        Ok(Proposal::Append(Event::DrawOffered { ply, seat: seat.0 }))
    }

    /// Turns a person's wish to decline the others' offers of a draw in turn `ply` into an event.
    ///
    /// # Errors
    /// Why it has no effect.
    pub fn decline_draw(&self, person: PersonId, ply: u16) -> Result<Proposal, Rejected> {
        self.seats_of(person).next().ok_or(Rejected::NotYourSeat)?;
        self.expect(ply)?;
        let seat = self.seats_of(person).find(|seat| self.is_in(*seat)).ok_or(Rejected::NotYourTurn)?;
        if self.offers_to(person).next().is_none() {
            return Ok(Proposal::AlreadyApplied);
        }
        Ok(Proposal::Append(Event::DrawDeclined { ply, seat: seat.0 }))
    }

    /// The seats of others that offer a draw.
    fn offers_to(&self, person: PersonId) -> impl Iterator<Item = Seat> {
        self.offers.iter().copied().filter(move |seat| self.seats.get(seat.index()) != Some(&Seated::Person(person)))
    }

    /// The first person whose time is up after the clocks have run for `spent_ms` milliseconds.
    pub fn flagged(&self, spent_ms: u64) -> Option<Seat> {
        self.running().find(|seat| self.left_ms[seat.index()].is_some_and(|left| left <= spent_ms))
    }

    /// In how many milliseconds the first person's time is up; `None` while no clock runs.
    pub fn flag_in_ms(&self) -> Option<u64> {
        self.running().filter_map(|seat| self.left_ms[seat.index()]).min()
    }

    /// The event of a person whose time is up.
    pub fn flag(&self, seat: Seat) -> Event {
        Event::Flagged { ply: self.ply(), seat: seat.0 }
    }

    /// The game in the form of the leaderboard, once it is over.
    pub fn finished(&self) -> Option<Finished> {
        let opened = self.opened();
        let outcome = OutcomeRecord::from(self.outcome()?);
        Some(Finished {
            room: opened.room,
            ruleset: opened.ruleset.clone(),
            options: opened.options.clone(),
            seats: self.seats.clone(),
            browsers: self.browsers.clone(),
            rated: self.is_rated(),
            elapsed_ms: (opened.table.is_some() || self.elapsed_ms > 0).then_some(self.elapsed_ms),
            turns: self.ply(),
            forfeits: self.forfeits().to_vec(),
            outcome,
        })
    }

    /// Whether the game counts for people: it has the usual rules, and its table says so or, without a table, the
    /// person came in a browser. Programs' games against bots never count.
    pub fn is_rated(&self) -> bool {
        let opened = self.opened();
        let has_other_rules = self.game().has_other_rules(&opened.options);
        let is_wanted = match &opened.table {
            Some(table) => table.rated,
            None => self.browsers.iter().any(Option::is_some),
        };
        is_wanted && !has_other_rules
    }

    /// The browsers of the people in the seats, by seat.
    pub fn browsers(&self) -> &[Option<Hex<32>>] {
        &self.browsers
    }

    /// Whether this person opened the room.
    pub fn is_hosted_by(&self, person: PersonId) -> bool {
        self.opened().table.as_ref().is_some_and(|table| table.host == person)
    }

    pub(crate) fn open_seats(&self) -> impl Iterator<Item = Seat> {
        (0..).map(Seat).zip(&self.seats).filter(|(_, seated)| **seated == Seated::Open).map(|(seat, _)| seat)
    }

    /// The seats with running clocks: those of people who have yet to answer.
    pub(crate) fn running(&self) -> impl Iterator<Item = Seat> {
        self.awaiting().filter(|seat| self.left_ms.get(seat.index()).is_some_and(Option::is_some))
    }

    /// Runs the clocks for some milliseconds.
    pub(crate) fn pass_time(&mut self, spent_ms: u64) {
        if !self.has_started() || self.outcome().is_some() {
            return;
        }
        self.elapsed_ms = self.elapsed_ms.saturating_add(spent_ms);
        let running: Vec<Seat> = self.running().collect();
        for seat in running {
            if let Some(left) = &mut self.left_ms[seat.index()] {
                *left = left.saturating_sub(spent_ms);
            }
        }
    }

    /// Updates the clock of a seat after its turn, and withdraws other seats' offers.
    pub(crate) fn after_turn(&mut self, seat: Seat) {
        self.offers.retain(|own| *own == seat);
        if let (Some(clock), Some(Some(left))) = (self.clock(), self.left_ms.get_mut(seat.index())) {
            *left = clock.after_turn_ms(*left);
        }
    }

    pub(crate) fn offer(&mut self, seat: Seat) -> Result<(), IllegalEvent> {
        if !self.is_in(seat) || self.offers.contains(&seat) || self.offered_in(self.ply(), seat) {
            return Err(TableFault::Agreement.into());
        }
        self.offers.push(seat);
        let ply = self.ply();
        self.offered.retain(|(at, _)| *at == ply);
        self.offered.push((ply, seat));
        Ok(())
    }

    pub(crate) fn decline(&mut self, seat: Seat) -> Result<(), IllegalEvent> {
        let Some(Seated::Person(person)) = self.seats.get(seat.index()).cloned() else {
            return Err(TableFault::Agreement.into());
        };
        let lapsed: Vec<Seat> = self.offers_to(person).collect();
        if !self.is_in(seat) || lapsed.is_empty() {
            return Err(TableFault::Agreement.into());
        }
        self.offers.retain(|offer| !lapsed.contains(offer));
        Ok(())
    }

    pub(crate) fn agree(&mut self, seat: Seat) -> Result<(), IllegalEvent> {
        let only_people = self.seats.iter().all(|seated| matches!(seated, Seated::Person(_)));
        let Some(Seated::Person(person)) = self.seats.get(seat.index()).cloned() else {
            return Err(TableFault::Agreement.into());
        };
        let mine: Vec<Seat> = self.seats_of(person).collect();
        if !only_people || !self.is_in(seat) || self.lacks(&mine).next().is_some() {
            return Err(TableFault::Agreement.into());
        }
        self.game_mut().agree().map(drop).map_err(|_| IllegalEvent::Over)
    }

    pub(crate) fn sit_down(
        &mut self,
        seat: Seat,
        Newcomer { person, program, browser }: Newcomer,
        lot: Option<&Hex<32>>,
    ) -> Result<(), IllegalEvent> {
        let Some(table) = self.opened().table.clone() else { return Err(IllegalEvent::Started) };
        if self.has_started() {
            return Err(IllegalEvent::Started);
        }
        if self.seats_of(person).next().is_some() {
            return Err(TableFault::Seated.into());
        }
        if !self.open_seats().any(|open| open == seat) {
            return Err(TableFault::NotOpen.into());
        }
        let fills = self.open_seats().count() == 1;
        if lot.is_some() != (fills && table.seating == Seating::Drawn) {
            return Err(TableFault::Lot.into());
        }
        if program && table.rated {
            return Err(TableFault::Rated.into());
        }
        if program && browser.is_some() {
            return Err(TableFault::Browser.into());
        }
        self.seats[seat.index()] = Seated::Person(person);
        self.browsers[seat.index()] = browser;
        if program {
            self.programs.push(seat);
            self.programs.sort();
        }
        if let Some(Hex(lot)) = lot {
            self.draw_seats(lot);
        }
        self.start();
        Ok(())
    }

    pub(crate) fn fill(
        &mut self,
        seat: Seat,
        Bot { entrant, opponent, start }: Bot,
        lot: Option<&Hex<32>>,
    ) -> Result<(), IllegalEvent> {
        let Some(table) = self.opened().table.clone().filter(|_| !self.has_started()) else {
            return Err(IllegalEvent::Started);
        };
        if !self.open_seats().any(|open| open == seat) {
            return Err(TableFault::NotOpen.into());
        }
        if lot.is_some() != (self.open_seats().count() == 1 && table.seating == Seating::Drawn) {
            return Err(TableFault::Lot.into());
        }
        if table.rated {
            return Err(TableFault::Rated.into());
        }
        if entrant.person().is_some() || opponent.is_some() != entrant.baseline().is_some() {
            return Err(IllegalEvent::Role { seat, why: "has a contender that records cannot name so" });
        }
        if let Some(digest) = opponent
            && *self.opponents.entry(entrant.clone()).or_insert(digest) != digest
        {
            return Err(IllegalEvent::Role { seat, why: "has another built-in opponent of the same name" });
        }
        self.seats[seat.index()] = Seated::Contender(entrant);
        self.starts[seat.index()] = start;
        if let Some(Hex(lot)) = lot {
            self.draw_seats(lot);
        }
        self.start();
        Ok(())
    }

    pub(crate) fn stand_up(&mut self, seat: Seat) -> Result<(), IllegalEvent> {
        if self.has_started() {
            return Err(IllegalEvent::Started);
        }
        match self.seats.get(seat.index()) {
            Some(Seated::Person(person)) if self.is_hosted_by(*person) => Err(TableFault::HostLeaves.into()),
            Some(Seated::Person(_)) => {
                self.seats[seat.index()] = Seated::Open;
                self.browsers[seat.index()] = None;
                self.programs.retain(|own| *own != seat);
                Ok(())
            }
            _ => Err(IllegalEvent::NotAsked(seat)),
        }
    }

    /// Draws new seats for everybody at the board.
    fn draw_seats(&mut self, lot: &[u8; 32]) {
        let mut drawn: Vec<Seat> = (0..).map(Seat).take(self.seats.len()).collect();
        Rng::new(lot, 0).shuffle(&mut drawn);
        let (seats, browsers, starts) = (self.seats.clone(), self.browsers.clone(), self.starts.clone());
        for (from, to) in drawn.iter().enumerate() {
            self.seats[to.index()] = seats[from].clone();
            self.browsers[to.index()] = browsers[from];
            self.starts[to.index()] = starts[from];
        }
        self.programs = self.programs.iter().map(|program| drawn[program.index()]).collect();
        self.programs.sort();
    }

    /// Whether a seat still plays.
    fn is_in(&self, seat: Seat) -> bool {
        self.forfeits().iter().all(|forfeit| forfeit.seat != seat.0)
    }

    /// The seats of people at the board that neither offer a draw nor are among these.
    fn lacks<'a>(&'a self, mine: &'a [Seat]) -> impl Iterator<Item = Seat> + 'a {
        let seats = (0..).map(Seat).take(self.seats.len());
        seats.filter(|seat| self.is_in(*seat) && !mine.contains(seat) && !self.offers.contains(seat))
    }

    /// Whether a seat offered a draw in this turn, though the offer may have lapsed.
    fn offered_in(&self, ply: u16, seat: Seat) -> bool {
        self.offered.contains(&(ply, seat))
    }
}
