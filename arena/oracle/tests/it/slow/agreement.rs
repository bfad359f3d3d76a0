//! The fast implementation and the plain one say the same, whatever is asked.

use arena_baselines::conquerors as fast_bots;
use arena_oracle as plain;
use arena_rules::conquerors as fast;
use arena_rules::{Reason, Rng, Ruleset, Seat};
use fast::{Boards, CELLS, COLS, Cell, Colour, Impacts, Plane, Position, Setup, Target, TurnDraft, Zone};

const PLAYERS: [(Colour, plain::Player); 2] = [(Colour::Blue, plain::Player::Blue), (Colour::Red, plain::Player::Red)];

const TIERS: [(fast_bots::Tier, plain::Tier); 3] = [
    (fast_bots::Tier::Easy, plain::Tier::Easy),
    (fast_bots::Tier::Normal, plain::Tier::Normal),
    (fast_bots::Tier::Hard, plain::Tier::Hard),
];

const RELEASES: [(fast_bots::Params, plain::Release); 2] =
    [(fast_bots::Params::V5_4, plain::Release::V5_4), (fast_bots::Params::V5_5, plain::Release::V5_5)];

/// Games of each pairing; `cargo xtask boards` plays more.
const GAMES: u64 = 2;

const PARAMS: [(fast_bots::Params, plain::Params); 2] =
    [(fast_bots::Params::SHIPPED, plain::Params::SHIPPED), (fast_bots::Params::REPORT, plain::Params::REPORT)];

/// All eight combinations of the options, not only the named ones.
fn all_options() -> impl Iterator<Item = fast::Options> {
    (0..8).map(|bits| fast::Options {
        chain_needs_home: bits & 1 == 1,
        weighted_majority: bits & 2 == 2,
        shared_home: bits & 4 == 4,
    })
}

fn plain_options(options: &fast::Options) -> plain::Options {
    plain::Options {
        home_clause: options.chain_needs_home,
        weighted_majority: options.weighted_majority,
        shared_home: options.shared_home,
    }
}

/// A board of which about `percent` of the cells live, each colour alike.
fn random_board(rng: &mut Rng, percent: u32) -> (fast::Board, plain::Board) {
    let (mut board, mut cells) = (fast::Board::EMPTY, [[plain::EMPTY; COLS]; fast::ROWS]);
    for index in 0..CELLS {
        // One word a cell: its place in the hundred says whether it lives, its lowest bit what colour it has.
        let word = rng.word();
        if (u64::from(word) * 100) >> 32 >= u64::from(percent) {
            continue;
        }
        let (row, col) = (index / COLS, index % COLS);
        let (colour, player) = PLAYERS[(word & 1) as usize];
        board.set(cell(row, col), colour);
        cells[row][col] = player.colour();
    }
    (board, cells)
}

fn cell(row: usize, col: usize) -> Cell {
    Cell::new(row as u8, col as u8).expect("on the board")
}

fn plain_cell(cell: Cell) -> plain::Cell {
    plain::Cell { row: cell.row(), column: cell.col() }
}

fn plain_board(board: &fast::Board) -> plain::Board {
    let mut cells = [[plain::EMPTY; COLS]; fast::ROWS];
    for (colour, player) in PLAYERS {
        board.of(colour).cells().for_each(|cell| cells[cell.row()][cell.col()] = player.colour());
    }
    cells
}

fn pair<T>(by_seat: plain::BySeat<T>) -> fast::ByColour<T> {
    fast::ByColour { blue: by_seat.blue, red: by_seat.red }
}

#[test]
fn one_generation_on_random_boards() {
    let (boards, seed) = (number_of("ARENA_BOARDS", 25_000), number_of("ARENA_BOARDS_SEED", 1));
    let mut rng = Rng::new(&[1; 32], seed);
    for percent in 0..=100 {
        for number in 0..boards / 101 {
            let (board, cells) = random_board(&mut rng, percent);
            assert_eq!(plain_board(&board.next()), plain::next(&cells), "{percent} %, board {number}: {board}");
        }
    }
}

fn number_of(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a number"))
}

/// Boards that go on together have the generations and the counts that they have alone, each in its place.
#[test]
fn boards_together_on_random_boards() {
    let (boards, seed) = (number_of("ARENA_BOARDS", 100_000), number_of("ARENA_BOARDS_SEED", 1));
    let mut rng = Rng::new(&[5; 32], seed);
    for number in 0..boards / Boards::COUNT as u64 {
        // Densities of 1 in 8 cells, 1 in 4, a half, 3 in 4: bits of words, since there are many boards to draw.
        let mut plane = || Plane::from_rows(core::array::from_fn(|_| rng.word()));
        let living = |plane: &mut dyn FnMut() -> Plane| match number % 4 {
            0 => plane() & plane() & plane(),
            1 => plane() & plane(),
            2 => plane(),
            _ => plane() | plane(),
        };
        let alone: [fast::Board; Boards::COUNT] = core::array::from_fn(|_| {
            let (living, blue) = (living(&mut plane), plane());
            fast::Board::new(fast::ByColour { blue: living & blue, red: living & !blue })
                .expect("no cell has two colours")
        });
        let together = Boards::new(&alone);
        let (mut next, cells) = (together, together.cells_by_zone());
        next.advance();
        for (place, board) in alone.iter().enumerate() {
            assert_eq!(together.board(place), *board);
            assert_eq!(next.board(place), board.next(), "{board}");
            let zones = [(0, 8), (8, 20), (20, 28)].map(|(from, to)| Plane::columns(from, to));
            let count = |colour| zones.map(|zone| (*board.of(colour) & zone).count());
            assert_eq!(cells[place], fast::ByColour::new(count), "{board}");
        }
    }
}

#[test]
fn a_cell_is_set_on_one_of_eight_boards() {
    let (board, _) = random_board(&mut Rng::new(&[9; 32], 0), 40);
    for place in 0..Boards::COUNT {
        for (cell, colour) in Plane::FULL.cells().zip([Colour::Blue, Colour::Red].into_iter().cycle()) {
            let mut boards = Boards::copies(&board);
            boards.set(place, cell, colour);
            let mut changed = board;
            changed.set(cell, colour);
            for other in 0..Boards::COUNT {
                assert_eq!(boards.board(other), if other == place { changed } else { board });
            }
        }
    }
}

#[test]
fn a_board_filled_with_one_colour_dies_alike() {
    for (colour, player) in PLAYERS {
        let mut board = fast::Board::EMPTY;
        fast::Plane::FULL.cells().for_each(|cell| board.set(cell, colour));
        assert_eq!(plain_board(&board.next()), plain::next(&[[player.colour(); COLS]; fast::ROWS]));
    }
}

#[test]
fn impacts_of_every_dead_cell_on_808_random_boards() {
    let mut rng = Rng::new(&[2; 32], 0);
    let mut compared = 0;
    for percent in 0..=100 {
        for _ in 0..8 {
            let (board, cells) = random_board(&mut rng, percent);
            for (colour, player) in PLAYERS {
                let impacts = Impacts::of(&board, colour);
                for cell in (!board.living()).cells() {
                    let plain::Impact { own, enemy } = plain::impact(&cells, player, plain_cell(cell));
                    let wanted = (own, enemy, plain::neighbours(&cells, plain_cell(cell), player.colour()));
                    let found = (
                        i64::from(impacts.own(cell)),
                        i64::from(impacts.enemy(cell)),
                        usize::from(impacts.own_neighbours(cell)),
                    );
                    assert_eq!(found, wanted, "{colour:?} at {cell:?} of {board}");
                    compared += 1;
                }
            }
        }
    }
    // Half of all cells, for both colours.
    assert!(compared > 580_000, "{compared}");
}

#[test]
fn reach_counts_scores_and_legal_cells_on_sparse_and_dense_boards() {
    let mut rng = Rng::new(&[3; 32], 0);
    let mut open = [0; 4];
    for number in 0..4_000_u32 {
        // Mostly a handful of cells, where reach differs; every fifth board is of any density.
        let percent = if number.is_multiple_of(5) { rng.below(101) } else { rng.below(3) };
        let (board, cells) = random_board(&mut rng, percent);
        assert_eq!(board.counts(), pair(plain::counts(&cells)), "{board}");
        assert_eq!(board.scores(), pair(plain::scores(&cells)), "{board}");
        for options in all_options() {
            for (colour, player) in PLAYERS {
                let reach = fast::Reach::of(&board, colour, &options);
                let wanted = plain::zones(&cells, player, plain_options(&options));
                let found = plain::Reach { neutral: reach.is_open(Zone::Neutral), enemy: reach.is_open(Zone::Enemy) };
                assert_eq!(found, wanted, "{colour:?} {options:?} {board}");
                open[usize::from(found.neutral) + 2 * usize::from(found.enemy)] += 1;
                let placeable = reach.cells() & !board.living();
                let legal = plain::legal_cells(&cells, player, plain_options(&options));
                assert_eq!(placeable.cells().map(plain_cell).collect::<Vec<_>>(), legal, "{colour:?} {board}");
            }
        }
    }
    assert!(open.iter().all(|seen| *seen > 50), "a state of reach was hardly seen: {open:?}");
}

/// The same position in both implementations.
#[derive(Clone)]
struct Twins {
    fast: Position,
    plain: plain::Game,
}

impl Twins {
    fn start(options: &fast::Options) -> Twins {
        Twins { fast: Position::start(&(*options).into(), &[0; 32]), plain: plain::Game::new(plain_options(options)) }
    }

    fn of(setup: Setup) -> Twins {
        let number = |by_colour: fast::ByColour<u8>| plain::BySeat {
            blue: u32::from(by_colour.blue),
            red: u32::from(by_colour.red),
        };
        let game = plain::Game {
            board: plain_board(&setup.board),
            to_move: PLAYERS[setup.to_move.seat().index()].1,
            round: setup.round.into(),
            cooldown: number(setup.cooldown),
            skip_used: plain::BySeat { blue: setup.skip_used.blue, red: setup.skip_used.red },
            ..plain::Game::new(plain_options(&setup.options))
        };
        Twins { fast: setup.position().expect("within its ranges"), plain: game }
    }

    fn assert_equal(&self) {
        let (fast, plain) = (&self.fast, &self.plain);
        assert_eq!(plain_board(fast.board()), plain.board);
        assert_eq!(u32::from(fast.round()), plain.round);
        assert_eq!(fast.cooldown().map(u32::from), pair(plain.cooldown));
        assert_eq!(fast.skip_used(), pair(plain.skip_used));
        assert_eq!(PLAYERS[fast.setup().to_move.seat().index()].1, plain.to_move);
        let outcome = fast.outcome().map(|outcome| {
            let reason = match outcome.reason {
                Reason::Extinction => plain::Reason::Extinction,
                Reason::MutualExtinction => plain::Reason::MutualExtinction,
                Reason::Majority => plain::Reason::Majority,
                other => panic!("no rule of Conquerors ends a game by {other:?}"),
            };
            (outcome.winner.map(|seat| PLAYERS[seat.index()].1), reason, outcome.tally.into_values())
        });
        let tally = |end: &plain::Outcome| if plain.options.weighted_majority { end.scores } else { end.cells };
        let wanted = plain.outcome.map(|end| (end.winner, end.reason, vec![tally(&end).blue, tally(&end).red]));
        assert_eq!(outcome, wanted);
        if let Some(end) = plain.outcome {
            assert_eq!(end.cells, plain::counts(&plain.board));
            assert_eq!(end.round_counter, plain.round);
        }
    }

    /// The turn of a tier, which both must choose alike from the same words.
    fn choose(&self, tier: usize, params: usize, words: &Rng) -> fast::Turn {
        let seat = self.fast.setup().to_move.seat();
        let (mut ours, mut theirs) = (words.clone(), words.clone());
        let turn = fast_bots::choose_with(&self.fast, seat, PARAMS[params].0.of(TIERS[tier].0), &mut ours);
        let plain = plain::choose_turn(TIERS[tier].1, &PARAMS[params].1, &self.plain, &mut || theirs.word());
        assert_eq!(plain_turn(&turn), plain, "{:?} {}", TIERS[tier].0, self.fast.board());
        assert_eq!(ours.word(), theirs.word(), "another number of words was drawn");
        turn
    }

    /// The turn of a tier of a release before V2, as [`choose`](Twins::choose).
    fn choose_v5(&self, tier: usize, release: usize, words: &Rng) -> fast::Turn {
        let seat = self.fast.setup().to_move.seat();
        let (mut ours, mut theirs) = (words.clone(), words.clone());
        let turn = fast_bots::choose_with(&self.fast, seat, RELEASES[release].0.of(TIERS[tier].0), &mut ours);
        let plain = plain::choose_turn_v5(RELEASES[release].1, TIERS[tier].1, &self.plain, &mut || theirs.word());
        assert_eq!(plain_turn(&turn), plain, "{:?} {}", TIERS[tier].0, self.fast.board());
        assert_eq!(ours.word(), theirs.word(), "another number of words was drawn");
        turn
    }

    fn play(&mut self, turn: &fast::Turn) {
        let seat = self.fast.setup().to_move.seat();
        let checked = self.fast.check(seat, &fast::Action::from(turn)).expect("a baseline's turn is legal");
        assert_eq!(checked, *turn);
        let mut turns = arena_rules::BySeat::new(2, |_| None);
        turns[seat] = Some(checked);
        self.fast.advance(turns);
        self.plain.play(&plain_turn(turn)).expect("a baseline's turn is legal");
        self.assert_equal();
    }
}

fn plain_turn(turn: &fast::Turn) -> plain::Turn {
    match turn {
        fast::Turn::Place(cells) => plain::Turn::Place(cells.iter().copied().map(plain_cell).collect()),
        fast::Turn::Bomb(centre) => plain::Turn::Bomb(plain_cell(*centre)),
        fast::Turn::Skip => plain::Turn::Skip,
        fast::Turn::Pass => plain::Turn::Pass,
    }
}

/// Every pair of tiers plays games with both sets of numbers, which choose for (tier, one of the two, words); there are
/// bombs in them.
fn play_all(options: &fast::Options, choose: impl Fn(&Twins, usize, usize, &Rng) -> fast::Turn) {
    let (games, seed) = (number_of("ARENA_GAMES", GAMES), number_of("ARENA_GAMES_SEED", 1));
    let (mut bombs, mut plies) = (0, 0);
    for (blue, red) in (0..3).flat_map(|blue| (0..3).map(move |red| (blue, red))) {
        for params in 0..2 {
            for game in 0..games {
                let mut key = [0; 32];
                key[..16].copy_from_slice(&[seed.to_le_bytes(), game.to_le_bytes()].concat());
                let mut twins = Twins::start(options);
                while let Some(mover) = twins.fast.to_move() {
                    let tier = if mover == Colour::Blue { blue } else { red };
                    let words = Rng::new(&key, twins.fast.ply().into());
                    let turn = choose(&twins, tier, params, &words);
                    bombs += u64::from(matches!(turn, fast::Turn::Bomb(_)));
                    plies += 1;
                    twins.play(&turn);
                }
            }
        }
    }
    // Each is of eighteen pairings: of some 20 plies, and of a bomb or more in most.
    assert!(bombs > games && plies > 230 * games, "{bombs} bombs in {plies} plies");
}

#[test]
fn whole_games_under_v2() {
    play_all(&fast::Options::V2, Twins::choose);
}

#[test]
fn whole_games_under_v5() {
    play_all(&fast::Options::V5, Twins::choose);
}

#[test]
fn whole_games_under_a_shared_home() {
    play_all(&fast::Options { shared_home: true, ..fast::Options::V2 }, Twins::choose);
}

#[test]
fn whole_games_of_the_releases_before_v2_by_their_rules() {
    for shared_home in [false, true] {
        let options = fast::Options { shared_home, ..fast::Options::V5 };
        play_all(&options, Twins::choose_v5);
    }
}

#[test]
fn whole_games_of_the_releases_before_v2_by_those_of_v2() {
    play_all(&fast::Options::V2, Twins::choose_v5);
}

#[test]
fn openings() {
    let stream = u64::from_le_bytes(*b"opening1");
    for number in 0..120_u16 {
        let mut seed = [0x0e; 32];
        seed[..2].copy_from_slice(&number.to_le_bytes());
        let options = all_options().nth(usize::from(number) % 8).expect("there are eight");
        let draws = || Rng::new(&seed, stream);
        let words = |mut rng: Rng| move || rng.word();
        let twins = |opening: fast::Opening, plain: plain::Game| Twins {
            fast: Position::start(&fast::Start { options, opening }, &seed),
            plain,
        };
        for cells in fast::OPENING_CELLS_MIN..=fast::OPENING_CELLS_MAX {
            let game = plain::symmetric_start(cells.into(), plain_options(&options), &mut words(draws()));
            twins(fast::Opening::symmetric(cells).expect("in range"), game).assert_equal();
        }
        for turns in (fast::OPENING_TURNS_MIN..=fast::OPENING_TURNS_MAX).step_by(2) {
            let game = plain::start_after_turns(turns.into(), plain_options(&options), &mut words(draws()));
            let mut twins = twins(fast::Opening::random_turns(turns).expect("in range"), game);
            twins.assert_equal();
            let turn = twins.choose(usize::from(number) % 3, 0, &draws());
            twins.play(&turn);
        }
    }
}

/// Any setup with a board of about `percent` living cells.
fn random_setup(rng: &mut Rng, options: fast::Options, percent: u32) -> Setup {
    let (board, _) = random_board(rng, percent);
    let mut coin = |n: u32| rng.below(n);
    Setup {
        options,
        board,
        to_move: Colour::BOTH[coin(2) as usize],
        round: 1 + coin(12) as u8,
        cooldown: fast::ByColour::new(|_| coin(3) as u8),
        skip_used: fast::ByColour::new(|_| coin(2) == 1),
    }
}

/// Every fourth density, in per cent: the eight combinations of options have each twice.
fn a_fourth_of_densities(number: usize) -> impl Iterator<Item = u32> {
    (number as u32 % 4..=100).step_by(4)
}

#[test]
fn choices_on_random_positions() {
    let mut rng = Rng::new(&[4; 32], 0);
    for (number, options) in all_options().enumerate() {
        for percent in a_fourth_of_densities(number).chain([0, 1, 1, 2, 2, 3, 99, 100, 100, 100]) {
            let mut twins = Twins::of(random_setup(&mut rng, options, percent));
            let words = Rng::new(&[5; 32], rng.word().into());
            let turns: [_; 3] = core::array::from_fn(|tier| twins.choose(tier, rng.below(2) as usize, &words));
            twins.play(&turns[rng.below(3) as usize]);
        }
    }
}

#[test]
fn choices_of_the_releases_before_v2_on_random_positions() {
    let mut rng = Rng::new(&[9; 32], 0);
    for (number, options) in all_options().enumerate() {
        for percent in a_fourth_of_densities(number).chain([0, 1, 1, 2, 2, 3, 5, 5, 8, 8, 10, 12, 15, 15, 99, 100]) {
            let mut twins = Twins::of(random_setup(&mut rng, options, percent));
            let words = Rng::new(&[10; 32], rng.word().into());
            let turns: [_; 3] = core::array::from_fn(|tier| twins.choose_v5(tier, rng.below(2) as usize, &words));
            twins.play(&turns[rng.below(3) as usize]);
        }
    }
}

/// Not one legal cell: never seen in a game, so it is made. Skip if possible, else the first corner if the bomb is
/// ready, else a pass; what the original does there (nothing) is only legal in the last case.
#[test]
fn choices_without_a_legal_cell() {
    let full = |colour: Colour| {
        let mut board = fast::Board::EMPTY;
        Zone::home_of(colour).cells().for_each(|cell| board.set(cell, colour.other()));
        board
    };
    for mover in Colour::BOTH {
        for (skip_used, round, cooldown) in [(false, 8, 0), (true, 8, 0), (true, 8, 1), (true, 3, 0)] {
            let mut twins = Twins::of(Setup {
                options: fast::Options::V2,
                board: full(mover),
                to_move: mover,
                round,
                cooldown: fast::ByColour::new(|_| cooldown),
                skip_used: fast::ByColour::new(|_| skip_used),
            });
            let wanted = match (skip_used, round, cooldown) {
                (false, ..) => fast::Turn::Skip,
                (true, 8, 0) => fast::Turn::Bomb(cell(0, 0)),
                _ => fast::Turn::Pass,
            };
            for (tier, (name, _)) in TIERS.iter().enumerate() {
                // The first word is the coin of the bomb; this stream's does not fire for any tier.
                let words = silent_coin();
                assert_eq!(twins.choose(tier, 0, &words), wanted, "{mover:?} {name:?}");
            }
            twins.play(&wanted);
        }
    }
}

/// A generator whose first word keeps every tier from thinking of the bomb.
fn silent_coin() -> Rng {
    (0..).map(|stream| Rng::new(&[6; 32], stream)).find(|rng| rng.clone().below(20) >= 16).expect("one in five")
}

/// The name of a refused placement in either implementation.
fn refusal_kind(refusal: &fast::Refusal) -> plain::Refusal {
    use fast::Refusal as Fast;
    use plain::Refusal as Plain;
    match refusal {
        Fast::GameOver => Plain::Over,
        Fast::NotYourTurn => Plain::NotYourTurn,
        Fast::OffBoard(_) => Plain::OffBoard,
        Fast::Occupied(_) => Plain::Occupied,
        Fast::Unreachable(..) => Plain::OutOfReach,
        Fast::TooManyCells => Plain::TooManyCells,
        Fast::NoCells | Fast::TooFewCells(_) => Plain::TooFewCells,
        Fast::BombTooEarly => Plain::BombTooEarly,
        Fast::BombCooling(_) => Plain::BombCoolingDown,
        Fast::TurnStarted => Plain::NotAWholeTurn,
        Fast::SkipUsed => Plain::SkipUsed,
        Fast::PassNotNeeded => Plain::PassNotNeeded,
    }
}

/// Any action, sensible or not.
fn random_action(rng: &mut Rng, position: &Position) -> fast::Action {
    let target = |rng: &mut Rng| Target { row: rng.below(28) as u8, col: rng.below(30) as u8 };
    match rng.below(8) {
        0 => fast::Action::Pass,
        1 => fast::Action::Skip,
        2 => fast::Action::Bomb(target(rng)),
        _ => {
            let legal: Vec<Cell> = position.placeable(position.setup().to_move).cells().collect();
            let length = [0, 1, 3, 4, 4, 4, 4, 5][rng.below(8) as usize];
            let cells = (0..length).map(|_| match (rng.below(8), legal.is_empty()) {
                (0, _) | (_, true) => target(rng),
                _ => Target::from(legal[rng.below(legal.len() as u32) as usize]),
            });
            fast::Action::Place(cells.collect())
        }
    }
}

#[test]
fn verdicts_on_any_action_in_random_positions() {
    let mut rng = Rng::new(&[7; 32], 0);
    let mut kinds = std::collections::BTreeMap::<String, u32>::new();
    for number in 0..20_000 {
        let options = all_options().nth(number % 8).unwrap_or_default();
        let percent = [0, 0, 1, 2, 30, 99, 100][rng.below(7) as usize];
        let mut twins = Twins::of(random_setup(&mut rng, options, percent));
        let action = random_action(&mut rng, &twins.fast);
        let verdict = twins.fast.check(twins.fast.setup().to_move.seat(), &action);
        let off = |target: &Target| plain::Cell { row: target.row.into(), column: target.col.into() };
        let turn = match &action {
            fast::Action::Place(targets) => plain::Turn::Place(targets.iter().map(off).collect()),
            fast::Action::Bomb(target) => plain::Turn::Bomb(off(target)),
            fast::Action::Skip => plain::Turn::Skip,
            fast::Action::Pass => plain::Turn::Pass,
        };
        let before = twins.plain.clone();
        let wanted = twins.plain.clone().play(&turn);
        let kind = verdict.as_ref().map_or_else(|refusal| format!("{:?}", refusal_kind(refusal)), |_| "legal".into());
        *kinds.entry(kind).or_default() += 1;
        assert_eq!(verdict.as_ref().map(drop).map_err(refusal_kind), wanted, "{action:?}");
        match verdict {
            Ok(turn) => twins.play(&turn),
            Err(_) => assert_eq!(twins.plain, before),
        }
    }
    // Everything but a game that is over, the other's turn, and a whole turn begun was among it.
    assert_eq!(kinds.len(), 10, "{kinds:?}");
}

#[test]
fn drafts_refuse_alike_after_placements() {
    let position = Position::start(&fast::Options::V2.into(), &[0; 32]);
    let game = plain::Game::new(plain::Options::V2);
    assert_eq!(
        TurnDraft::new(&position, Seat(1)).map(drop).map_err(|r| refusal_kind(&r)),
        game.draft(plain::Player::Red).map(drop)
    );
    let mut fast = TurnDraft::new(&position, Seat(0)).expect("blue begins");
    let mut plain = game.draft(plain::Player::Blue).expect("blue begins");
    let mut rng = Rng::new(&[8; 32], 0);
    while fast.placements_left() > 0 {
        let target = Target { row: rng.below(26) as u8, col: rng.below(28) as u8 };
        let wanted = plain.place(plain::Cell { row: target.row.into(), column: target.col.into() });
        assert_eq!(fast.place(target).map_err(|r| refusal_kind(&r)), wanted);
        assert_eq!(plain_board(fast.board()), *plain.board());
        let started = !fast.placed().is_empty();
        assert_eq!(fast.clone().skip().map(drop).map_err(|r| refusal_kind(&r)), plain.clone().skip().map(drop));
        assert_eq!(fast.clone().skip().is_err(), started);
    }
}
