//! Replaying a log, line by line and generation by generation, and asking its bots again.

use std::iter::Peekable;

use arena_record::{EntrantId, Hex};

use crate::machine::account_of;
use crate::{
    Answer, BadSnapshot, Bots, Event, Format, IllegalEvent, Machine, Next, ParseEventError, Players, SPAN_BYTES_MAX,
};

/// Why a file is not a span, or not one that follows the rules.
#[derive(Debug, thiserror::Error)]
pub enum SpanError {
    /// It is longer than a span may be.
    #[error("a span has at most {SPAN_BYTES_MAX} bytes")]
    TooLong,
    /// It has another version.
    #[error("its format is {0:?}, and this release reads {read:?}", read = Format::AtJoining.name())]
    OtherForm(String),
    /// A line is not an event.
    #[error("line {line}: {why}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// The reason.
        why: ParseEventError,
    },
    /// It does not begin with a snapshot.
    #[error("line 1: a span begins with a snapshot")]
    NoSnapshot,
    /// Its snapshot is not a world.
    #[error("line 1: {0}")]
    BadSnapshot(#[from] BadSnapshot),
    /// Its last line is not a digest, so nothing confirms where it leads.
    #[error("it does not end with a digest: a part of it is missing")]
    NoEnd,
    /// Recomputing gives something else.
    #[error("line {line}: {why}")]
    Differs {
        /// The line that differs, from 1.
        line: u64,
        /// The difference.
        why: IllegalEvent,
    },
}

/// The state at the end of a log.
#[derive(Debug)]
pub struct Replay {
    /// The world, and its log since the latest digest.
    pub machine: Machine,
    /// Its bots.
    pub bots: Bots,
    /// Bots' answers that are not due yet.
    pub answers: Option<Vec<Answer>>,
    /// The generation of the snapshot.
    pub from: u64,
    /// The hash of the snapshot, apart from the note on the build.
    pub begins: Hex<32>,
    /// Its calls, including those of bots.
    pub calls: u64,
    /// Bots whose calls were taken from the log, because they could not be asked.
    pub taken: Vec<EntrantId>,
    /// Whether it ends with a digest.
    pub ended: bool,
}

type Numbered<'a, I> = Peekable<ReadLines<'a, I>>;

/// Numbers the lines of a log from 1 and parses them.
struct ReadLines<'a, I: Iterator<Item = &'a str>> {
    number: u64,
    lines: I,
}

impl<'a, I: Iterator<Item = &'a str>> Iterator for ReadLines<'a, I> {
    type Item = Result<(u64, Event), SpanError>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.lines.next()?;
        self.number += 1;
        let line = self.number;
        Some(Event::parse(text).map(|event| (line, event)).map_err(|why| SpanError::Line { line, why }))
    }
}

/// Recomputes a log from its snapshot, lines and bots. It may end anywhere. Each line has a newline at its end.
///
/// # Errors
/// When it is not a log, or recomputing gives something else; with the first such line.
pub fn replay<'a>(lines: impl Iterator<Item = &'a str>, players: &mut dyn Players) -> Result<Replay, SpanError> {
    let mut lines = ReadLines { number: 0, lines }.peekable();
    let Some((_, Event::Opened(opened))) = lines.next().transpose()? else { return Err(SpanError::NoSnapshot) };
    let machine = Machine::open(&opened)?;
    let mut replay = Replay {
        begins: machine.snapshot(),
        machine,
        bots: Bots::default(),
        answers: None,
        from: opened.generation,
        calls: 0,
        taken: Vec::new(),
        ended: false,
    };
    replay.bots.snapshot(&replay.machine);
    replay.attend(players, &mut lines)?;
    while let Some(next) = lines.peek() {
        let Ok((line, event)) = next else { break };
        let (line, generation) = (*line, event.generation());
        if generation > replay.machine.world().generation() {
            replay.machine.reaches(generation).map_err(|why| SpanError::Differs { line, why })?;
            replay.machine.advance();
            replay.bots.reached(replay.machine.world());
            replay.attend(players, &mut lines)?;
            continue;
        }
        let Some((line, event)) = lines.next().transpose()? else { break };
        replay.happens(line, &event)?;
        // What bots do in the generation of a snapshot is in the span that the snapshot begins.
        if replay.ended && lines.peek().is_some() {
            replay.bots.snapshot(&replay.machine);
            replay.attend(players, &mut lines)?;
        }
    }
    // Returns the error of a line that could not be parsed.
    lines.next().transpose()?;
    Ok(replay)
}

impl Replay {
    /// Does what bots do in this generation: their calls must be the next lines, unless the log ends.
    fn attend<'a>(
        &mut self,
        players: &mut dyn Players,
        lines: &mut Numbered<'a, impl Iterator<Item = &'a str>>,
    ) -> Result<(), SpanError> {
        loop {
            match self.bots.next(self.machine.world()) {
                Next::Nothing => return Ok(()),
                Next::Ask(turn) => self.answers = Some(players.turn(&turn)),
                Next::Answers => self.bots.answered(&self.answers.take().unwrap_or_default()),
                Next::Gone(account) => {
                    let bot = self.bots.of(account).filter(|bot| !self.taken.contains(bot)).cloned();
                    self.taken.extend(bot);
                    let now = self.machine.world().generation();
                    let is_its = |next: &Result<(u64, Event), SpanError>| {
                        let Ok((_, event)) = next else { return false };
                        let (Event::Called { account: of, .. } | Event::Seated { account: of, .. }) = event else {
                            return false;
                        };
                        event.generation() == now && account_of(*of) == account
                    };
                    if let Some((line, event)) = lines.next_if(is_its).transpose()? {
                        self.happens(line, &event)?;
                    }
                }
                Next::Call(account, call) => {
                    let Ok(Some(expected)) = self.machine.propose(account, &call) else { continue };
                    // Bots that its holder could not ask any more.
                    let mut stays = true;
                    while let Some((line, event)) = lines.next_if(|next| is_leaving(next, &expected)).transpose()? {
                        self.happens(line, &event)?;
                        stays &= !matches!(event, Event::Seated { account: of, .. } if account_of(of) == account);
                    }
                    if !stays {
                        continue;
                    }
                    let Some((line, event)) = lines.next().transpose()? else {
                        // The log ends in the middle of a generation; its holder makes this call next.
                        self.bots.again(account, call);
                        return Ok(());
                    };
                    if event != expected {
                        let why = IllegalEvent::BotCalls(expected.to_line().trim_end().into());
                        return Err(SpanError::Differs { line, why });
                    }
                    self.happens(line, &event)?;
                }
            }
        }
    }

    /// Applies a line that is in its place.
    fn happens(&mut self, line: u64, event: &Event) -> Result<(), SpanError> {
        self.machine.apply(event).map_err(|why| SpanError::Differs { line, why })?;
        self.calls += u64::from(matches!(event, Event::Called { .. }));
        self.ended = matches!(event, Event::Checked { .. });
        self.bots.heard(event);
        Ok(())
    }
}

/// Whether a line unseats the bot of some account, in the generation of an event.
fn is_leaving(next: &Result<(u64, Event), SpanError>, event: &Event) -> bool {
    matches!(next, Ok((_, Event::Seated { generation, bot: None, .. })) if *generation == event.generation())
}
