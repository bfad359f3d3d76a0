//! Exchanging colours and columns gives the same game.

use arena_rules::conquerors::{Action, Board, Cell, Colour, Options, Plane, Refusal, Setup, Target, Turn};
use arena_rules::{Rng, Ruleset};

use super::play::{advanced, many_positions, random_turn, target};

/// The position as the other player would call it: colours exchanged and, where homes lie in a mirror, columns too.
#[derive(Clone, Copy)]
enum Symmetry {
    /// Colours and columns: a symmetry of the game.
    Turned,
    /// Colours alone: a symmetry of reach under `shared_home`.
    Recoloured,
}

impl Symmetry {
    fn of(options: &Options) -> Symmetry {
        if options.shared_home { Symmetry::Recoloured } else { Symmetry::Turned }
    }

    fn board(self, board: &Board) -> Board {
        match self {
            Symmetry::Turned => board.turned(),
            Symmetry::Recoloured => board.recoloured(),
        }
    }

    fn cell(self, cell: Cell) -> Cell {
        match self {
            Symmetry::Turned => cell.mirrored(),
            Symmetry::Recoloured => cell,
        }
    }

    fn plane(self, plane: &Plane) -> Plane {
        match self {
            Symmetry::Turned => plane.mirrored(),
            Symmetry::Recoloured => *plane,
        }
    }

    /// Places off the board are unchanged: they are off it either way.
    fn target(self, target: Target) -> Target {
        Cell::new(target.row, target.col).map_or(target, |cell| self.cell(cell).into())
    }

    fn setup(self, setup: &Setup) -> Setup {
        Setup {
            board: self.board(&setup.board),
            to_move: setup.to_move.other(),
            cooldown: setup.cooldown.swapped(),
            skip_used: setup.skip_used.swapped(),
            ..*setup
        }
    }

    fn turn(self, turn: &Turn) -> Turn {
        match turn {
            Turn::Place(cells) => Turn::Place(cells.iter().map(|cell| self.cell(*cell)).collect()),
            Turn::Bomb(centre) => Turn::Bomb(self.cell(*centre)),
            other => other.clone(),
        }
    }

    fn action(self, action: &Action) -> Action {
        match action {
            Action::Place(targets) => Action::Place(targets.iter().map(|target| self.target(*target)).collect()),
            Action::Bomb(target) => Action::Bomb(self.target(*target)),
            other => other.clone(),
        }
    }

    fn refusal(self, refusal: Refusal) -> Refusal {
        match refusal {
            Refusal::Occupied(cell) => Refusal::Occupied(self.cell(cell)),
            Refusal::Unreachable(cell, zone) => Refusal::Unreachable(self.cell(cell), zone),
            other => other,
        }
    }
}

/// Everything that does not depend on whose turn ends the round is the same in a mirror with the colours exchanged.
#[test]
fn colours_and_columns_exchanged_is_the_same_game() {
    let mut rng = Rng::new(&[5; 32], 0);
    let mut turns_compared = 0;
    for position in many_positions() {
        let Some(mover) = position.to_move() else { continue };
        let symmetry = Symmetry::of(position.options());
        let twin = symmetry.setup(position.setup()).position().expect("within its ranges");
        assert_eq!(symmetry.setup(twin.setup()), *position.setup());
        for colour in Colour::BOTH {
            let (reach, other) = (position.reach(colour), twin.reach(colour.other()));
            assert_eq!(reach.zones().collect::<Vec<_>>(), other.zones().collect::<Vec<_>>());
            assert_eq!(symmetry.plane(&position.placeable(colour)), twin.placeable(colour.other()));
            assert_eq!(position.bomb_ready(colour), twin.bomb_ready(colour.other()));
        }
        assert_eq!(position.board().counts().swapped(), twin.board().counts());
        if matches!(symmetry, Symmetry::Turned) {
            assert_eq!(position.board().scores().swapped(), twin.board().scores());
        }

        let cells = (0..4).map(|_| target(rng.below(27) as u8, rng.below(29) as u8)).collect();
        let bomb = Action::Bomb(target(rng.below(27) as u8, rng.below(29) as u8));
        let legal = random_turn(&mut rng, &position).map(|turn| Action::from(&turn));
        for action in [Action::Place(cells), bomb, Action::Skip, Action::Pass].into_iter().chain(legal) {
            let verdict = position.check(mover.seat(), &action);
            let mirrored = twin.check(mover.other().seat(), &symmetry.action(&action));
            let wanted = verdict.as_ref().map(|turn| symmetry.turn(turn)).map_err(|refusal| symmetry.refusal(*refusal));
            assert_eq!(mirrored, wanted, "{action:?}");
            let Ok(turn) = verdict else { continue };
            turns_compared += 1;
            let (preview, other) = (position.preview(mover, &turn), twin.preview(mover.other(), &symmetry.turn(&turn)));
            assert_eq!(symmetry.board(&preview), other);
            let (after, other) = (advanced(&position, turn.clone()), advanced(&twin, symmetry.turn(&turn)));
            assert_eq!(*after.board(), preview);
            assert_eq!(symmetry.board(after.board()), *other.board());
            assert_eq!(after.skip_used().swapped(), other.skip_used());
            // The round, and perhaps the game, ends with red's turn: later positions are compared only if neither game ends.
            if after.outcome().is_none() && other.outcome().is_none() {
                assert_eq!(after.cooldown().swapped(), other.cooldown());
                assert_eq!(after.to_move().map(Colour::other), other.to_move());
                assert_eq!(
                    after.round() - u8::from(mover == Colour::Red),
                    other.round() - u8::from(mover == Colour::Blue)
                );
            }
        }
    }
    assert!(turns_compared > 1_500, "{turns_compared}");
}
