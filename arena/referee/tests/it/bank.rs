//! Fuel for a whole game, in the game that has it: Game of Game of Life.

use arena_record::{Budgets, Bytes, EntrantId, Forfeit, ForfeitCode, Header, Hex, Play, RECORD_BYTES_MAX, Record};
use arena_referee::{Failure, Fault, Player, Reply, Started, check, play};
use arena_rules::game_of_game_of_life::{Action, GENERATIONS, Position, Target};
use arena_rules::{BySeat, Reason, Ruleset, Seat};
use arena_wire::Protocol;

const PER_MOVE: u64 = 100;
const PER_GAME: u64 = 250;

/// A player that needs so much fuel for its turns, one after the other, and none for those after them.
struct Eater {
    needs: Vec<u64>,
    /// The fuel it was given, turn by turn.
    given: Vec<u64>,
}

/// Kills a cell of a block, which is born again: a turn that shows in the record and changes nothing.
fn kill(seat: u8) -> Vec<u8> {
    Position::encode_action(&Action::Cell(Target { row: 2, col: if seat == 0 { 2 } else { 8 } }))
}

impl Eater {
    fn new(needs: &[u64]) -> Eater {
        Eater { needs: needs.to_vec(), given: Vec::new() }
    }
}

impl Player for Eater {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        Ok(Started { fuel: Some(0) })
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let need = self.needs.get(self.given.len()).copied().unwrap_or(0);
        self.given.push(fuel);
        if need > fuel {
            return Err(Fault::failure(ForfeitCode::FuelExhausted, "hungry"));
        }
        Ok(Reply { action: kill(observation[2]), fuel: Some(need) })
    }
}

/// A game of seat 0 with these needs against one that needs nothing.
fn game(needs: &[u64]) -> (Record, Vec<u64>) {
    let budgets =
        Budgets { fuel_per_move: PER_MOVE, fuel_per_game: Some(PER_GAME), ..Budgets::of(Position::ALLOWANCE) };
    let header = Header {
        semantics: "example".into(),
        build: "example".into(),
        ruleset: Position::ID.into(),
        options: Position::CASUAL.into(),
        budgets,
        seed: Hex([3; 32]),
        entrants: ["baseline:one@1", "baseline:two@1"].map(|id| id.parse().expect("an id")).to_vec(),
        opponents: Default::default(),
    };
    let (mut eater, mut other) = (Eater::new(needs), Eater::new(&[]));
    let record =
        play(header, BySeat::from(vec![&mut eater as &mut dyn Player, &mut other])).expect("a game was played");
    assert_eq!(check(&record), Ok(()));
    let text = record.to_text();
    assert_eq!(Record::parse(&text).map(|read| read.to_text()).ok(), Some(text));
    (record, eater.given)
}

/// Seat 0's action and fuel in a turn.
fn played(record: &Record, turn: usize) -> &Play {
    record.turns[turn].plays.iter().find(|play| play.seat == 0).expect("it was asked, or passed")
}

fn acts(record: &Record, turn: usize, fuel: u64) {
    assert_eq!(*played(record, turn), Play { seat: 0, action: Bytes(kill(0)), fuel: Some(fuel) }, "turn {turn}");
}

fn passes(record: &Record, turn: usize, fuel: u64) {
    let pass = Position::encode_action(&Action::Pass);
    assert_eq!(*played(record, turn), Play { seat: 0, action: Bytes(pass), fuel: Some(fuel) }, "turn {turn}");
}

#[test]
fn a_turn_gets_no_more_than_the_bank_has_and_the_one_that_empties_it_passes() {
    let (record, given) = game(&[100, 90, 61]);
    assert_eq!(given, [100, 100, 60]);
    acts(&record, 0, 100);
    acts(&record, 1, 90);
    passes(&record, 2, 60);
    // Not asked again, and no fault of its own.
    (3..usize::from(GENERATIONS)).for_each(|turn| passes(&record, turn, 0));
    assert_eq!((record.turns.len(), record.forfeits.len()), (GENERATIONS.into(), 0));
    assert_eq!(record.outcome().reason, Reason::Majority);
}

#[test]
fn what_is_answered_with_the_last_of_the_bank_stands() {
    let (record, given) = game(&[100, 90, 60]);
    assert_eq!(given, [100, 100, 60]);
    acts(&record, 2, 60);
    (3..usize::from(GENERATIONS)).for_each(|turn| passes(&record, turn, 0));
    assert_eq!(record.forfeits.len(), 0);
}

#[test]
fn a_turn_over_its_own_budget_is_a_forfeit_while_the_bank_has_more() {
    let (record, given) = game(&[100, 101]);
    assert_eq!(given, [100, 100]);
    let fault = Forfeit { seat: 0, turn: Some(1), code: ForfeitCode::FuelExhausted, detail: "hungry".into() };
    assert_eq!(record.forfeits, [fault]);
    assert_eq!((record.outcome().reason, record.outcome().winner), (Reason::Forfeit, Some(Seat(1))));
}

#[test]
fn a_turn_that_needs_nothing_takes_nothing() {
    let (record, given) = game(&[1]);
    assert_eq!(given.len(), usize::from(GENERATIONS));
    assert_eq!(given[..3], [100; 3]);
    acts(&record, 999, 0);
    assert_eq!(record.outcome().winner, None);
}

/// The most seats, the most turns, all seats alive, all numbers long.
#[test]
fn the_longest_game_fits_a_record() {
    let header = Header {
        semantics: "example".repeat(9),
        build: "example".repeat(9),
        ruleset: Position::ID.into(),
        options: "seats=16".into(),
        budgets: Budgets::of(Position::ALLOWANCE),
        seed: Hex([3; 32]),
        entrants: vec![EntrantId::of_bytes(b"a bot"); 16],
        opponents: Default::default(),
    };
    let mut players: Vec<Eater> = (0..16).map(|_| Eater::new(&[1_000_000; GENERATIONS as usize])).collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    let record = play(header, BySeat::from(seated)).expect("a game was played");
    assert_eq!(record.turns.iter().map(|turn| turn.plays.len()).sum::<usize>(), 16 * usize::from(GENERATIONS));
    assert!(record.to_text().len() <= RECORD_BYTES_MAX, "{}", record.to_text().len());
}
