//! A world's life as a log: live, after a crash at any point, and verified by another party.

use std::collections::BTreeMap;

use arena_record::{EntrantId, Hex};
use arena_rules::Rng;
use arena_rules::life2::{
    Account, BASE_COST, Base, Call, Cell, Census, Ground, Kingdom, Rates, Refusal, SLOTS, Setup, Side, Slot, World,
};
use arena_world::{
    BOTS_MAX, BadSnapshot, By, CALL_BYTES_MAX, CHECKED_EVERY, Event, FALLEN_MAX, Fallen, Format, IllegalEvent,
    LoggedCall, Machine, Nobody, OPENED_BYTES_MAX, Opened, Packed, ParseEventError, STATE_BYTES_MAX, Seated, Span,
    SpanError,
};

/// Accounts that call.
const ACCOUNTS: u64 = 11;

fn small_world() -> Machine {
    let side = Side::of_length(64).expect("a power of two");
    Machine::new(World::new(side, Rates { wipe: 90, grace: 150 }))
}

/// A random call: mostly allowed, sometimes not.
fn any_call(world: &World, rng: &mut Rng) -> (Account, Call) {
    let length = u32::from(world.ground().side().length());
    let account = Account(u64::from(rng.below(ACCOUNTS as u32)));
    let call = match (rng.below(5), world.slot_of(account)) {
        (0, _) => Call::Faucet,
        (_, None) => Call::Join { x: rng.below(length) as i32, y: rng.below(length) as i32 },
        (_, Some(slot)) => {
            let own: Vec<Cell> = world.ground().of(slot).collect();
            let cells = (0..rng.below(12)).map(|_| own[rng.below(own.len() as u32) as usize]);
            Call::Place(cells.map(|cell| (cell.x.into(), cell.y.into())).collect())
        }
    };
    (account, call)
}

/// The log of a number of generations, and the digest after each.
fn live(mut machine: Machine, generations: u64, seed: u8) -> (String, Vec<Hex<32>>, u64) {
    let mut rng = Rng::new(&[seed; 32], 0);
    let mut log = machine.opened("a test").to_line();
    let (mut digests, mut calls) = (vec![machine.digest()], 0);
    for _ in 0..generations {
        for _ in 0..rng.below(3) {
            let (account, call) = any_call(machine.world(), &mut rng);
            let before = machine.clone();
            match machine.propose(account, &call) {
                Ok(None) => assert_eq!(call, Call::Place(Vec::new())),
                Ok(Some(event)) => {
                    log += &event.to_line();
                    machine.apply(&event).expect("it was proposed");
                    calls += 1;
                }
                Err(_) => assert_eq!(machine, before),
            }
        }
        if let Some(event) = machine.step() {
            log += &event.to_line();
        }
        digests.push(machine.digest());
    }
    (log, digests, calls)
}

/// The part of a log that a restart uses: its whole lines, without a line that was being written.
fn recovered(log: &str) -> Machine {
    let mut lines = log.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(Event::parse).map(Result::unwrap);
    let Some(Event::Opened(opened)) = lines.next() else { panic!("a log begins with a snapshot") };
    let mut machine = Machine::open(&opened).expect("its own");
    lines.for_each(|event| machine.apply(&event).expect("its own"));
    machine
}

#[test]
fn a_span_is_computed_again_from_its_snapshot_and_calls() {
    let (log, _, calls) = live(small_world(), 2 * CHECKED_EVERY, 1);
    assert!(calls > 500, "{calls}");
    let whole = Span::verify(&log, &mut Nobody).expect("its own");
    assert_eq!((whole.from, whole.to, whole.calls), (0, 1_200, calls));
    assert!(whole.taken.is_empty() && !whole.is_first(), "a smaller world than a site's");
    // So is any span that begins with its own snapshot.
    let cut = log.find("{\"event\":\"checked\",\"generation\":600").expect("the first digest");
    let (first, rest) = log.split_at(cut + log[cut..].find('\n').expect("a line") + 1);
    let second = recovered(first).opened("another build").to_line() + rest;
    let found = [first, &second].map(|span| Span::verify(span, &mut Nobody).expect("a span"));
    assert_eq!(found.each_ref().map(|span| (span.from, span.to)), [(0, 600), (600, 1_200)]);
    assert_eq!(found[0].calls + found[1].calls, calls);
    // Together they are a chain: the second's snapshot follows from the first.
    let [first, second] = found;
    assert!(second.follows(&first) && !first.follows(&second) && !first.follows(&first));
    assert_eq!((first.begins, second.ends), (whole.begins, whole.ends));
}

#[test]
fn a_snapshot_with_other_wallets_is_recomputed_but_follows_from_no_span() {
    let (log, ..) = live(Machine::new(World::new(Side::WORLD, Rates::FOUNDING)), CHECKED_EVERY, 5);
    let first = Span::verify(&log, &mut Nobody).expect("its own");
    assert!(first.is_first());
    let next = |machine: &Machine| {
        let empty = machine.opened("a test").to_line() + &machine.clone().checked().to_line();
        Span::verify(&empty, &mut Nobody).expect("a span")
    };
    let honest = recovered(&log);
    assert!(next(&honest).follows(&first));
    // A coin more in one wallet, with the digest of that.
    let mut state = honest.world().state();
    let wallet = state.len() - 5 * usize::from(Side::WORLD.length()).pow(2) / 8 - 8;
    state[wallet] ^= 1;
    let forged = next(&Machine::new(World::of_state(&state).expect("a world")));
    assert!(!forged.follows(&first) && !forged.is_first());
    // Another bot's seat is part of a snapshot, too. The line that seats it is in the span before, which a digest has
    // to end.
    let mut seated = honest;
    let event = seated.seat(Account(1), Some("baseline:idle@1".parse().unwrap())).unwrap().unwrap();
    seated.apply(&event).unwrap();
    seated.checked();
    assert!(!next(&seated).follows(&first));
}

/// A log of the first version, in which grace begins with a loss: its first line says less.
fn of_first_version(machine: &Machine) -> Machine {
    let line = machine.opened("a test").to_line();
    let line = line.replace("arena-world/2", "arena-world/1").replace(",\"grace_from\":0", "");
    let Event::Opened(opened) = Event::parse(&line).expect("an event") else { panic!("a snapshot") };
    Machine::open(&opened).expect("a world")
}

#[test]
fn a_log_of_the_first_version_verifies_by_its_rule_and_leads_to_the_next() {
    let mut old = of_first_version(&small_world());
    let mut log = old.opened("a test").to_line();
    for call in [Call::Faucet, Call::Join { x: 8, y: 8 }] {
        let event = old.propose(ANN, &call).expect("allowed").expect("it changes something");
        log += &event.to_line();
        old.apply(&event).expect("it was proposed");
    }
    let first = log.len();
    log += &std::iter::repeat_with(|| old.step()).find_map(|event| event).expect("a digest").to_line();
    assert!(old.world().slot_of(ANN).is_some(), "grace of 150 generations never began");
    let before = Span::verify(&log, &mut Nobody).expect("its own");
    let as_if_new = log.replacen("arena-world/1", "arena-world/2", 1).replacen("\"}\n", "\",\"grace_from\":0}\n", 1);
    let found = Span::verify(&as_if_new, &mut Nobody).expect_err("another rule");
    assert!(matches!(found, SpanError::Differs { why: IllegalEvent::Digest(_), .. }), "{found}");
    assert!(first < log.len() && !old.is_amended());
    // The next span begins with the new rule, says so, and follows from the one before.
    let mut new = old.amended();
    let mut log = new.opened("a test").to_line();
    assert!(log.contains("\"format\":\"arena-world/2\"") && log.contains("\"grace_from\":600"), "{log}");
    (0..149).for_each(|_| drop(new.step()));
    assert!(new.world().slot_of(ANN).is_some(), "all of its grace");
    new.step();
    assert_eq!(new.world().slot_of(ANN), None);
    let fell = new.fallen(ANN).expect("it is remembered");
    assert_eq!((fell.generation, fell.by), (750, By::Grace));
    log += &new.checked().to_line();
    let after = Span::verify(&log, &mut Nobody).expect("its own");
    assert!(after.follows(&before) && !before.follows(&after));
    // Nobody may put it off: that rule from a later generation is another snapshot.
    let later = log.replacen("\"grace_from\":600", "\"grace_from\":599", 1);
    assert!(!Span::verify(&later, &mut Nobody).expect("a span").follows(&before));
    assert!(new.opened("a test").to_line().contains("\"fallen\":[{\"account\":\"0000000000000007\""));
}

#[test]
fn snapshots_that_break_their_rule_of_grace_are_refused() {
    let world = small_world();
    let refused = |change: &dyn Fn(&mut Opened)| {
        let Event::Opened(mut opened) = world.opened("a test") else { panic!("a snapshot") };
        change(&mut opened);
        Machine::open(&opened).expect_err("no snapshot")
    };
    let fell = |account| Fallen { account: Hex([account; 8]), generation: 0, by: By::Siege(None) };
    assert_eq!(refused(&|opened| opened.grace_from = None), BadSnapshot::Grace);
    assert_eq!(refused(&|opened| opened.grace_from = Some(1)), BadSnapshot::Grace, "in a generation to come");
    assert_eq!(refused(&|opened| opened.format = Format::AtLoss), BadSnapshot::Grace);
    assert_eq!(refused(&|opened| opened.fallen = vec![fell(2), fell(1)]), BadSnapshot::Grace, "not by account");
    assert_eq!(refused(&|opened| opened.fallen = vec![Fallen { generation: 1, ..fell(1) }]), BadSnapshot::Grace);
    let many = |opened: &mut Opened| opened.fallen = (0..=FALLEN_MAX as u8).map(fell).collect();
    assert_eq!(refused(&many), BadSnapshot::Grace);
}

#[test]
fn after_a_crash_at_any_byte_the_world_is_where_its_last_whole_line_says() {
    let (log, digests, _) = live(small_world(), 300, 2);
    let first = log.find('\n').expect("a line") + 1;
    let mut rng = Rng::new(&[3; 32], 0);
    for _ in 0..200 {
        let cut = first + rng.below((log.len() - first) as u32 + 1) as usize;
        let mut machine = recovered(&log[..cut]);
        let lines: Vec<Event> = log[..cut]
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
            .map(|line| Event::parse(line).unwrap())
            .collect();
        if let Some(Event::Called { generation, .. }) = lines.last() {
            assert_eq!(machine.world().generation(), *generation);
        }
        // The rest of the log leads to the uninterrupted world, generation by generation.
        let rest: Vec<Event> =
            log.split_inclusive('\n').skip(lines.len()).map(|line| Event::parse(line).unwrap()).collect();
        for event in &rest {
            machine.apply(event).expect("its own");
        }
        while machine.world().generation() < 300 {
            machine.step();
        }
        assert_eq!(machine.digest(), digests[300]);
    }
}

/// Every byte counts: none can be another without being noticed, and no line left out but a digest that a later one
/// makes superfluous. The build is a note.
#[test]
fn a_change_of_any_byte_is_noticed() {
    let (mut log, ..) = live(small_world(), 40, 4);
    log += &recovered(&log).checked().to_line();
    assert!(Span::verify(&log, &mut Nobody).is_ok());
    let build = log.find("a test").expect("the build");
    assert!(log.contains("place") && log.contains("join"));
    for at in (0..log.len()).filter(|at| !(build..build + 6).contains(at)) {
        let mut bytes = log.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        let text = String::from_utf8(bytes).expect("digits");
        assert!(Span::verify(&text, &mut Nobody).is_err(), "byte {at}");
    }
    for (number, line) in log.split_inclusive('\n').enumerate() {
        let without = log.replacen(line, "", 1);
        assert!(Span::verify(&without, &mut Nobody).is_err(), "line {}", number + 1);
    }
}

const ANN: Account = Account(7);
const BEN: Account = Account(3);

/// Ann's cells are about to be born in Ben's base, which has its last coin and a block inside.
fn besieged() -> Machine {
    let side = Side::of_length(64).expect("a power of two");
    let (mut ground, mut kingdoms) = (Ground::empty(side), [None; SLOTS]);
    for (slot, (account, at)) in Slot::all().zip([(ANN, 8), (BEN, 40)]) {
        let base = Base { x: at, y: at };
        base.interior(side).for_each(|cell| ground.set_owner(cell, Some(slot)));
        kingdoms[usize::from(slot.number()) - 1] =
            Some(Kingdom { account, base, coins: 1, lives: true, idle_since: None });
    }
    for (x, y) in [(41, 39), (42, 39), (43, 39)] {
        ground.set_owner(Cell { x, y }, Slot::new(1));
        ground.set_alive(Cell { x, y }, true);
    }
    for (x, y) in [(44, 44), (45, 44), (44, 45), (45, 45)] {
        ground.set_alive(Cell { x, y }, true);
    }
    let (rates, wallets) = (Rates { wipe: 1_000, grace: 1_000 }, BTreeMap::from([(BEN, 150)]));
    Machine::new(Setup { rates, generation: 0, ground, kingdoms, wallets }.world().expect("a world"))
}

#[test]
fn who_falls_in_a_siege_is_out_until_joining_again_and_the_log_leads_there() {
    let mut machine = besieged();
    let mut log = machine.opened("a test").to_line();
    let second = Slot::new(2).expect("a slot");
    machine.step();
    assert_eq!((machine.world().kingdom(second), machine.world().slot_of(BEN)), (None, None));
    assert_eq!(machine.world().ground().census()[2], Census::default(), "neither ground nor cells are left");
    assert_eq!((machine.world().balance(ANN), machine.world().balance(BEN)), (1, 150));
    let by = By::Siege(Some(Hex(ANN.0.to_be_bytes())));
    assert_eq!(machine.fallen(BEN), Some(Fallen { account: Hex(BEN.0.to_be_bytes()), generation: 1, by }));
    let cells = vec![(42, 42), (43, 42), (44, 42)];
    assert_eq!(machine.propose(BEN, &Call::Place(cells.clone())), Err(Refusal::NotInGame));
    for call in [Call::Join { x: 40, y: 40 }, Call::Place(cells)] {
        let event = machine.propose(BEN, &call).expect("allowed").expect("it changes something");
        log += &event.to_line();
        machine.apply(&event).expect("it was proposed");
    }
    assert_eq!(machine.world().slot_of(BEN), Some(second), "the slot that was freed");
    assert_eq!(machine.fallen(BEN), None, "that kingdom is history");
    assert_eq!(machine.world().kingdom(second).map(|kingdom| kingdom.coins), Some(BASE_COST + 3));
    // No line records a fall: it follows from the rules, after a crash and in a verification.
    assert_eq!(recovered(&log).digest(), machine.digest());
    for _ in 0..10 {
        machine.step();
    }
    log += &machine.checked().to_line();
    let span = Span::verify(&log, &mut Nobody).expect("its own");
    assert_eq!((span.from, span.to, span.calls), (0, 11, 2));
    assert_eq!(recovered(&log).digest(), machine.digest());
}

#[test]
fn a_slot_that_the_operator_frees_is_free_and_spans_with_it_verify() {
    let mut machine = besieged();
    let mut log = machine.opened("a test").to_line();
    let second = Slot::new(2).expect("a slot");
    let seated = machine.seat(BEN, Some(EntrantId::of_baseline("idle", 1))).expect("few").expect("another");
    log += &seated.to_line();
    machine.apply(&seated).expect("it was proposed");
    let freed = machine.free(BEN).expect("he holds one");
    assert_eq!(
        freed.to_line(),
        format!("{{\"event\":\"freed\",\"generation\":0,\"account\":\"{}\"}}\n", Hex(BEN.0.to_be_bytes()))
    );
    log += &freed.to_line();
    machine.apply(&freed).expect("it was proposed");
    assert_eq!((machine.world().kingdom(second), machine.world().slot_of(BEN)), (None, None));
    assert_eq!(machine.bots().count(), 0, "or it would join again");
    assert_eq!(machine.world().ground().census()[2], Census::default(), "neither ground nor cells are left");
    assert_eq!(machine.world().balance(BEN), 150, "the wallet is the account's");
    let fell = Fallen { account: Hex(BEN.0.to_be_bytes()), generation: 0, by: By::Operator };
    assert_eq!(machine.fallen(BEN), Some(fell.clone()));
    assert_eq!(
        (machine.free(BEN), machine.apply(&freed)),
        (None, Err(IllegalEvent::Freed)),
        "there is nothing to free"
    );
    // The kingdom is gone in each world that follows the log: after a crash, in the next snapshot, and in a
    // verification.
    assert_eq!(recovered(&log).fallen(BEN), Some(fell));
    assert!(machine.opened("a test").to_line().contains("\"by\":\"operator\""));
    for _ in 0..10 {
        machine.step();
    }
    log += &machine.checked().to_line();
    Span::verify(&log, &mut Nobody).expect("its own");
    assert_eq!(recovered(&log).digest(), machine.digest());
    // Nobody may take the line out or put in another: digest and chain say so.
    let without = log.replace(&freed.to_line(), "");
    assert!(matches!(Span::verify(&without, &mut Nobody), Err(SpanError::Differs { .. })));
    let other = log.replacen(&freed.to_line(), &freed.to_line().repeat(2), 1);
    let error = Span::verify(&other, &mut Nobody).expect_err("twice");
    assert!(matches!(error, SpanError::Differs { line: 4, why: IllegalEvent::Freed }), "{error}");
    // A log of the first version has no such line.
    let old = of_first_version(&small_world());
    let event = old.propose(ANN, &Call::Faucet).expect("allowed").expect("some");
    let mut old = old;
    old.apply(&event).expect("it was proposed");
    let joined = old.propose(ANN, &Call::Join { x: 8, y: 8 }).expect("allowed").expect("some");
    old.apply(&joined).expect("it was proposed");
    let freed = Event::Freed { generation: 0, account: Hex(ANN.0.to_be_bytes()) };
    assert_eq!((old.free(ANN), old.apply(&freed)), (None, Err(IllegalEvent::Freed)));
}

#[test]
fn what_is_no_span_says_why() {
    let machine = small_world();
    let opened = machine.opened("a test").to_line();
    let error = |text: &str| Span::verify(text, &mut Nobody).expect_err("no span");
    assert!(matches!(error(""), SpanError::NoSnapshot));
    assert!(matches!(error(&machine.clone().checked().to_line()), SpanError::NoSnapshot));
    assert!(matches!(error(&opened), SpanError::NoEnd));
    assert!(matches!(error("tea\n"), SpanError::Line { line: 1, why: ParseEventError::Json(_) }));
    assert!(
        matches!(error(&opened.replace("world/2", "world/3")), SpanError::OtherForm(theirs) if theirs == "arena-world/3")
    );
    let with = |event: &Event| opened.clone() + &event.to_line();
    let called =
        |generation| Event::Called { generation, account: Hex([0; 8]), call: LoggedCall::Faucet, answer: 1_000 };
    let refused = |call| Event::Called { generation: 0, account: Hex([0; 8]), call, answer: 1 };
    let differs = |text: &str| match error(text) {
        SpanError::Differs { line: 2, why } => why,
        other => panic!("{other}"),
    };
    assert_eq!(differs(&with(&called(CHECKED_EVERY + 1))), IllegalEvent::TooFar { from: 0, to: 601 });
    assert_eq!(differs(&with(&refused(LoggedCall::Join(0, 0)))), IllegalEvent::Refused(Refusal::NeedCoins));
    assert_eq!(differs(&with(&refused(LoggedCall::Faucet))), IllegalEvent::Answer(1_000));
    assert_eq!(differs(&(opened.clone() + &opened)), IllegalEvent::OpenedAgain);
    let digest = |generation| Event::Checked { generation, digest: machine.digest(), calls: Hex([1; 32]) };
    assert!(matches!(differs(&with(&digest(1))), IllegalEvent::Digest(_)));
    assert_eq!(differs(&with(&digest(0))), IllegalEvent::Calls(Hex([0; 32])));
    assert!(matches!(machine.propose(Account(0), &Call::Place(Vec::new())), Ok(None)));
    assert_eq!(differs(&with(&refused(LoggedCall::Place(Vec::new())))), IllegalEvent::Nothing);
    let backwards = with(&called(5)) + &called(4).to_line();
    assert!(matches!(error(&backwards), SpanError::Differs { line: 3, why: IllegalEvent::Over(4) }));
}

#[test]
fn the_longest_lines_are_read_and_longer_ones_are_not() {
    let cells = vec![(4095, 4095); 1_000];
    let longest =
        Event::Called { generation: u64::MAX, account: Hex([255; 8]), call: LoggedCall::Place(cells), answer: 1_000 };
    let line = longest.to_line();
    assert!(line.len() <= CALL_BYTES_MAX && Event::parse(&line).is_ok(), "{}", line.len());
    let longer = line.replacen("[4095,4095],", &"[4095,4095],".repeat(200), 1);
    assert!(matches!(Event::parse(&longer), Err(ParseEventError::TooLong(_))));
    // A state that nothing packs.
    let noise: Vec<u8> = (0..STATE_BYTES_MAX).map(|at| at as u8).collect();
    let (state, digest) = (Packed::of(&noise), Hex([0; 32]));
    let seated = Seated { account: Hex([9; 8]), bot: EntrantId::of_bytes(b"a bot") };
    let bots = vec![seated; BOTS_MAX];
    let fell = Fallen { account: Hex([9; 8]), generation: u64::MAX, by: By::Siege(Some(Hex([9; 8]))) };
    let fallen = vec![fell; FALLEN_MAX];
    let opened = Opened {
        format: Format::AtJoining,
        build: "b".repeat(200),
        generation: u64::MAX,
        state,
        digest,
        bots,
        grace_from: Some(u64::MAX),
        fallen,
    };
    assert!(Event::Opened(Box::new(opened)).to_line().len() <= OPENED_BYTES_MAX);
}

/// A difference means that logs from before lead elsewhere: that is another version of the format, never a new digest
/// here.
#[test]
fn a_world_goes_on_as_it_always_did() {
    let (_, digests, _) = live(of_first_version(&small_world()), 400, 7);
    assert_eq!(digests[400].to_string(), "6998bef18cbb930114bb00b2225fb0d6661d967c56abe92792db47b0aace72d6");
}
