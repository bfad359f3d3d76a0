//! Parses games from text.

use std::collections::BTreeMap;

use arena_record::{
    Budgets, EntrantId, Forfeit, ForfeitCode, Header, Hex, ParseEntrantIdError, ParseHexError, RECORD_BYTES_MAX, Record,
};
use arena_referee::{Divergence, Fault, Referee, Reply};
use arena_rules::conquerors::{Colour, Position, Start};
use arena_rules::{Reason, Ruleset, Seat};
use arena_wire::Protocol;

use crate::game::{AT_START, NO_FUEL, result};
use crate::tag::Tag;
use crate::{LineProblem, NOTATION, NOTATION_BYTES_MAX, ParseGameError, parse_turn};

/// The tag whose value has one form, which its refusal explains.
const OPTIONS: &str = "Options";

/// The record of a game in notation; the inverse of [`game_text`](crate::game_text). Tags may be missing, and in any
/// order: NOTATION.md lists their defaults.
///
/// # Errors
/// The first mistake in the text, with its line.
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

/// The tags and words of a text, without comments.
fn read(text: &str) -> Result<(Vec<Placed>, Vec<Word<'_>>), ParseGameError> {
    let (mut tags, mut words) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.starts_with('[') {
            let tag = Tag::parse(line).ok_or(LineProblem::Tag).map_err(at(number))?;
            tags.push((number, tag));
        } else {
            let told = line.split(';').next().unwrap_or_default();
            words.extend(told.split_whitespace().map(|word| (number, word)));
        }
    }
    Ok((tags, words))
}

fn at<P: Into<LineProblem>>(line: usize) -> impl Fn(P) -> ParseGameError {
    move |problem| ParseGameError::Line { line, problem: problem.into() }
}

/// What the tags state.
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
                forfeits.push(forfeit(&tag.values).ok_or(LineProblem::Forfeit).map_err(at(line))?);
            } else if let Some((_, tag)) = tags.insert(tag.name.clone(), (line, tag)) {
                return Err(at(line)(LineProblem::Twice(tag.name)));
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
        let start = tags.one(OPTIONS, Start::default(), Position::parse_options)?;
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

/// Whether a result says that the players agreed to a draw, which neither turns nor forfeits show.
fn is_agreed(result: &str) -> bool {
    result.split(' ').nth(1) == Some(Reason::Agreed.code())
}

fn fault(forfeit: &Forfeit) -> Fault {
    Fault { code: forfeit.code, detail: forfeit.detail.clone() }
}

/// The entrant in a seat: its id, the fuel of its start if any, and the digest of a built-in opponent.
struct Sitting {
    id: EntrantId,
    start: Option<u64>,
    digest: Option<Hex<32>>,
}

/// The tags that are not used yet.
struct Tags(BTreeMap<String, Placed>);

impl Tags {
    /// The value of a tag that takes one, or its default.
    fn one<T>(
        &mut self,
        name: &'static str,
        missing: T,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ParseGameError> {
        let Some((line, tag)) = self.0.remove(name) else { return Ok(missing) };
        let [value] = &tag.values[..] else { return Err(at(line)(LineProblem::OneValue(name))) };
        let value = value.clone();
        parse(&value).ok_or_else(|| match name {
            OPTIONS => at(line)(LineProblem::Options(value)),
            tag => at(line)(LineProblem::Value { tag, value }),
        })
    }

    /// The entrant of a seat's tag.
    fn entrant(&mut self, name: &'static str) -> Result<Sitting, ParseGameError> {
        let Some((line, tag)) = self.0.remove(name) else {
            return Ok(Sitting { id: EntrantId::of_person(Hex([0; 8])), start: None, digest: None });
        };
        let (id, start, digest) = match &tag.values[..] {
            [id] => (id, NO_FUEL, None),
            [id, start] => (id, start.as_str(), None),
            [id, start, digest] => (id, start.as_str(), Some(digest)),
            _ => return Err(at(line)(LineProblem::Player(name))),
        };
        let start = if start == NO_FUEL { Some(None) } else { number(start).map(Some) };
        let start = start.ok_or_else(|| at(line)(LineProblem::StartFuel))?;
        let id = id.parse().map_err(at::<ParseEntrantIdError>(line))?;
        let digest = digest.map(|digest| digest.parse()).transpose().map_err(at::<ParseHexError>(line))?;
        Ok(Sitting { id, start, digest })
    }

    fn none_left(&self) -> Result<(), ParseGameError> {
        match self.0.values().next() {
            None => Ok(()),
            Some((line, tag)) => Err(at(*line)(LineProblem::UnknownTag(tag.name.clone()))),
        }
    }
}

/// A number without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// The forfeit that the values of a tag describe.
fn forfeit(values: &[String]) -> Option<Forfeit> {
    let [colour, turn, code, detail] = values else { return None };
    let seat = Colour::BOTH.into_iter().find(|other| other.name() == colour)?.seat().0;
    let turn = match turn.as_str() {
        AT_START => None,
        turn => Some(u16::try_from(number(turn)?.checked_sub(1)?).ok()?),
    };
    let code = ForfeitCode::ALL.into_iter().find(|other| other.as_str() == code)?;
    Some(Forfeit { seat, turn, code, detail: detail.clone() })
}

/// A number before a turn is that of the round, and the turn is blue's.
fn numbered(round: &str, position: &Position) -> Result<(), LineProblem> {
    let right = position.round().to_string() == round && position.to_move() == Some(Colour::Blue);
    let mover = position.to_move().map_or("nobody", Colour::name);
    if right { Ok(()) } else { Err(LineProblem::Round { written: round.into(), mover, round: position.round() }) }
}

/// Plays a word such as `m3,m4,n3,n4@12000`.
fn play(word: &str, game: &mut Referee<Position>, mover: Colour) -> Result<(), LineProblem> {
    let (turn, fuel) = match word.split_once('@') {
        None => (word, None),
        Some((turn, fuel)) => {
            let wrong = || LineProblem::Fuel { fuel: fuel.into(), word: word.into() };
            (turn, Some(number(fuel).ok_or_else(wrong)?))
        }
    };
    let action = parse_turn(turn)?;
    let refused = |refused| LineProblem::Refused { mover: mover.name(), turn: turn.into(), refused };
    game.submit(mover.seat(), Reply { action: Position::encode_action(&action), fuel }).map_err(refused)?;
    Ok(())
}
