//! Pictures for the rules: positions made by the rules, drawn as vectors, so that they need no script.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use arena_rules::{BySeat, Seat};
use arena_wire::{Call, GAMES, Game, Picture, Point, Protocol, Visitor, Zone};

use crate::language::{Message, Text};
use crate::lessons::{Start, blocks};
use crate::text;

/// Boards side by side, with a caption.
pub(crate) struct Figure {
    pub(crate) caption: Message,
    pub(crate) boards: Vec<Drawn>,
}

/// A board, or a part of it, in units of a cell.
pub(crate) struct Drawn {
    pub(crate) rows: u16,
    pub(crate) cols: u16,
    /// Strips of the board: where each begins, how wide it is, and the name of its style.
    pub(crate) zones: Vec<(u16, u16, &'static str)>,
    pub(crate) cells: Vec<Mark>,
    /// Cells that are open to blue.
    pub(crate) open: Vec<(u16, u16)>,
    /// Cells in walls.
    pub(crate) walls: Vec<(u16, u16)>,
    /// The label below it.
    pub(crate) label: Message,
}

/// A living cell: the position of its centre, and its owner.
pub(crate) struct Mark {
    pub(crate) col: u16,
    pub(crate) row: u16,
    /// The owner's seat, from 0; `None` for a cell of no seat.
    pub(crate) seat: Option<u8>,
}

/// A board with more columns is drawn without marks, because its cells are too small for them.
const MARKED_COLS_MAX: u16 = 32;

impl Drawn {
    /// The cells that are drawn as marks.
    pub(crate) fn marks(&self) -> &[Mark] {
        if self.cols > MARKED_COLS_MAX { &[] } else { &self.cells }
    }

    /// The other cells: one path for each seat, made of the runs in each row.
    pub(crate) fn grounds(&self) -> Vec<(Option<u8>, String)> {
        if self.cols <= MARKED_COLS_MAX {
            return Vec::new();
        }
        let mut paths: BTreeMap<Option<u8>, String> = BTreeMap::new();
        let beside = |one: &Mark, next: &Mark| (one.seat, one.row, one.col + 1) == (next.seat, next.row, next.col);
        for run in self.cells.chunk_by(beside) {
            let [first, ..] = run else { continue };
            // Writing to a string cannot fail.
            let _ = write!(
                paths.entry(first.seat).or_default(),
                "M{} {}h{}v1h-{}z",
                first.col,
                first.row,
                run.len(),
                run.len()
            );
        }
        paths.into_iter().collect()
    }

    fn of(picture: &Picture, zones: &[Zone], label: Message) -> Drawn {
        let mut strips = Vec::new();
        let mut from = 0;
        for zone in zones {
            let look = match zone.seat {
                Some(Seat(0)) => "zone-0",
                Some(_) => "zone-1",
                None => "zone-neutral",
            };
            strips.push((from, zone.cols, look));
            from += zone.cols;
        }
        let mark = |(at, cell): (usize, &u8)| {
            let at = u16::try_from(at).ok()?;
            let seat = (*cell != Picture::NEUTRAL).then(|| cell - 1);
            Some(Mark { col: at % picture.cols, row: at / picture.cols, seat })
        };
        let living = picture.cells.iter().enumerate().filter(|(_, cell)| **cell != 0);
        Drawn {
            rows: picture.rows,
            cols: picture.cols,
            zones: strips,
            cells: living.filter_map(mark).collect(),
            open: Vec::new(),
            walls: Vec::new(),
            label,
        }
    }
}

/// What to draw of a position.
enum Shown {
    /// The cells that are open to the seat that moves.
    Open,
    /// A turn: the board before it, the board it leaves, and the generation after it.
    Turn { tool: &'static str, cells: &'static [(u16, u16)] },
}

/// Draws the position in an observation.
struct Draw(Vec<u8>, Shown, &'static [Message]);

impl Visitor for Draw {
    type Out = Option<Vec<Drawn>>;
    fn visit<P: Protocol>(self, _: P) -> Option<Vec<Drawn>> {
        let Draw(bytes, shown, labels) = self;
        let position = P::observe(&bytes).ok()?.position;
        let label = |at: usize| labels.get(at).copied().unwrap_or(Text::default);
        let drawn = |picture: &Picture, at: usize| Drawn::of(picture, P::ZONES, label(at));
        let now = drawn(&position.picture(), 0);
        match shown {
            Shown::Open => {
                let usual = P::TOOLS.first()?;
                let open = position.choices(Seat(0), &[Call::new(*usual, Vec::<Point>::new())]);
                Some(vec![Drawn { open: open.iter().map(|cell| (cell.col, cell.row)).collect(), ..now }])
            }
            Shown::Turn { tool, cells } => {
                let tool = P::TOOLS.iter().find(|known| known.name == tool)?;
                let cells = cells.iter().map(|(row, col)| Point { row: *row, col: *col });
                let stages = position.stages(Seat(0), &[Call::new(*tool, cells)])?;
                Some(vec![now, drawn(&stages.before, 1), drawn(&stages.after, 2)])
            }
        }
    }
}

/// Turns of a game in which all seats act at once. In each, every seat names the cell at the same index among its legal
/// ones. The index is the one after which the most cells live, so that there is something to see.
struct Together;

/// The number in the second picture's caption.
const TURNS_TOGETHER: usize = 8;

impl Visitor for Together {
    type Out = Option<Vec<Drawn>>;
    fn visit<P: Protocol>(self, start: P) -> Option<Vec<Drawn>> {
        let usual = P::TOOLS.first()?;
        let named = |now: &P, place: usize| {
            let mut turns = BySeat::new(now.seats(), |_| None);
            for seat in now.awaiting().iter() {
                let cells = now.choices(seat, &[Call::new(*usual, Vec::<Point>::new())]);
                let cell = *cells.get(place)?;
                turns[seat] = now.check(seat, &P::compose(&[Call::new(*usual, [cell])])?).ok();
            }
            let mut after = now.clone();
            after.advance(turns);
            Some(after)
        };
        let living = |position: &P| position.picture().cells.iter().filter(|cell| **cell != 0).count();
        let mut after = start.clone();
        for _ in 0..TURNS_TOGETHER {
            after = (0..).map_while(|place| named(&after, place)).max_by_key(living)?;
        }
        let before = Drawn::of(&start.picture(), P::ZONES, text::picture_before as Message);
        Some(vec![before, Drawn::of(&after.picture(), P::ZONES, text::picture_eight_turns_later as Message)])
    }
}

/// A glider that goes down and to the right: rows and columns from its corner.
const GLIDER: [(u16, u16); 5] = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];

/// Every seat starts a glider in each of the first turns; shows the ground they crossed when they meet those of other
/// kingdoms.
struct Gliders;

/// Kingdoms with gliders: as many as seats have colours.
const KINGDOMS: &str = "seats=8,coins=1000";
/// The direction of each turn's glider: whether up, and whether to the left.
const GLIDERS_GO: [(bool, bool); 4] = [(false, false), (true, true), (false, true), (true, false)];
/// The number in the second picture's caption.
const TURNS_OF_GLIDERS: usize = 16;

impl Visitor for Gliders {
    type Out = Option<Vec<Drawn>>;
    fn visit<P: Protocol>(self, start: P) -> Option<Vec<Drawn>> {
        let usual = P::TOOLS.first()?;
        let corner = |seat| start.choices(seat, &[Call::new(*usual, Vec::<Point>::new())]).first().copied();
        let corners = BySeat::new(start.seats(), corner);
        let mut position = start.clone();
        for turn in 0..TURNS_OF_GLIDERS {
            let mut turns = BySeat::new(position.seats(), |_| None);
            if let Some((up, left)) = GLIDERS_GO.get(turn) {
                // A base has room for two of them in each direction.
                let along = |back: bool, at: u16| if back { 2 - at } else { 3 + at };
                for seat in position.awaiting().iter() {
                    let Point { row, col } = corners[seat]?;
                    let cells = GLIDER
                        .map(|(down, right)| Point { row: row + along(*up, down), col: col + along(*left, right) });
                    turns[seat] = position.check(seat, &P::compose(&[Call::new(*usual, cells)])?).ok();
                }
            }
            position.advance(turns);
        }
        let [before, after] =
            [(&start, text::picture_before as Message), (&position, text::picture_sixteen_turns_later as Message)]
                .map(|(position, label)| Drawn::of(&position.picture(), P::ZONES, label));
        Some(vec![before, after])
    }
}

const TURN: &[Message] = &[
    text::picture_before_the_turn as Message,
    text::picture_the_turn as Message,
    text::picture_after_the_generation as Message,
];

/// The pictures for each game's rules, drawn on first use.
static FIGURES: [OnceLock<Vec<Figure>>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];

/// The pictures for a game's rules; empty for a game without any.
pub(crate) fn of(game: &Game) -> &'static [Figure] {
    let place = GAMES.iter().position(|known| known.ruleset == game.ruleset);
    place.map_or(&[], |place| FIGURES[place].get_or_init(|| figures(game)))
}

const IN_EVERY_ZONE: &[[(u8, u8); 4]] = &blocks([(12, 3), (12, 13), (12, 20)]);

fn figures(game: &Game) -> Vec<Figure> {
    let drawn = |start: Start, shown: Shown, labels| {
        let boards = start.shown().and_then(|bytes| {
            arena_wire::start(game.ruleset, game.casual, &[0; 32], Draw(bytes, shown, labels)).ok().flatten()
        });
        boards.unwrap_or_default()
    };
    match game.name() {
        "conquerors" => {
            let place = Start::Conquerors {
                round: 1,
                blue: &[(12, 3), (12, 4), (18, 3), (18, 4), (18, 5), (5, 5), (5, 6)],
                red: &[(10, 24), (10, 25), (11, 24), (11, 25)],
            };
            let turn = Shown::Turn { tool: "place", cells: &[(13, 3), (13, 4), (5, 12), (20, 14)] };
            let chain = [
                (&[][..], text::picture_no_cell_at_home as Message),
                (&[(12, 3), (12, 4), (13, 3), (13, 4)][..], text::picture_a_cell_at_home as Message),
                (IN_EVERY_ZONE.as_flattened(), text::picture_cells_in_all_three as Message),
            ];
            let open = chain.into_iter().flat_map(|(blue, label)| {
                let start = Start::Conquerors { round: 2, blue, red: &[(3, 24), (3, 25), (4, 24), (4, 25)] };
                let boards = drawn(start, Shown::Open, &[]);
                boards.into_iter().map(move |board| Drawn { label, ..board })
            });
            let bombed = Start::Conquerors {
                round: 7,
                blue: &[(12, 3), (12, 4), (13, 3), (13, 4)],
                red: &[(12, 22), (12, 23), (13, 22), (13, 23), (11, 25), (12, 25), (13, 25)],
            };
            vec![
                Figure { caption: text::picture_a_turn_places_four, boards: drawn(place, turn, TURN) },
                Figure { caption: text::picture_where_blue_may_place, boards: open.collect() },
                Figure {
                    caption: text::picture_a_bomb_clears_three,
                    boards: drawn(bombed, Shown::Turn { tool: "bomb", cells: &[(12, 23)] }, TURN),
                },
            ]
        }
        "war-of-life" => {
            let start = || Start::WarOfLife { blue: &[(2, 2), (2, 3), (4, 3)], red: &[(5, 6), (5, 7), (6, 6), (6, 7)] };
            let leave = Start::WarOfLife { blue: &[(0, 0), (0, 1), (1, 0), (1, 1), (4, 4), (6, 6)], red: &[(5, 5)] };
            vec![
                Figure {
                    caption: text::picture_a_piece_moves_to_an_adjacent,
                    boards: drawn(start(), Shown::Turn { tool: "move", cells: &[(4, 3), (3, 2)] }, TURN),
                },
                Figure {
                    caption: text::picture_neighbours_of_either_colour,
                    boards: drawn(leave, Shown::Turn { tool: "move", cells: &[(6, 6), (7, 7)] }, TURN),
                },
            ]
        }
        "life2" => {
            let boards = arena_wire::start(game.ruleset, KINGDOMS, &[0; 32], Gliders).ok().flatten();
            let caption = text::picture_each_square_is_a_block;
            boards.map(|boards| Figure { caption, boards }).into_iter().collect()
        }
        _ => {
            let boards = arena_wire::start(game.ruleset, game.casual, &[0; 32], Together).ok().flatten();
            let caption = text::picture_all_seats_name_a_cell;
            boards.map(|boards| Figure { caption, boards }).into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_a_front_page_shows_of_a_game_is_not_nearly_empty() {
        for game in GAMES {
            let board = of(game).first().and_then(|figure| figure.boards.last()).expect("a picture");
            let span = |along: fn(&Mark) -> u16| {
                let places = || board.cells.iter().map(along);
                places().max().unwrap_or_default() + 1 - places().min().unwrap_or_default()
            };
            let (rows, cols) = (span(|mark| mark.row), span(|mark| mark.col));
            let spanned = u32::from(rows) * u32::from(cols);
            assert!(4 * spanned >= u32::from(board.rows) * u32::from(board.cols), "{}: {rows} x {cols}", game.title);
        }
    }

    #[test]
    fn small_cells_are_drawn_as_the_ground_of_each_seat() {
        let mark = |row, col, seat| Mark { row, col, seat };
        let cells = || vec![mark(0, 3, Some(1)), mark(0, 4, Some(1)), mark(0, 5, Some(0)), mark(1, 0, Some(1))];
        let board = |cols| Drawn {
            rows: 2,
            cols,
            zones: Vec::new(),
            cells: cells(),
            open: Vec::new(),
            walls: Vec::new(),
            label: Text::default,
        };
        let large = board(MARKED_COLS_MAX + 1);
        assert_eq!(
            large.grounds(),
            [(Some(0), "M5 0h1v1h-1z".to_owned()), (Some(1), "M3 0h2v1h-2zM0 1h1v1h-1z".to_owned())]
        );
        assert!(large.marks().is_empty());
        let small = board(MARKED_COLS_MAX);
        assert_eq!((small.grounds().len(), small.marks().len()), (0, 4));
    }

    #[test]
    fn every_game_has_pictures_that_are_described() {
        for game in GAMES {
            let figures = of(game);
            assert!(!figures.is_empty(), "{}", game.title);
            for Figure { caption, boards } in figures {
                let caption = caption();
                assert!(boards.len() > 1, "{caption}");
                assert!(boards.iter().any(|board| !board.cells.is_empty()), "{caption}");
                let drawn =
                    |board: &Drawn| (board.cells.iter().map(|mark| (mark.row, mark.col)).collect(), board.open.clone());
                let all: BTreeSet<(Vec<_>, _)> = boards.iter().map(drawn).collect();
                assert_eq!(all.len(), boards.len(), "{caption}: two boards show the same");
                assert!(boards.iter().all(|board| !(board.label)().is_empty()), "{caption}");
            }
        }
    }
}
