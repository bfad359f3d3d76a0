//! Games out of text.

use std::collections::BTreeMap;

use arena_record::{Budgets, EntrantId, Forfeit, ForfeitCode, Header, Hex, RECORD_BYTES_MAX, Record};
use arena_referee::{Divergence, Fault, Referee, Refused, Reply};
use arena_rules::conquerors::{Colour, Position, Start};
use arena_rules::{Reason, Ruleset, Seat};
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
        let blue = tags.entrant("Blue")?;
        let red = tags.entrant("Red")?;
        let starts = vec![blue.start, red.start];
        let digests = [&blue, &red].map(|entrant| Some((entrant.id.clone(), entrant.digest?)));
        let any = |value: &str| Some(value.to_string());
        let header = Header {
            semantics: tags.one("Semantics", String::new(), any)?,
            build: tags.one("Build", String::new(), any)?,
            ruleset: tags.one("Ruleset", Position::ID.into(), |id| (id == Position::ID).then(|| id.into()))?,
            options: Position::options_text(&start),
            budgets,
            seed: tags.one("Seed", Hex([0; 32]), |seed| seed.parse().ok())?,
            entrants: vec![blue.id, red.id],
            opponents: digests.into_iter().flatten().collect(),
        };
        let result = tags.one("Result", None, |value| Some(Some(value.to_string())))?;
        let digest = tags.one("Digest", None, |value| Some(Some(value.to_string())))?;
        tags.none_left()?;
        Ok(Told { header, start, starts, forfeits, result, digest })
    }

    /// Plays the turns by the rules.
    fn play(&self, words: &[Word<'_>]) -> Result<Record, ParseGameError> {
        let header = &self.header;
        let start = Position::start(&self.start, &header.seed.0);
        let mut game = Referee::new(start, &header.options, &header.budgets);
        let at_turn = |turn: Option<u16>| self.forfeits.iter().filter(move |forfeit| forfeit.turn == turn);
        let wrong = |forfeit: &Forfeit| Divergence::Forfeit(Seat(forfeit.seat));
        for forfeit in at_turn(None) {
            game.fail_to_start(Seat(forfeit.seat), fault(forfeit)).map_err(|_| wrong(forfeit))?;
        }
        for (line, word) in words {
            let Some(mover) = game.position().to_move() else {
                return Err(ParseGameError::Over { line: *line, turns: game.turns().len() });
            };
            match word.strip_suffix('.') {
                Some(round) => numbered(round, game.position()),
                None => play(word, &mut game, mover),
            }
            .map_err(at(*line))?;
        }
        for forfeit in at_turn(Some(game.turn())) {
            game.forfeit(Seat(forfeit.seat), fault(forfeit)).map_err(|_| wrong(forfeit))?;
        }
        if self.result.as_deref().is_some_and(is_agreed) && game.outcome().is_none() {
            game.agree().map_err(|_| ParseGameError::NotOver(game.turns().len()))?;
        }
        if let Some(forfeit) = self.forfeits.iter().find(|forfeit| !game.forfeits().contains(forfeit)) {
            return Err(wrong(forfeit).into());
        }
        let record = game.record(header.clone(), self.starts.clone());
        record.ok_or(ParseGameError::NotOver(game.turns().len()))
    }
}

/// Whether a result is of a game whose players agreed to a draw: no turn and no forfeit says so.
fn is_agreed(result: &str) -> bool {
    result.split(' ').nth(1) == Some(Reason::Agreed.code())
}

fn fault(forfeit: &Forfeit) -> Fault {
    Fault { code: forfeit.code, detail: forfeit.detail.clone() }
}

/// Who sits in a seat: its id, the fuel of its start if there is any, and the digest of a built-in opponent.
struct Sitting {
    id: EntrantId,
    start: Option<u64>,
    digest: Option<Hex<32>>,
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

    /// Who sits there.
    fn entrant(&mut self, name: &str) -> Result<Sitting, ParseGameError> {
        let Some((line, tag)) = self.0.remove(name) else {
            return Ok(Sitting { id: EntrantId::of_person(Hex([0; 8])), start: None, digest: None });
        };
        let (id, start, digest) = match &tag.values[..] {
            [id] => (id, NO_FUEL, None),
            [id, start] => (id, start.as_str(), None),
            [id, start, digest] => (id, start.as_str(), Some(digest)),
            _ => return Err(at(line)(format!("the tag {name} has an entrant, the fuel of its start and a digest"))),
        };
        let start = if start == NO_FUEL { Some(None) } else { number(start).map(Some) };
        let start = start.ok_or_else(|| at(line)("the fuel of a start is a number or -".into()))?;
        let id = id.parse().map_err(|error: arena_record::ParseEntrantIdError| at(line)(error.to_string()))?;
        let digest = digest.map(|digest| digest.parse()).transpose();
        Ok(Sitting {
            id,
            start,
            digest: digest.map_err(|error: arena_record::ParseHexError| at(line)(error.to_string()))?,
        })
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
fn play(word: &str, game: &mut Referee<Position>, mover: Colour) -> Result<(), String> {
    let (turn, fuel) = match word.split_once('@') {
        None => (word, None),
        Some((turn, fuel)) => {
            let fuel = number(fuel).ok_or_else(|| format!("{fuel:?} is no amount of fuel: {word}"))?;
            (turn, Some(fuel))
        }
    };
    let action = parse_turn(turn).map_err(|error| error.to_string())?;
    let refused = |refused: Refused| format!("{} cannot play {turn}: {refused}", mover.name());
    game.submit(mover.seat(), Reply { action: Position::encode_action(&action), fuel }).map_err(refused)?;
    Ok(())
}
