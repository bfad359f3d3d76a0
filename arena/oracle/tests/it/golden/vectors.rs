//! Reading the vectors.

use arena_oracle::{Board, BySeat, Cell, Options, Player, Tier, View, parse_board};
use serde_json::Value;

/// One line of a file.
pub(crate) struct Line {
    value: Value,
    place: String,
}

impl Line {
    /// A member of the line.
    pub(crate) fn get(&self, key: &str) -> &Value {
        &self.value[key]
    }

    /// The board of the line.
    pub(crate) fn board(&self) -> Board {
        board(self.get("board"))
    }

    /// The player of the line; where a file does not say, the vectors are red's.
    pub(crate) fn player(&self) -> Player {
        if self.get("player").is_null() { Player::Red } else { player(self.get("player")) }
    }

    /// The round of the line.
    pub(crate) fn round(&self) -> u32 {
        number(self.get("round"))
    }

    /// The tier of the line.
    pub(crate) fn tier(&self) -> Tier {
        match self.get("diff").as_str() {
            Some("easy") => Tier::Easy,
            Some("normal") => Tier::Normal,
            Some("hard") => Tier::Hard,
            other => panic!("{}: no tier {other:?}", self.place),
        }
    }

    /// The line's position as the line's player sees it, with the bomb ready.
    pub(crate) fn view(&self) -> View {
        let round = if self.get("round").is_null() { 1 } else { self.round() };
        View::new(&self.board(), self.player(), round, 0, Options::V2)
    }
}

/// Runs a check over all lines of a file; what the check returns says what is wrong.
pub(crate) fn for_each_line(file: &str, lines: usize, check: impl Fn(&Line) -> Result<(), String>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sdk/rules/tests/golden/conquerors");
    let text = std::fs::read_to_string(format!("{folder}/{file}")).expect("the golden vectors are in the repository");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (index, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", index + 1);
        let value = serde_json::from_str(line).expect("each line is JSON");
        let line = Line { value, place };
        seen += 1;
        if let Err(reason) = check(&line) {
            wrong.push(format!("{}: {reason}", line.place));
        }
    }
    assert_eq!(seen, lines, "lines of {file}");
    assert!(wrong.is_empty(), "{} of {seen} lines fail, the first: {}", wrong.len(), wrong[0]);
}

/// `Ok` if both are equal, else what they are.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, wanted: T) -> Result<(), String> {
    if ours == wanted { Ok(()) } else { Err(format!("{what}: {ours:?}, wanted {wanted:?}")) }
}

pub(crate) fn board(value: &Value) -> Board {
    value.as_str().and_then(parse_board).expect("a board text")
}

pub(crate) fn player(value: &Value) -> Player {
    match value.as_u64() {
        Some(1) => Player::Blue,
        Some(2) => Player::Red,
        other => panic!("no player {other:?}"),
    }
}

pub(crate) fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).expect("a number")
}

pub(crate) fn integer(value: &Value) -> i64 {
    value.as_i64().expect("an integer")
}

/// `[row, column]`, with anything behind ignored.
pub(crate) fn cell(value: &Value) -> Cell {
    Cell { row: number(&value[0]) as usize, column: number(&value[1]) as usize }
}

pub(crate) fn cells(value: &Value) -> Vec<Cell> {
    list(value).iter().map(cell).collect()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

pub(crate) fn numbers(value: &Value) -> BySeat<u32> {
    BySeat { blue: number(&value[0]), red: number(&value[1]) }
}

pub(crate) fn flags(value: &Value) -> BySeat<bool> {
    let flag = |value: &Value| value.as_bool().expect("true or false");
    BySeat { blue: flag(&value[0]), red: flag(&value[1]) }
}

pub(crate) fn strings(value: &Value) -> Vec<&str> {
    list(value).iter().map(|one| one.as_str().expect("a string")).collect()
}
