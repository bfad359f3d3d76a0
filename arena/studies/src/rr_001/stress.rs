//! RR-001's stress test of V4: an opponent that invades hard's home in every turn.

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_rules::conquerors::{Board, Cell, Colour, Options, PLACEMENTS, Plane, Position, Turn, Zone};
use arena_rules::{BySeat, Rng, Ruleset};

use super::figures::Estimate;
use crate::seat_seed;

/// The counts of one game, or of several.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Game {
    /// Turns of hard.
    pub(super) turns: u64,
    /// Generations after which hard lived.
    lived: u64,
    /// Those after which it lived without a cell at home.
    pub(super) homeless: u64,
}

/// The games of the stress test.
pub(super) struct Stress {
    pub(super) games: u32,
    /// The games in which hard lived without a cell at home after some generation.
    pub(super) lost: usize,
    pub(super) all: Game,
}

impl FromIterator<Game> for Stress {
    fn from_iter<I: IntoIterator<Item = Game>>(games: I) -> Stress {
        games.into_iter().fold(Stress { games: 0, lost: 0, all: Game::default() }, |stress, game| Stress {
            games: stress.games + 1,
            lost: stress.lost + usize::from(game.homeless > 0),
            all: Game {
                turns: stress.all.turns + game.turns,
                lived: stress.all.lived + game.lived,
                homeless: stress.all.homeless + game.homeless,
            },
        })
    }
}

impl Stress {
    /// The share of games in which the home was lost.
    pub(super) fn share(&self) -> Estimate {
        Estimate::share(self.lost as f64, self.games.into())
    }

    /// How it is played, and what was found.
    pub(super) fn sentence(&self) -> String {
        let Stress { games, lost, all: Game { turns, lived, homeless } } = self;
        format!(
            "The report's stress test, an opponent that invades hard's home in every turn, is played as a block of four cells at a random free \
             place there, whatever the opponent's reach, in either seat: hard lived without a cell at home in {lost} of {games} games \
             ({} %), after {homeless} of the {lived} generations that it lived, in {turns} turns",
            self.share()
        )
    }
}

/// Plays one game by the V2 rules in fair seats. Hard has the first seat in even games, the second in odd ones.
pub(super) fn play(params: &Params, study_seed: u64, game: u32) -> Game {
    let seed = crate::seed("arena/study-stress/1", study_seed, game, []);
    let hard = Colour::BOTH[game as usize % 2];
    let hard_seed = seat_seed(&seed, hard.seat(), Tier::Hard.name());
    let mut rng = Rng::new(&seed, 0);
    let home = Zone::Home.cells(hard, &Options::V2);
    let mut position = Position::start(&Options::V2.into(), &seed);
    let mut counted = Game::default();
    while let Some(colour) = position.to_move() {
        let turn = if colour == hard {
            counted.turns += 1;
            choose(&position, hard.seat(), Tier::Hard, params, &hard_seed)
        } else {
            Turn::Place(invasion(position.board(), &home, &mut rng))
        };
        position.advance(BySeat::new(2, |seat| (seat == colour.seat()).then(|| turn.clone())));
        let own = position.board().of(hard);
        counted.lived += u64::from(!own.is_empty());
        counted.homeless += u64::from(!own.is_empty() && !own.meets(&home));
    }
    counted
}

/// A block on free cells of a home; where there is no room, single cells.
fn invasion(board: &Board, home: &Plane, rng: &mut Rng) -> Vec<Cell> {
    let free = *home & !board.living();
    let block = |corner: Cell| {
        let [row, col] = [corner.row() as u8, corner.col() as u8];
        let cells = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| Cell::new(row + down, col + right));
        let cells: Vec<Cell> = cells.into_iter().flatten().filter(|cell| free.contains(*cell)).collect();
        (cells.len() == usize::from(PLACEMENTS)).then_some(cells)
    };
    let mut blocks: Vec<Vec<Cell>> = free.cells().filter_map(block).collect();
    if blocks.is_empty() {
        return free.cells().take(PLACEMENTS.into()).collect();
    }
    blocks.swap_remove(rng.below(blocks.len() as u32) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_invader_stands_in_the_home_whatever_its_reach() {
        let home = Zone::Home.cells(Colour::Red, &Options::V2);
        let mut rng = Rng::new(&[7; 32], 0);
        for _ in 0..50 {
            let block = invasion(&Board::EMPTY, &home, &mut rng);
            assert!(block.len() == 4 && block.iter().all(|cell| home.contains(*cell)), "{block:?}");
        }
        let crowded = home.cells().fold(Board::EMPTY, |mut board, cell| {
            if cell.col() % 2 == 0 {
                board.set(cell, Colour::Red);
            }
            board
        });
        assert_eq!(invasion(&crowded, &home, &mut rng).len(), 4, "single cells");
    }

    #[test]
    fn games_last_and_both_seats_are_played() {
        let games: Vec<Game> = (0..10).map(|game| play(&Params::SHIPPED, 1, game)).collect();
        let stress: Stress = games.iter().copied().collect();
        assert_eq!(stress.games, 10);
        assert!(stress.all.turns > 50 && stress.all.lived > stress.all.turns, "{:?}", stress.all);
        assert_eq!(stress.lost, games.iter().filter(|game| game.homeless > 0).count());
        assert_eq!(play(&Params::SHIPPED, 1, 3), games[3], "the same seed gives the same game");
    }
}
