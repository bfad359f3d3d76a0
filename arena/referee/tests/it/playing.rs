//! Games are a function of their header and their players.

use arena_record::{Bytes, EntrantId, Header, Hex, Record};
use arena_referee::{Divergence, Failure, PlatformFault, PlayError, Player, Reply, Started, check, play, replay};
use arena_rules::conquerors::{Action, Position};
use arena_rules::{BySeat, Ruleset, Seat};
use arena_wire::conquerors::Observation;
use arena_wire::{Protocol, UnknownGame, seat_seed};

use crate::players::{Baseline, Script, baseline_game, header, scripted, seated};

#[test]
fn a_recorded_game_replays_to_its_outcome() {
    for (number, tiers) in
        [["easy", "hard"], ["hard", "easy"], ["normal", "hard"], ["hard", "hard"]].into_iter().enumerate()
    {
        let record = baseline_game(tiers, number as u8);
        assert_eq!(check(&record), Ok(()));
        let text = record.to_text();
        let read = Record::parse(&text).expect("its own text");
        assert_eq!(check(&read), Ok(()));
        let Ok(game) = replay::<Position>(&read) else { panic!("checked above") };
        let positions: Vec<Position> = game.positions().collect();
        assert_eq!(positions.len(), game.turns.len() + 1);
        assert_eq!(game.turns.len(), record.turns.len());
        assert_eq!(positions[0], Position::start(&(*positions[0].options()).into(), &[0; 32]));
        let last = positions.last().expect("the start at least");
        assert_eq!(last.outcome(), Some(record.outcome()));
        for (pair, turns) in positions.windows(2).zip(&game.turns) {
            let mut after = pair[0].clone();
            after.advance(turns.clone());
            assert_eq!(after, pair[1]);
        }
        // In any order.
        (0..positions.len()).rev().for_each(|turn| assert_eq!(game.position(turn), positions[turn], "{turn}"));
    }
}

/// Under an opening a game is a function of the seed even between players that ignore theirs.
#[test]
fn an_opening_is_the_seeds_and_part_of_the_digest() {
    let skips = |opening: &str, seed: u8| {
        let mut header = header(["baseline:easy@1", "baseline:hard@1"], seed);
        header.options = format!("{},{opening}", header.options);
        let skip = || Script::of(vec![Action::Skip; 2]);
        let (mut blue, mut red) = (skip(), skip());
        blue.answers.push(Ok(vec![]));
        play(header, seated(&mut blue, &mut red)).expect("a game was played")
    };
    for opening in ["opening=symmetric:8", "opening=turns:4"] {
        let (one, other) = (skips(opening, 1), skips(opening, 2));
        for record in [&one, &other] {
            assert_eq!(Record::parse(&record.to_text()).expect("its own text"), *record);
            assert_eq!(check(record), Ok(()));
        }
        assert_eq!(one.to_text(), skips(opening, 1).to_text());
        assert_eq!(one.turns[0].plays, other.turns[0].plays);
        assert_ne!(one.turns[0].digest, other.turns[0].digest);
        let mut forged = one.clone();
        forged.header.seed = other.header.seed;
        assert_eq!(check(&forged), Err(Divergence::Digest(1)));
        let mut forged = one.clone();
        forged.header.options = "chain_needs_home,weighted_majority".into();
        assert_eq!(check(&forged), Err(Divergence::Digest(1)));

        let Ok(game) = replay::<Position>(&one) else { panic!("checked above") };
        let start = Position::parse_options(&one.header.options).expect("canonical");
        assert_eq!(game.position(0), Position::start(&start, &one.header.seed.0));
        // The first to move is seat 0, and its first observation shows the opening.
        let mut blue = Baseline::new("easy");
        let mut red = Baseline::new("easy");
        play(one.header.clone(), seated(&mut blue, &mut red)).expect("a game was played");
        let seen = Observation::decode(&blue.seen[0]).expect("an observation");
        assert_eq!(seen.position, game.position(0));
    }
}

#[test]
fn the_same_header_and_players_make_the_same_bytes() {
    let (one, other) = (baseline_game(["easy", "normal"], 3), baseline_game(["easy", "normal"], 3));
    assert_eq!(one.to_text(), other.to_text());
    let another_seed = baseline_game(["easy", "normal"], 4);
    assert_ne!(one.digest, another_seed.digest);
}

#[test]
fn the_digest_is_of_the_play_and_not_of_who_played_it() {
    // The same scripted turns under other entrants, another seed, with and without fuel.
    let turns = || vec![Action::Skip];
    let (mut blue, mut red) = (Script::of(turns()), Script::of(turns()));
    let one = scripted(&mut blue, &mut red);
    let (mut blue, mut red) = (Script { fuel: Some(5), ..Script::of(turns()) }, Script::of(turns()));
    let other =
        play(header(["baseline:hard@1", "baseline:normal@7"], 200), seated(&mut blue, &mut red)).expect("played");
    assert_eq!(one.digest, other.digest);
    assert_eq!(one.outcome, other.outcome);
    assert_ne!(one.to_text(), other.to_text());
    assert_eq!((one.starts, other.starts), (vec![None, None], vec![Some(5), None]));
    assert_eq!(other.turns[0].plays[0].fuel, Some(5));
    // Under other options the same turns are another game.
    let mut options = header(["baseline:easy@1", "baseline:hard@1"], 9);
    options.options = "".into();
    let (mut blue, mut red) = (Script::of(turns()), Script::of(turns()));
    assert_ne!(play(options, seated(&mut blue, &mut red)).expect("played").digest, one.digest);
}

#[test]
fn a_fault_of_the_machine_leaves_no_record() {
    let fault = PlatformFault("out of paper".into());
    let machine = || Failure::Platform(fault.clone());
    for broken_seat in [0, 1] {
        for at_start in [true, false] {
            let mut broken = Script::of(vec![]);
            if at_start {
                broken.start = Err(machine());
            } else {
                broken.answers = vec![Err(machine())];
            }
            let mut fair = Script::of(vec![Action::Skip]);
            let players =
                if broken_seat == 0 { seated(&mut broken, &mut fair) } else { seated(&mut fair, &mut broken) };
            let played = play(header(["baseline:easy@1", "baseline:hard@1"], 9), players);
            assert_eq!(played, Err(PlayError::Platform(fault.clone())));
        }
    }
}

#[test]
fn a_header_that_makes_no_game_is_refused_before_anyone_is_started() {
    let refused = |change: &dyn Fn(&mut Header), players: usize| {
        let mut scripts: Vec<Script> = (0..players).map(|_| Script::of(vec![])).collect();
        let mut header = header(["baseline:easy@1", "baseline:hard@1"], 9);
        change(&mut header);
        let seated: Vec<&mut dyn Player> = scripts.iter_mut().map(|script| script as &mut dyn Player).collect();
        let error = play(header, BySeat::from(seated)).expect_err("no game");
        assert!(scripts.iter().all(|script| script.starts_asked == 0));
        error
    };
    for players in [0, 1, 3] {
        assert_eq!(refused(&|_| {}, players), PlayError::Seats { seats: 2, entrants: players });
    }
    for entrants in [0, 1, 3] {
        let other = |header: &mut Header| {
            header.entrants = vec![EntrantId::of_baseline("hard", 1); entrants];
        };
        assert_eq!(refused(&other, 2), PlayError::Seats { seats: 2, entrants });
    }
    for ruleset in ["", "conquerors", "conquerors@1", "Conquerors@2"] {
        let unknown = UnknownGame::Ruleset(ruleset.into());
        assert_eq!(refused(&|header| header.ruleset = ruleset.into(), 2), PlayError::Unknown(unknown));
    }
    for options in ["v2", "chain_needs_home,", "weighted_majority,chain_needs_home", " "] {
        let help = Position::options_help();
        let unknown = UnknownGame::Options { text: options.into(), help };
        assert_eq!(refused(&|header| header.options = options.into(), 2), PlayError::Unknown(unknown));
    }
}

/// Whether `bytes` has a run of 8 bytes of `secret`, so that no half or reordered half slips through.
fn leaks(bytes: &[u8], secret: &[u8]) -> bool {
    secret.windows(8).any(|part| bytes.windows(8).any(|here| here == part))
}

#[test]
fn a_player_sees_its_own_seed_and_no_other() {
    let entrants = ["baseline:normal@1", "baseline:normal@1"];
    let mut header = header(entrants, 0);
    header.seed = Hex(core::array::from_fn(|index| 0xc0 ^ (7 * index) as u8));
    let (mut blue, mut red) = (Baseline::new("normal"), Baseline::new("normal"));
    let record = play(header.clone(), seated(&mut blue, &mut red)).expect("played");
    assert!(record.turns.len() > 10);
    let seeds = [0, 1].map(|seat| seat_seed(&header.seed.0, Seat(seat), entrants[usize::from(seat)]));
    assert_ne!(seeds[0], seeds[1]);
    for (seat, player) in [(0, &blue), (1, &red)] {
        assert!(!player.seen.is_empty());
        for bytes in &player.seen {
            assert_eq!(bytes.len(), player.observation_len);
            assert!(!leaks(bytes, &header.seed.0), "the game's seed is in an observation");
            assert!(!leaks(bytes, &seeds[1 - seat]), "the opponent's seed is in an observation");
            assert!(!leaks(bytes, b"baseline"), "an entrant is in an observation");
            let observation = Observation::decode(bytes).expect("the referee shows observations");
            assert_eq!((observation.seat, observation.seat_seed), (Seat(seat as u8), seeds[seat]));
        }
    }
    // The seed is the game's, the seat's and the entrant's.
    assert_ne!(seat_seed(&[1; 32], Seat(0), "a"), seat_seed(&[2; 32], Seat(0), "a"));
    assert_ne!(seat_seed(&[1; 32], Seat(0), "a"), seat_seed(&[1; 32], Seat(0), "b"));
}

#[test]
fn players_get_the_budgets_of_the_header() {
    struct Meter {
        budgets: Vec<u64>,
    }

    impl Player for Meter {
        fn start(&mut self, _observation_len: usize, fuel: u64) -> Result<Started, Failure> {
            self.budgets.push(fuel);
            Ok(Started { fuel: Some(fuel) })
        }

        fn turn(&mut self, _observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
            self.budgets.push(fuel);
            Ok(Reply { action: Position::encode_action(&Action::Skip), fuel: Some(fuel - 1) })
        }
    }

    let mut header = header(["baseline:easy@1", "baseline:hard@1"], 9);
    (header.budgets.fuel_at_start, header.budgets.fuel_per_move) = (1234, 567);
    let (mut blue, mut red) = (Meter { budgets: vec![] }, Meter { budgets: vec![] });
    let record = play(header, seated(&mut blue, &mut red)).expect("played");
    assert_eq!((blue.budgets, red.budgets), (vec![1234, 567], vec![1234, 567]));
    assert_eq!(record.starts, [Some(1234), Some(1234)]);
    let plays: Vec<_> = record.turns.iter().flat_map(|turn| &turn.plays).collect();
    assert!(plays.iter().all(|play| play.fuel == Some(566) && play.action == Bytes(vec![1, 3, 0])));
}
