//! A log once more, line by line and generation by generation, with its bots asked again.

use std::iter::Peekable;

use arena_record::EntrantId;

use crate::{
    Answer, BadSnapshot, Bots, Event, FORMAT, IllegalEvent, Machine, Next, ParseEventError, Players, SPAN_BYTES_MAX,
};

/// Why a file is no span, or not one of a world that went by the rules.
#[derive(Debug, thiserror::Error)]
pub enum SpanError {
    /// Longer than a span.
    #[error("a span has at most {SPAN_BYTES_MAX} bytes")]
    TooLong,
    /// Another version of the file.
    #[error("its format is {0:?}, and this release reads {FORMAT:?}")]
    OtherForm(String),
    /// A line is no event; counted from 1.
    #[error("line {line}: {why}")]
    Line {
        /// Which line.
        line: u64,
        /// Why it is none.
        why: ParseEventError,
    },
    /// It does not begin with a snapshot.
    #[error("line 1: a span begins with a snapshot")]
    NoSnapshot,
    /// Its snapshot is no world.
    #[error("line 1: {0}")]
    BadSnapshot(#[from] BadSnapshot),
    /// Its last line is no digest, so nothing says where it leads.
    #[error("it does not end with a digest: a part of it is missing")]
    NoEnd,
    /// Computing comes to something else.
    #[error("line {line}: {why}")]
    Differs {
        /// Which line says otherwise, from 1.
        line: u64,
        /// What was found instead.
        why: IllegalEvent,
    },
}

/// Where a log leads.
#[derive(Debug)]
pub struct Replay {
    /// The world, and what is in its log since the latest digest.
    pub machine: Machine,
    /// Its bots.
    pub bots: Bots,
    /// What bots have answered to questions whose answers are not due yet.
    pub answers: Option<Vec<Answer>>,
    /// The generation of the snapshot.
    pub from: u64,
    /// Calls in it, those of bots included.
    pub calls: u64,
    /// The bots whose calls were taken from the log, because nobody could ask them.
    pub taken: Vec<EntrantId>,
    /// Whether it ends with a digest.
    pub ended: bool,
}

type Numbered<'a, I> = Peekable<ReadLines<'a, I>>;

/// Lines of a log with their numbers from 1, as events.
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

/// Computes a log once more from its snapshot, lines and bots; it may end anywhere. Each line has a newline at its end.
///
/// # Errors
/// When it is no log, or comes out otherwise; with the first line.
pub fn replay<'a>(lines: impl Iterator<Item = &'a str>, players: &mut dyn Players) -> Result<Replay, SpanError> {
    let mut lines = ReadLines { number: 0, lines }.peekable();
    let Some((_, Event::Opened(opened))) = lines.next().transpose()? else { return Err(SpanError::NoSnapshot) };
    let mut replay = Replay {
        machine: Machine::open(&opened)?,
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
            replay.machine.go_on();
            replay.bots.reached(replay.machine.world());
            replay.attend(players, &mut lines)?;
            continue;
        }
        let Some((line, event)) = lines.next().transpose()? else { break };
        replay.happens(line, &event)?;
        // What bots do in the generation of a snapshot is in the span that begins with it.
        if replay.ended && lines.peek().is_some() {
            replay.bots.snapshot(&replay.machine);
            replay.attend(players, &mut lines)?;
        }
    }
    // A line that could not be read.
    lines.next().transpose()?;
    Ok(replay)
}

fn account_of(account: arena_record::Hex<8>) -> arena_rules::life2::Account {
    arena_rules::life2::Account(u64::from_be_bytes(account.0))
}

impl Replay {
    /// Does what is to be done about bots in this generation: their calls must be the next lines, as far as the log goes.
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
                    // Those that its holder could not ask any more.
                    let mut stays = true;
                    while let Some((line, event)) = lines.next_if(|next| is_leaving(next, &expected)).transpose()? {
                        self.happens(line, &event)?;
                        stays &= !matches!(event, Event::Seated { account: of, .. } if account_of(of) == account);
                    }
                    if !stays {
                        continue;
                    }
                    let Some((line, event)) = lines.next().transpose()? else {
                        // The log ends in the middle of a generation: its holder makes this call next.
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

    /// A line that stands where it may.
    fn happens(&mut self, line: u64, event: &Event) -> Result<(), SpanError> {
        self.machine.apply(event).map_err(|why| SpanError::Differs { line, why })?;
        self.calls += u64::from(matches!(event, Event::Called { .. }));
        self.ended = matches!(event, Event::Checked { .. });
        if let Event::Seated { account, bot, .. } = event {
            self.bots.seated(account_of(*account), bot.as_ref());
        }
        Ok(())
    }
}

/// Whether a line says that nobody plays for some account any more, in the generation of an event.
fn is_leaving(next: &Result<(u64, Event), SpanError>, event: &Event) -> bool {
    matches!(next, Ok((_, Event::Seated { generation, bot: None, .. })) if *generation == event.generation())
}
