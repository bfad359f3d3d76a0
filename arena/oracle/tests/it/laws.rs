//! Laws that hold for all numbers: symmetry, legality, the rules of ending a turn, and the order of draws.

use arena_oracle::{
    Board, BySeat, COLUMNS, Cell, Game, Options, POINT, Params, Player, ROWS, Reason, Refusal, Tier, Turn, View,
    cell_scores, choose_turn, counts, index_below, legal_cells, next, noise, play_game, seeded_draws, zones,
};

fn cell(row: usize, column: usize) -> Cell {
    Cell { row, column }
}

/// A board with about one live cell in `sparsity`.
fn random_board(draws: &mut dyn FnMut() -> u32, sparsity: usize) -> Board {
    let mut board = [[0; COLUMNS]; ROWS];
    for square in board.iter_mut().flatten() {
        *square = match index_below(draws(), 2 * sparsity) {
            0 => 1,
            1 => 2,
            _ => 0,
        };
    }
    board
}

fn swapped(board: &Board) -> Board {
    board.map(|row| row.map(|square| [0, 2, 1][usize::from(square)]))
}

fn mirrored(board: &Board) -> Board {
    board.map(|mut row| {
        row.reverse();
        row
    })
}

fn mirrored_turn(turn: Turn) -> Turn {
    let flip = |at: Cell| cell(at.row, COLUMNS - 1 - at.column);
    match turn {
        Turn::Place(cells) => Turn::Place(cells.into_iter().map(flip).collect()),
        Turn::Bomb(target) => Turn::Bomb(flip(target)),
        other => other,
    }
}

/// Random positions of the middle of a game, red to move.
fn positions(options: Options) -> Vec<Game> {
    let mut draws = seeded_draws(7);
    let mut positions = Vec::new();
    for round in 1..=12 {
        for sparsity in [2, 6, 20, 300] {
            let board = next(&random_board(&mut draws, sparsity));
            positions.push(Game { board, round, to_move: Player::Red, ..Game::new(options) });
        }
    }
    positions
}

#[test]
fn a_generation_commutes_with_swap_and_mirror() {
    for game in positions(Options::V2) {
        let after = next(&game.board);
        assert_eq!(next(&swapped(&game.board)), swapped(&after));
        assert_eq!(next(&mirrored(&game.board)), mirrored(&after));
    }
}

#[test]
fn blue_plays_reds_turn_mirrored() {
    for red in positions(Options::V2) {
        let blue = Game { board: mirrored(&swapped(&red.board)), to_move: Player::Blue, ..red.clone() };
        for tier in Tier::ALL {
            let ours = choose_turn(tier, &Params::SHIPPED, &red, &mut seeded_draws(1));
            let theirs = choose_turn(tier, &Params::SHIPPED, &blue, &mut seeded_draws(1));
            assert_eq!(ours, mirrored_turn(theirs));
        }
    }
}

#[test]
fn blue_with_a_shared_home_plays_reds_turn_unmirrored() {
    let options = Options { shared_home: true, ..Options::V2 };
    for red in positions(options) {
        let blue = Game { board: swapped(&red.board), to_move: Player::Blue, ..red.clone() };
        for tier in Tier::ALL {
            let ours = choose_turn(tier, &Params::SHIPPED, &red, &mut seeded_draws(1));
            let theirs = choose_turn(tier, &Params::SHIPPED, &blue, &mut seeded_draws(1));
            assert_eq!(ours, theirs);
            assert!(blue.clone().play(&theirs).is_ok());
        }
    }
}

#[test]
fn baselines_finish_legal_games_under_all_rules() {
    let shared_home = Options { shared_home: true, ..Options::V2 };
    for options in [Options::V2, Options::V5_4, shared_home] {
        for params in [Params::SHIPPED, Params::REPORT] {
            for blue in Tier::ALL {
                for red in Tier::ALL {
                    let outcome = play_game(BySeat { blue, red }, &params, options, &mut seeded_draws(11));
                    assert!((2..=13).contains(&outcome.round_counter));
                    assert_eq!(outcome.reason == Reason::MutualExtinction, outcome.cells == BySeat::default());
                }
            }
        }
    }
}

#[test]
fn hard_beats_easy() {
    let wins = |tiers, winner| {
        let won = |seed| play_game(tiers, &Params::SHIPPED, Options::V2, &mut seeded_draws(seed)).winner == winner;
        (0..10).filter(|seed| won(*seed)).count()
    };
    assert!(wins(BySeat { blue: Tier::Easy, red: Tier::Hard }, Some(Player::Red)) >= 8);
    assert!(wins(BySeat { blue: Tier::Hard, red: Tier::Easy }, Some(Player::Blue)) >= 8);
}

#[test]
fn draws_are_counted_as_documented() {
    for game in positions(Options::V2) {
        for tier in Tier::ALL {
            let mut stream = seeded_draws(5);
            let mut drawn = 0;
            // A coin that never fires: the first draw of a round with a bomb is the largest.
            let mut draws = || {
                drawn += 1;
                if drawn == 1 { u32::MAX } else { stream() }
            };
            let turn = choose_turn(tier, &Params::SHIPPED, &game, &mut draws);
            let Turn::Place(cells) = turn else { panic!("{turn:?} instead of cells") };
            assert_eq!(cells.len(), 4);
            if counts(&game.board).red >= 3 {
                assert_eq!(drawn, usize::from(game.round >= 7) + placement_draws(&game, tier, &cells));
            }
        }
    }
}

fn placement_draws(game: &Game, tier: Tier, cells: &[Cell]) -> usize {
    let mut board = game.board;
    if tier == Tier::Hard {
        return legal_cells(&board, Player::Red, game.options).len();
    }
    let mut drawn = 0;
    for at in cells {
        drawn += legal_cells(&board, Player::Red, game.options).len() + 1;
        board[at.row][at.column] = Player::Red.colour();
    }
    drawn
}

#[test]
fn noise_and_indices_stay_below_their_limits() {
    assert_eq!((noise(0, 24), noise(u32::MAX, 24)), (0, 24 * 65_536 - 1));
    assert_eq!((index_below(0, 7), index_below(u32::MAX, 7)), (0, 6));
}

#[test]
fn a_home_cell_opens_neutral_within_the_turn() {
    let mut game = Game::new(Options::V2);
    let (home, neutral) = (cell(3, 7), cell(3, 8));
    let late = Turn::Place(vec![neutral, home, cell(4, 7), cell(4, 8)]);
    assert_eq!(game.play(&late), Err(Refusal::OutOfReach));
    assert_eq!(game, Game::new(Options::V2));
    assert_eq!(game.play(&Turn::Place(vec![home, neutral, cell(4, 7), cell(4, 8)])), Ok(()));
}

#[test]
fn a_turn_is_four_different_cells() {
    let mut game = Game::new(Options::V2);
    let five: Vec<Cell> = (0..5).map(|row| cell(row, 0)).collect();
    assert_eq!(game.play(&Turn::Place(Vec::new())), Err(Refusal::TooFewCells));
    assert_eq!(game.play(&Turn::Place(five[..3].to_vec())), Err(Refusal::TooFewCells));
    assert_eq!(game.play(&Turn::Place(five.clone())), Err(Refusal::TooManyCells));
    assert_eq!(game.play(&Turn::Place(vec![five[0], five[0]])), Err(Refusal::Occupied));
    assert_eq!(game.play(&Turn::Place(vec![cell(ROWS, 0)])), Err(Refusal::OffBoard));
    assert_eq!(game.play(&Turn::Pass), Err(Refusal::PassNotNeeded));
}

/// A home of blue cells only, with some of them missing: red has no cell and reaches its home alone.
fn full_home(missing: &[Cell]) -> Game {
    let mut game = Game { round: 3, to_move: Player::Red, ..Game::new(Options::V2) };
    for row in &mut game.board {
        row[20..].fill(1);
    }
    for at in missing {
        game.board[at.row][at.column] = 0;
    }
    game
}

#[test]
fn a_short_turn_needs_a_full_home() {
    // Nothing is open but two cells; placing one of them opens neutral, so a turn is four again.
    let two = [cell(5, 25), cell(6, 25)];
    let game = full_home(&two);
    assert_eq!(game.clone().play(&Turn::Place(two.to_vec())), Err(Refusal::TooFewCells));
    // With neutral full as well, two cells are all there is.
    let mut game = game;
    for row in &mut game.board {
        row[8..20].fill(1);
    }
    assert_eq!(game.clone().play(&Turn::Place(two[..1].to_vec())), Err(Refusal::TooFewCells));
    assert_eq!(game.play(&Turn::Place(two.to_vec())), Ok(()));
}

#[test]
fn a_pass_needs_everything_else_gone() {
    let mut game = full_home(&[]);
    assert!(!zones(&game.board, Player::Red, game.options).neutral);
    assert_eq!(game.clone().play(&Turn::Pass), Err(Refusal::PassNotNeeded));
    game.skip_used.red = true;
    assert_eq!(game.clone().play(&Turn::Pass), Ok(()));
    game.round = 7;
    assert_eq!(game.clone().play(&Turn::Pass), Err(Refusal::PassNotNeeded));
    game.cooldown.red = 1;
    assert_eq!(game.clone().play(&Turn::Pass), Ok(()));
}

#[test]
fn baselines_without_a_cell_still_play_legally() {
    let mut game = full_home(&[]);
    for (skipped, round, cooldown) in [(false, 3, 0), (true, 8, 0), (true, 8, 1), (true, 3, 0)] {
        (game.skip_used.red, game.round, game.cooldown.red) = (skipped, round, cooldown);
        for tier in Tier::ALL {
            // A coin that does not fire.
            let turn = choose_turn(tier, &Params::SHIPPED, &game, &mut || u32::MAX);
            assert_eq!(game.clone().play(&turn), Ok(()), "{turn:?}");
        }
    }
}

#[test]
fn a_bomb_blocks_the_next_turn_of_its_thrower() {
    let block = |row: usize, column: usize| {
        Turn::Place(vec![cell(row, column), cell(row, column + 1), cell(row + 1, column), cell(row + 1, column + 1)])
    };
    let mut game = Game { round: 7, ..Game::new(Options::V2) };
    for (row, column) in [(20, 1), (20, 2), (21, 1), (21, 2)] {
        game.board[row][column] = 1;
        game.board[row][column + 20] = 2;
    }
    let bomb = Turn::Bomb(cell(0, 0));
    assert_eq!(game.play(&bomb), Ok(()));
    assert_eq!(game.cooldown.blue, 2);
    assert_eq!(game.play(&block(1, 21)), Ok(()));
    assert_eq!(game.play(&bomb), Err(Refusal::BombCoolingDown));
    assert_eq!(game.play(&block(1, 1)), Ok(()));
    assert_eq!(game.play(&block(1, 25)), Ok(()));
    assert_eq!(game.play(&bomb), Ok(()));
}

#[test]
fn majority_is_weighted_or_raw() {
    // Still blocks: four blue ones, two of them in red's home (16 cells, 24 points), against five red ones (20).
    let mut board = [[0; COLUMNS]; ROWS];
    let mut stamp = |row: usize, column: usize, colour: u8| {
        for line in &mut board[row..=row + 1] {
            line[column..=column + 1].fill(colour);
        }
    };
    for (row, column) in [(1, 1), (5, 1), (1, 25), (5, 25)] {
        stamp(row, column, 1);
    }
    for row in [9, 12, 15, 18, 21] {
        stamp(row, 22, 2);
    }
    let start = Game { board, round: 12, to_move: Player::Red, ..Game::new(Options::V2) };
    let winner = |options: Options| {
        let mut game = Game { options, ..start.clone() };
        assert_eq!(game.play(&Turn::Skip), Ok(()));
        let outcome = game.outcome.expect("the twelfth round is over");
        assert!(outcome.cells.red > outcome.cells.blue);
        outcome.winner
    };
    let raw = Options { weighted_majority: false, ..Options::V2 };
    assert_eq!((winner(Options::V2), winner(raw)), (Some(Player::Blue), Some(Player::Red)));
}

/// The score of one cell in whole points, without noise.
fn points(cells: &[(usize, usize, u8)], round: u32, tier: Tier, params: &Params, at: Cell) -> i64 {
    let mut board = [[0; COLUMNS]; ROWS];
    for &(row, column, colour) in cells {
        board[row][column] = colour;
    }
    let view = View::new(&board, Player::Red, round, 0, Options::V2);
    let scored = cell_scores(&view, tier, params, &[], &mut || 0);
    let ours = scored.iter().find(|scored| scored.cell == at).expect("the cell is legal");
    assert_eq!(ours.score % POINT, 0);
    ours.score / POINT
}

#[test]
fn a_lonely_cell_next_to_a_dying_enemy_worked_by_hand() {
    // Neutral 5, no neighbour -2, the cell dies (-lambda), the lone enemy dies (mu, and from round 7 hard's 6).
    let cells = [(20, 24, 2), (10, 12, 1)];
    let shipped = |round, tier| points(&cells, round, tier, &Params::SHIPPED, cell(10, 14));
    assert_eq!(shipped(6, Tier::Easy), 5 - 2 - 5);
    assert_eq!(shipped(6, Tier::Normal), 5 - 2 - 9 + 2);
    assert_eq!(shipped(6, Tier::Hard), 5 - 2 - 10 + 4);
    assert_eq!(shipped(7, Tier::Hard), 5 - 2 - 10 + 4 + 6);
    assert_eq!(shipped(7, Tier::Normal), 5 - 2 - 9 + 2);
    assert_eq!(points(&cells, 6, Tier::Normal, &Params::REPORT, cell(10, 14)), 5 - 2 - 9);
}

#[test]
fn an_invading_cell_worked_by_hand() {
    // The zone's bonus, no neighbour -2, the cell dies at double weight.
    let cells = [(20, 24, 2), (20, 12, 2), (20, 3, 2)];
    let easy = |round, params: &Params| points(&cells, round, Tier::Easy, params, cell(5, 3));
    assert_eq!((easy(4, &Params::SHIPPED), easy(5, &Params::SHIPPED)), (6 - 2 - 10, 14 - 2 - 10));
    assert_eq!((easy(4, &Params::REPORT), easy(5, &Params::REPORT)), (1 - 2 - 10, 5 - 2 - 10));
    // Without the neutral cell the chain is the bonus of any neutral one.
    let broken = [cells[0], cells[2]];
    assert_eq!(points(&broken, 5, Tier::Easy, &Params::SHIPPED, cell(5, 12)), 5 + 8 - 2 - 5);
}
