//! The effect of one action on a colour within one generation, for all cells at once.

use arena_rules::Seat;
use arena_rules::game_of_game_of_life::{Around, Board, Camp, Cell, Plane};

/// The change of a colour's number of cells after the next generation by one action, everything else being equal.
///
/// An action changes the fate of its cell, and the number of neighbours of the eight cells around it by one. So it is
/// enough to know for every cell whether one neighbour more, or one less, gains or loses the colour a cell.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    /// Neighbours that gain, and that lose, the colour a cell when a cell is claimed.
    claim: [Around; 2],
    /// The same when a cell is killed.
    kill: [Around; 2],
    /// Living cells that go on if nothing happens around them, were they alive: two or three neighbours.
    steady: Plane,
    /// Dead cells of which the colour has one by birth, were they dead: three neighbours, at least two of the colour.
    births: Plane,
    /// Whether a claimed cell is the colour's.
    own_claims: bool,
}

impl Gains {
    /// The effect of `mover`'s actions on the cells of `colour`, its own or another's.
    pub fn of(board: &Board, mover: Seat, colour: Seat) -> Gains {
        let camp = Camp::of(board, colour);
        let (own, living) = (*camp.own(), *camp.living());
        let (all, parents) = (living.around(), own.around());
        let (one, two, three, four) = (all.exactly(1), all.exactly(2), all.exactly(3), all.exactly(4));
        let dead = !living;
        let own_claims = mover == colour;
        let births = three & parents.many();
        // A third parent that is the colour's own needs one more of it, a stranger two. A killed cell is the mover's.
        let born_by_a_third = dead & two & if own_claims { parents.any() } else { parents.many() };
        let born_without_the_fourth = dead & four & if own_claims { at_least_three(&parents) } else { parents.many() };
        let kept_from_birth = dead & births;
        Gains {
            claim: [(born_by_a_third | own & one).around(), (kept_from_birth | own & three).around()],
            kill: [(born_without_the_fourth | own & four).around(), (kept_from_birth | own & two).around()],
            steady: two | three,
            births,
            own_claims,
        }
    }

    /// By a claim of `cell`, which is dead.
    pub fn claim(&self, cell: Cell) -> i32 {
        let lives = self.own_claims && self.steady.contains(cell);
        i32::from(lives) - i32::from(self.births.contains(cell)) + difference(&self.claim, cell)
    }

    /// By a kill of `cell`, which is the mover's.
    pub fn kill(&self, cell: Cell) -> i32 {
        let lived = self.own_claims && self.steady.contains(cell);
        i32::from(self.births.contains(cell)) - i32::from(lived) + difference(&self.kill, cell)
    }
}

fn difference([gives, takes]: &[Around; 2], cell: Cell) -> i32 {
    i32::from(gives.at(cell)) - i32::from(takes.at(cell))
}

fn at_least_three(around: &Around) -> Plane {
    around.many() & !around.exactly(2)
}
