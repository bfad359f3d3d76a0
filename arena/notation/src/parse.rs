//! Games out of text.

use std::collections::BTreeMap;

use arena_record::{
    Budgets, Bytes, Chain, EntrantId, Forfeit, ForfeitCode, Header, Hex, Play, RECORD_BYTES_MAX, Record, TurnRecord,
};
use arena_referee::Divergence;
use arena_rules::conquerors::{Colour, Position, Start};
use arena_rules::{BySeat, Ruleset, Seat};
use arena_wire::Protocol;

use crate::game::{AT_START, NO_FUEL, result};
use crate::tag::Tag;
use crate::{NOTATION, parse_turn};

/// The longest text that is read, in bytes: what a record of the greatest length may take here. Of its characters the delete
/// character grows most, to `\u{7f}`.
pub const NOTATION_BYTES_MAX: usize = 6 * RECORD_BYTES_MAX;

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseGameError {
    /// Longer than any game.
    #[error("a game has at most {NOTATION_BYTES_MAX} bytes, this text has {0}")]
    TooLong(usize),
    /// A game whose record nobody would read.
    #[error(
        "the record of this game would have {0} bytes, and at most {RECORD_BYTES_MAX} are read: say less in its tags"
    )]
    RecordTooLong(usize),
    /// Something on a line.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it and what would be right.
        problem: String,
    },
    /// No end.
    #[error("the game is not over after turn {0}: play it to its end, or say who gave up in a Forfeit tag")]
    NotOver(usize),
    /// Turns after the end.
    #[error("line {line}: the game is over after turn {turns}")]
    Over {
        /// The line, from 1.
        line: usize,
        /// Turns until the end.
        turns: usize,
    },
    /// The text says another result or digest than the rules.
    #[error("the {tag} tag says {written:?}, and the rules say {derived:?}")]
    Derived {
        /// The tag.
        tag: &'static str,
        /// What it says.
        written: String,
        /// What follows from the turns.
        derived: String,
    },
    /// Forfeits that cannot have happened so.
    #[error(transparent)]
    Divergence(#[from] Divergence),
}

/// The record of a game in notation; the inverse of [`game_text`](crate::game_text). Tags may be missing, in any order: see NOTATION.md
/// for what stands in for them.
///
/// # Errors
/// The first thing that is wrong with the text, with its line.
pub fn parse_game(text: &str) -> Result<Record, ParseGameError> {
    if text.len() > NOTATION_BYTES_MAX {
        return Err(ParseGameError::TooLong(text.len()));
    }
    let (tags, words) = read(text)?;
    let game = Told::of(tags)?;
    let record = game.play(&words)?;
    arena_referee::check(&record)?;
    let bytes = record.to_text().len();
    if bytes > RECORD_BYTES_MAX {
        return Err(ParseGameError::RecordTooLong(bytes));
    }
    let derived = [("Result", game.result, result(&record)), ("Digest", game.digest, record.digest.to_string())];
    for (tag, written, derived) in derived {
        if let Some(written) = written.filter(|written| *written != derived) {
            return Err(ParseGameError::Derived { tag, written, derived });
        }
    }
    Ok(record)
}

/// A word of the game's turns, and the line it is on.
type Word<'a> = (usize, &'a str);

/// A tag and the line it is on.
type Placed = (usize, Tag);

/// The tags and the words of a text, without comments.
fn read(text: &str) -> Result<(Vec<Placed>, Vec<Word<'_>>), ParseGameError> {
    let (mut tags, mut words) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.starts_with('[') {
            tags.push((number, Tag::parse(line).map_err(at(number))?));
        } else {
            let told = line.split(';').next().unwrap_or_default();
            words.extend(told.split_whitespace().map(|word| (number, word)));
        }
    }
    Ok((tags, words))
}

fn at(line: usize) -> impl Fn(String) -> ParseGameError {
    move |problem| ParseGameError::Line { line, problem }
}

/// What the tags tell.
struct Told {
    header: Header,
    start: Start,
    starts: Vec<Option<u64>>,
    forfeits: Vec<Forfeit>,
    result: Option<String>,
    digest: Option<String>,
}

impl Told {
    fn of(placed: Vec<Placed>) -> Result<Told, ParseGameError> {
        let mut forfeits = Vec::new();
        let mut tags: BTreeMap<String, Placed> = BTreeMap::new();
        for (line, tag) in placed {
            if tag.name == "Forfeit" {
                forfeits.push(forfeit(&tag.values).map_err(at(line))?);
            } else if let Some((_, tag)) = tags.insert(tag.name.clone(), (line, tag)) {
                return Err(at(line)(format!("the tag {} is there twice", tag.name)));
            }
        }
        let mut tags = Tags(tags);
        tags.one("Notation", (), |value| (value == NOTATION).then_some(()))?;
        let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = Budgets::DEFAULT;
        let budgets = Budgets {
            fuel_per_move: tags.one("FuelPerMove", fuel_per_move, number)?,
            fuel_per_game: tags.one("FuelPerGame", fuel_per_game, |fuel| number(fuel).map(Some))?,
            fuel_at_start: tags.one("FuelAtStart", fuel_at_start, number)?,
            memory_bytes: tags.one("MemoryBytes", memory_bytes, number)?,
            module_bytes: tags.one("ModuleBytes", module_bytes, number)?,
        };
        let start = tags.one("Options", Start::default(), Position::parse_options)?;
        let (blue, blue_start) = tags.entrant("Blue")?;
        let (red, red_start) = tags.entrant("Red")?;
        let any = |value: &str| Some(value.to_string());
        let header = Header {
            semantics: tags.one("Semantics", String::new(), any)?,
            build: tags.one("Build", String::new(), any)?,
            ruleset: tags.one("Ruleset", Position::ID.into(), |id| (id == Position::ID).then(|| id.into()))?,
            options: Position::options_text(&start),
            budgets,
            seed: tags.one("Seed", Hex([0; 32]), |seed| seed.parse().ok())?,
            entrants: vec![blue, red],
        };
        let result = tags.one("Result", None, |value| Some(Some(value.to_string())))?;
        let digest = tags.one("Digest", None, |value| Some(Some(value.to_string())))?;
        tags.none_left()?;
        Ok(Told { header, start, starts: vec![blue_start, red_start], forfeits, result, digest })
    }

    /// Plays the turns by the rules.
    fn play(&self, words: &[Word<'_>]) -> Result<Record, ParseGameError> {
        let header = self.header.clone();
        let mut position = Position::start(&self.start, &header.seed.0);
        let forfeit_at = |position: &mut Position, turn: Option<u16>| {
            let now = self.forfeits.iter().filter(|forfeit| forfeit.turn == turn);
            now.for_each(|forfeit| position.forfeit(Seat(forfeit.seat)));
        };
        forfeit_at(&mut position, None);
        let mut chain = Chain::start(&header.ruleset, &header.options, &position.state());
        let mut turns = Vec::new();
        for (line, word) in words {
            let Some(mover) = position.to_move() else {
                return Err(ParseGameError::Over { line: *line, turns: turns.len() });
            };
            if let Some(round) = word.strip_suffix('.') {
                numbered(round, &position).map_err(at(*line))?;
                continue;
            }
            let play = play(word, &mut position, mover).map_err(at(*line))?;
            chain = chain.turn([(Seat(play.seat), &play.action.0[..])], &position.state());
            turns.push(TurnRecord { plays: vec![play], digest: Hex(chain.short()) });
        }
        forfeit_at(&mut position, Some(turns.len() as u16));
        let outcome = position.outcome().ok_or(ParseGameError::NotOver(turns.len()))?;
        let digest = chain.end(&outcome);
        Ok(Record::new(header, self.starts.clone(), turns, self.forfeits.clone(), &outcome, digest))
    }
}

/// The tags that were not asked for yet.
struct Tags(BTreeMap<String, Placed>);

impl Tags {
    /// The value of a tag that has one, or what stands in for it.
    fn one<T>(&mut self, name: &str, missing: T, parse: impl Fn(&str) -> Option<T>) -> Result<T, ParseGameError> {
        let Some((line, tag)) = self.0.remove(name) else { return Ok(missing) };
        let [value] = &tag.values[..] else { return Err(at(line)(format!("the tag {name} has one value"))) };
        parse(value).ok_or_else(|| at(line)(format!("{value:?} is no value of the tag {name}")))
    }

    /// Who sits there, and the fuel of the start if there is any.
    fn entrant(&mut self, name: &str) -> Result<(EntrantId, Option<u64>), ParseGameError> {
        let Some((line, tag)) = self.0.remove(name) else { return Ok((EntrantId::of_person(Hex([0; 8])), None)) };
        let (id, start) = match &tag.values[..] {
            [id] => (id, NO_FUEL),
            [id, start] => (id, start.as_str()),
            _ => return Err(at(line)(format!("the tag {name} has an entrant and the fuel of its start"))),
        };
        let start = if start == NO_FUEL { Some(None) } else { number(start).map(Some) };
        let start = start.ok_or_else(|| at(line)("the fuel of a start is a number or -".into()))?;
        Ok((id.parse().map_err(|error: arena_record::ParseEntrantIdError| at(line)(error.to_string()))?, start))
    }

    fn none_left(&self) -> Result<(), ParseGameError> {
        match self.0.values().next() {
            None => Ok(()),
            Some((line, tag)) => Err(at(*line)(format!("there is no tag {}", tag.name))),
        }
    }
}

/// A number without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

fn forfeit(values: &[String]) -> Result<Forfeit, String> {
    let wrong = || {
        "a forfeit is written [Forfeit \"blue\" \"3\" \"resigned\" \"in words\"]: who, in which turn from 1 or \"start\", a \
         code of FORMAT.md, and anything"
            .to_string()
    };
    let [colour, turn, code, detail] = values else { return Err(wrong()) };
    let seat = Colour::BOTH.into_iter().find(|other| other.name() == colour).ok_or_else(wrong)?.seat().0;
    let turn = match turn.as_str() {
        AT_START => None,
        turn => {
            let from_one = number(turn).and_then(|turn| turn.checked_sub(1));
            Some(from_one.and_then(|turn| u16::try_from(turn).ok()).ok_or_else(wrong)?)
        }
    };
    let code = ForfeitCode::ALL.into_iter().find(|other| other.as_str() == code).ok_or_else(wrong)?;
    Ok(Forfeit { seat, turn, code, detail: detail.clone() })
}

/// A number before a turn is the round's, and blue's turn follows.
fn numbered(round: &str, position: &Position) -> Result<(), String> {
    let right = position.round().to_string() == round && position.to_move() == Some(Colour::Blue);
    let mover = position.to_move().map_or("nobody", Colour::name);
    if right {
        Ok(())
    } else {
        Err(format!("{round}. is not here: it is {mover}'s turn in round {}", position.round()))
    }
}

/// Plays a word such as `m3,m4,n3,n4@12000`.
fn play(word: &str, position: &mut Position, mover: Colour) -> Result<Play, String> {
    let (turn, fuel) = match word.split_once('@') {
        None => (word, None),
        Some((turn, fuel)) => {
            let fuel = number(fuel).ok_or_else(|| format!("{fuel:?} is no amount of fuel: {word}"))?;
            (turn, Some(fuel))
        }
    };
    let action = parse_turn(turn).map_err(|error| error.to_string())?;
    let seat = mover.seat();
    let checked =
        position.check(seat, &action).map_err(|refusal| format!("{} cannot play {turn}: {refusal}", mover.name()))?;
    position.advance(BySeat::new(2, |other| (other == seat).then(|| checked.clone())));
    Ok(Play { seat: seat.0, action: Bytes(Position::encode_action(&action)), fuel })
}
