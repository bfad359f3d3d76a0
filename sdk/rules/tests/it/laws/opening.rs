//! What holds at the start of every game.

use std::collections::BTreeSet;

use arena_rules::conquerors::{
    Action, Board, ByColour, Colour, OPENING_CELLS_MAX, OPENING_CELLS_MIN, OPENING_TURNS_MAX, OPENING_TURNS_MIN,
    Opening, Options, PLACEMENTS, Plane, Position, Start, TurnDraft, Zone,
};
use arena_rules::{BySeat, Rng, Ruleset, Seat, Seed};

use super::play::{all_options, random_turn};

/// A seed for every number.
fn seed(number: u64) -> Seed {
    let mut seed = [0x5e; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

fn symmetric_openings() -> impl Iterator<Item = (u8, Opening)> {
    let opening = |cells| (cells, Opening::symmetric(cells).expect("within its range"));
    (OPENING_CELLS_MIN..=OPENING_CELLS_MAX).map(opening)
}

fn openings_by_turns() -> impl Iterator<Item = (u8, Opening)> {
    let opening = |turns| (turns, Opening::random_turns(turns).expect("within its range"));
    (OPENING_TURNS_MIN..=OPENING_TURNS_MAX).step_by(2).map(opening)
}

fn start(options: Options, opening: Opening, number: u64) -> Position {
    Position::start(&Start { options, opening }, &seed(number))
}

/// Checks what is promised of every opening except the empty one.
fn assert_playable(position: &Position) {
    let setup = position.setup();
    assert_eq!((position.outcome(), position.to_move()), (None, Some(Colour::Blue)));
    assert_eq!((setup.cooldown, setup.skip_used), (ByColour::default(), ByColour::default()));
    let next = position.board().next();
    for board in [position.board(), &next] {
        let counts = board.counts();
        assert!(counts.blue > 0 && counts.red > 0, "a colour dies out\n{}", position.board());
    }
    // Reach follows from the board alone; the opening grants nothing extra.
    for colour in Colour::BOTH {
        let lives = |zone: Zone| position.board().of(colour).meets(&zone.cells(colour, &setup.options));
        let chain =
            lives(Zone::Neutral) && lives(Zone::Enemy) && (lives(Zone::Home) || !setup.options.chain_needs_home);
        let open = Zone::ALL.map(|zone| position.reach(colour).is_open(zone));
        assert_eq!(open, [true, lives(Zone::Home), chain]);
    }
}

#[test]
fn the_default_is_the_empty_board_whatever_the_seed() {
    assert_eq!(Start::default(), Start::from(Options::V2));
    assert!(Opening::default().is_empty());
    for options in all_options() {
        for number in 0..20 {
            let position = start(options, Opening::default(), number);
            assert_eq!(*position.board(), Board::EMPTY);
            assert_eq!((position.ply(), position.to_move(), position.options()), (0, Some(Colour::Blue), &options));
        }
    }
    assert!(Opening::default().turns(&Options::V2, &seed(0)).is_empty());
}

#[test]
fn a_symmetric_opening_is_its_own_mirror_image() {
    for (cells, opening) in symmetric_openings() {
        for number in 0..300 {
            let position = start(Options::V2, opening, number);
            let board = position.board();
            assert_eq!(board.turned(), *board);
            assert_eq!(board.counts(), ByColour { blue: cells.into(), red: cells.into() });
            let off_home = !Zone::home_of(Colour::Blue) & *board.of(Colour::Blue);
            assert!(off_home.is_empty(), "{board}");
            assert_eq!((position.ply(), position.round()), (0, 1));
            assert_playable(&position);
            assert_eq!(position.reach(Colour::Red).zones().collect::<Vec<_>>(), [Zone::Home, Zone::Neutral]);
        }
        assert!(opening.turns(&Options::V2, &seed(0)).is_empty());
    }
}

/// Blue moves first, and otherwise could destroy what red has had no turn to defend.
#[test]
fn no_first_turn_of_blue_kills_reds_symmetric_opening() {
    let mut rng = Rng::new(&[8; 32], 0);
    for (_, opening) in symmetric_openings() {
        for number in 0..40 {
            let position = start(Options::V2, opening, number);
            let untouched = position.board().next();
            for _ in 0..20 {
                let turn = random_turn(&mut rng, &position).expect("the game goes on");
                let after = position.preview(Colour::Blue, &turn);
                assert!(after.counts().red > 0, "{turn:?}\n{}", position.board());
            }
            // The worst blue can do: four cells of the column beside red's home, anywhere.
            for top in 0..=22 {
                let mut draft = TurnDraft::new(&position, Seat(0)).expect("blue begins");
                (top..top + 4).for_each(|row| draft.place(super::play::target(row, 19)).expect("neutral is open"));
                let after = position.preview(Colour::Blue, &draft.finish().expect("four cells"));
                let inner = Plane::columns(21, 28);
                assert_eq!(*after.of(Colour::Red) & inner, *untouched.of(Colour::Red) & inner);
                assert!(after.counts().red > 0);
            }
        }
    }
}

#[test]
fn an_opening_by_turns_is_what_the_rules_make_of_its_turns() {
    for options in all_options() {
        for (turns, opening) in openings_by_turns() {
            for number in 0..40 {
                let position = start(options, opening, number);
                let played = opening.turns(&options, &seed(number));
                assert_eq!(played.len(), usize::from(turns));
                let mut replayed = start(options, Opening::default(), number);
                for turn in &played {
                    let action = Action::from(turn);
                    let Action::Place(cells) = &action else { panic!("chance only places cells") };
                    assert_eq!(cells.len(), usize::from(PLACEMENTS));
                    let mover = replayed.to_move().expect("the game is not over").seat();
                    let checked = replayed.check(mover, &action).expect("a legal turn");
                    assert_eq!(checked, *turn);
                    replayed.advance(BySeat::new(2, |seat| (seat == mover).then(|| checked.clone())));
                }
                assert_eq!(position, replayed);
                assert_eq!(position.ply(), u16::from(turns));
                assert_playable(&position);
            }
        }
    }
}

#[test]
fn an_opening_is_a_function_of_its_seed_and_mostly_another_for_another() {
    let smallest = [symmetric_openings().next(), openings_by_turns().next()];
    for (_, opening) in smallest.into_iter().flatten() {
        let boards: Vec<String> =
            (0..1_000).map(|number| start(Options::V2, opening, number).board().to_string()).collect();
        assert_eq!(boards[3], start(Options::V2, opening, 3).board().to_string());
        let different: BTreeSet<&String> = boards.iter().collect();
        assert!(different.len() > 990, "{opening}: {} of 1,000", different.len());
    }
    // Rules that do not concern the set-up do not change it.
    let opening = Opening::symmetric(8).expect("within its range");
    let boards = all_options().map(|options| *start(options, opening, 1).board());
    assert!(boards.collect::<Vec<_>>().windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_game_from_an_opening_goes_to_an_end() {
    let mut rng = Rng::new(&[9; 32], 0);
    for (_, opening) in symmetric_openings().chain(openings_by_turns()) {
        for number in 0..20 {
            let mut position = start(Options::V2, opening, number);
            let mut plies = position.ply();
            while let Some(turn) = random_turn(&mut rng, &position) {
                assert_eq!(position.ply(), plies);
                position = super::play::advanced(&position, turn);
                plies += 1;
            }
            assert!(position.outcome().is_some() && plies <= 24);
        }
    }
}

#[test]
fn openings_have_one_text_and_stay_within_their_limits() {
    for cells in 0..=u8::MAX {
        let opening = Opening::symmetric(cells);
        assert_eq!(opening.is_some(), (OPENING_CELLS_MIN..=OPENING_CELLS_MAX).contains(&cells));
        assert_eq!(format!("symmetric:{cells}").parse().ok(), opening);
    }
    for turns in 0..=u8::MAX {
        let opening = Opening::random_turns(turns);
        assert_eq!(opening.is_some(), (OPENING_TURNS_MIN..=OPENING_TURNS_MAX).contains(&turns) && turns % 2 == 0);
        assert_eq!(format!("turns:{turns}").parse().ok(), opening);
    }
    for (_, opening) in symmetric_openings().chain(openings_by_turns()) {
        assert_eq!(opening.to_string().parse(), Ok(opening));
        assert!(!opening.is_empty());
    }
    assert_eq!("empty".parse(), Ok(Opening::default()));
    for no_opening in
        ["", "Empty", "empty:", "symmetric", "symmetric:", "symmetric:08", "symmetric:+8", "symmetric:8 ", "turns:4:4"]
    {
        assert!(no_opening.parse::<Opening>().is_err(), "{no_opening:?}");
    }
}
