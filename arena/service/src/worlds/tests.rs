//! Worlds over a store, without a clock.

use std::collections::BTreeMap;

use arena_record::Hex;
use arena_rules::Rng;
use arena_rules::life2::{Account, Cell};
use arena_runner::{Contender, WorldBots};
use arena_store::{AccountId, Limits, Page, Store};
use arena_world::{CHECKED_EVERY, Event, Nobody, Span};

use tokio::sync::{oneshot, watch};

use super::bots::Thinking;
use super::live::CallError;
use super::*;
use arena_rules::life2::{Call, Refusal};
use arena_worker::Wall;

fn meadow() -> WorldName {
    WorldName::parse("meadow").expect("a name")
}

/// The world as another process resumes it from the store.
pub(super) async fn resumed(store: &Arc<Store>) -> Arc<LiveWorld> {
    let span = store.world_span(&meadow(), u64::MAX).await.expect("read").expect("it began");
    LiveWorld::resume(Core::without_bots(store.clone()), meadow(), Arc::default(), &span).expect("its own log")
}

pub(super) async fn begun(store: &Arc<Store>) -> Arc<LiveWorld> {
    let empty = Machine::new(World::new(Side::WORLD, Rates::FOUNDING)).opened(BUILD).to_line();
    store.begin_span(&meadow(), 0, &empty).await.expect("begun");
    resumed(store).await
}

pub(super) async fn digest(world: &LiveWorld) -> (u64, Hex<32>) {
    world.look(|world| (world.generation(), Machine::new(world.clone()).digest())).await
}

/// A call of one of nine accounts, mostly a legal one.
async fn any_call(world: &LiveWorld, rng: &mut Rng) -> (AccountId, Call) {
    let account = AccountId(1 + i64::from(rng.below(9)));
    let call = world
        .look(|world| match (rng.below(4), world.slot_of(Account(account.0 as u64))) {
            (0, _) => Call::Faucet,
            (_, None) => Call::Join { x: rng.below(512) as i32, y: rng.below(512) as i32 },
            (_, Some(slot)) => {
                let own: Vec<Cell> = world.ground().of(slot).collect();
                let cells = (0..1 + rng.below(12)).map(|_| own[rng.below(own.len() as u32) as usize]);
                Call::Place(cells.map(|cell| (cell.x.into(), cell.y.into())).collect())
            }
        })
        .await;
    (account, call)
}

#[tokio::test]
async fn a_span_that_is_over_is_one_for_verify() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let mut rng = Rng::new(&[7; 32], 0);
    for generation in 0..2 * CHECKED_EVERY + 10 {
        if generation % 5 == 0 {
            let (account, call) = any_call(&world, &mut rng).await;
            let _ = world.call(account, call).await;
        }
        world.steps(1).await.expect("the store is there");
    }
    assert_eq!(store.world_spans(&meadow(), Page::first(10)).await.expect("read"), [1_200, 600, 0]);
    for from in [0, 600] {
        let span = store.world_span(&meadow(), from).await.expect("read").expect("listed");
        let found = Span::verify(&span.lines.concat(), &mut Nobody).expect("it is over");
        assert_eq!((found.from, found.to), (from, from + CHECKED_EVERY));
        assert!(found.calls > 20, "{found:?}");
    }
}

#[tokio::test]
async fn a_log_of_the_first_version_continues_in_the_next_where_a_span_ends() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let empty = Machine::new(World::new(Side::WORLD, Rates::FOUNDING)).opened(BUILD).to_line();
    let first = empty.replace("arena-world/2", "arena-world/1").replace(",\"grace_from\":0", "");
    store.begin_span(&meadow(), 0, &first).await.expect("begun");
    let world = resumed(&store).await;
    let ann = AccountId(1);
    for call in [Call::Faucet, Call::Join { x: 60, y: 60 }] {
        world.call(ann, call).await.expect("allowed");
    }
    let (shown, grace) = (world.shown(), u64::from(Rates::FOUNDING.grace));
    while world.shown().generation < 2 * CHECKED_EVERY {
        world.steps(1).await.expect("the store is there");
    }
    assert_eq!(
        world.shown().since(shown.next),
        arena_world::Lines::Behind,
        "watchers need a snapshot with the new rule"
    );
    let verified = async |from| {
        let span = store.world_span(&meadow(), from).await.expect("read").expect("listed").lines.concat();
        (Span::verify(&span, &mut Nobody).expect("it is over"), span)
    };
    let ((before, _), (after, text)) = (verified(0).await, verified(CHECKED_EVERY).await);
    assert!(before.is_first() && after.follows(&before) && text.contains("\"grace_from\":600"), "{text}");
    // She never placed a cell: grace begins where the rule does, also after a restart.
    let world = resumed(&store).await;
    while world.shown().generation < CHECKED_EVERY + grace - 1 {
        world.steps(1).await.expect("the store is there");
    }
    assert_eq!(world.slot_of(ann).await, Some(1));
    world.steps(1).await.expect("the store is there");
    assert_eq!(world.slot_of(ann).await, None);
    assert!(world.snapshot().await.opened.contains("\"by\":\"grace\""), "who comes back can read it");
}

#[tokio::test]
async fn who_looks_hears_every_line_and_comes_to_the_same_world() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let mut rng = Rng::new(&[5; 32], 0);
    let snapshot = world.snapshot().await;
    let Ok(Event::Opened(opened)) = Event::parse(&format!("{}\n", snapshot.opened)) else { panic!("a snapshot") };
    let (mut page, mut next) = (Machine::open(&opened).expect("a world"), snapshot.next);
    for generation in 0..700_u64 {
        let (account, call) = any_call(&world, &mut rng).await;
        let _ = world.call(account, call).await;
        world.steps(1).await.expect("the store is there");
        if generation % 3 == 0 {
            let shown = world.shown();
            let arena_world::Lines::New(lines) = shown.since(next) else { panic!("nothing was missed") };
            for line in lines {
                page.follow(&Event::parse(&format!("{line}\n")).expect("an event")).expect("it follows");
            }
            next = shown.next;
            while page.world().generation() < shown.generation {
                page.step();
            }
            assert_eq!(page.digest(), digest(&world).await.1);
        }
    }
    assert_eq!(world.snapshot().await.generation, 700, "an old snapshot is made anew");
}

#[tokio::test]
async fn a_snapshot_is_of_one_moment_after_every_answered_call() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let ann = AccountId(7);
    let block = vec![(62, 62), (63, 62), (62, 63), (63, 63)];
    for call in [Call::Faucet, Call::Join { x: 60, y: 60 }, Call::Place(block)] {
        let before = world.snapshot().await;
        world.steps(1).await.expect("the store is there");
        assert!(Arc::ptr_eq(&before, &world.snapshot().await), "it is kept for some generations");
        world.call(ann, call).await.expect("allowed");
        let after = world.snapshot().await;
        let Ok(Event::Opened(opened)) = Event::parse(&format!("{}\n", after.opened)) else { panic!("a snapshot") };
        let machine = Machine::open(&opened).expect("a world");
        assert_eq!(digest(&world).await, (after.generation, machine.digest()), "the call is in it");
        assert_eq!((&after.slots, after.wipe), (&SlotInfo::all(machine.world()), Wipe::of(machine.world())));
    }
}

#[tokio::test]
async fn refusals_are_the_rules_and_a_store_that_fails_stops_the_world() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let ann = AccountId(1);
    let join = Call::Join { x: 60, y: 60 };
    let refused = world.call(ann, join.clone()).await;
    assert!(matches!(refused, Err(CallError::Refused(Refusal::NeedCoins))), "{refused:?}");
    assert_eq!(world.call(ann, Call::Faucet).await.expect("a thousand"), 1_000);
    assert_eq!(world.call(ann, join).await.expect("slot 1"), 1);
    assert_eq!(world.call(ann, Call::Place(Vec::new())).await.expect("nothing"), 0);
    assert_eq!((world.balance(ann).await, world.slot_of(ann).await), (900, Some(1)));
    let before = digest(&world).await;
    store.clone().close().await;
    let lost = world.call(ann, Call::Faucet).await;
    assert!(matches!(lost, Err(CallError::Store(_))), "{lost:?}");
    assert!(world.steps(1).await.is_err(), "whether the call is in the log is not known");
    assert_eq!(digest(&world).await, before, "so nothing happens");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_one_generation_happen_one_after_the_other_in_the_order_of_the_log() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let rivals: Vec<AccountId> = (1..=9).map(AccountId).collect();
    for account in &rivals {
        world.call(*account, Call::Faucet).await.expect("coins");
    }
    // All join the same quadrant at once.
    let joining = rivals.iter().map(|account| {
        let (world, account) = (world.clone(), *account);
        tokio::spawn(async move { (account, world.call(account, Call::Join { x: 60, y: 60 }).await) })
    });
    let mut joined = Vec::new();
    for joining in joining.collect::<Vec<_>>() {
        match joining.await.expect("answered") {
            (account, Ok(slot)) => joined.push((account, slot)),
            (_, refused) => assert!(matches!(refused, Err(CallError::Refused(Refusal::QuadrantTaken))), "{refused:?}"),
        }
    }
    let [(first, 1)] = joined[..] else { panic!("one is the first: {joined:?}") };
    // The second of two equal calls in a generation finds its work done.
    let block = Call::Place(vec![(62, 62), (63, 62), (62, 63), (63, 63)]);
    assert_eq!(world.call(first, block.clone()).await.expect("own ground"), 4);
    let again = world.call(first, block).await;
    assert!(matches!(again, Err(CallError::Refused(Refusal::CellAlive))), "{again:?}");
    assert_eq!(world.shown().generation, 0);
    let lines = store.world_span(&meadow(), 0).await.expect("read").expect("it began").lines;
    let by: Vec<_> = lines[1..].iter().map(|line| Event::parse(line).expect("an event")).collect();
    assert!(by.iter().all(|event| matches!(event, Event::Called { generation: 0, .. })), "{by:?}");
    assert_eq!(by.len(), 9 + 2, "what was refused is not in it");
    let again = resumed(&store).await;
    assert_eq!(digest(&again).await, digest(&world).await, "the order of the lines says it all");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_world_that_is_stopped_goes_on_in_the_same_generation_as_if_it_had_not_been() {
    let expander = Contender::baseline("life2@2", "expander").expect("built in").id();
    let begin = async |store: &Arc<Store>| {
        let world = begun(store).await;
        world.seat(site_account(1), Some(expander.clone())).await.expect("there is a place");
        for call in [Call::Faucet, Call::Join { x: 188, y: 60 }, Call::Place(vec![(190, 63), (191, 63), (192, 63)])] {
            world.call(AccountId(7), call).await.expect("allowed");
        }
        world
    };
    let (store, other) = (
        Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store")),
        Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store")),
    );
    let (mut world, never_stopped) = (begin(&store).await, begin(&other).await);
    // While bots think, after they answered, in the generation of a snapshot, and twice in the same generation.
    for stops_at in [65, 80, 600, 600, 601] {
        while world.shown().generation < stops_at {
            world.steps(1).await.expect("the store is there");
        }
        let nothing = Call::Place(Vec::new());
        assert_eq!(world.call(AccountId(7), nothing).await.expect("its bots are awake"), 0);
        let before = digest(&world).await;
        world.stop().await;
        let late = world.call(AccountId(7), Call::Faucet).await;
        assert!(matches!(late, Err(CallError::Store(_))), "nothing happens any more: {late:?}");
        world = resumed(&store).await;
        assert_eq!(digest(&world).await, before);
        // A process that has not run the world leaves its log unchanged.
        world.stop().await;
        world = resumed(&store).await;
        assert_eq!(digest(&world).await, before);
    }
    while world.shown().generation < 700 {
        world.steps(1).await.expect("the store is there");
    }
    while never_stopped.shown().generation < 700 {
        never_stopped.steps(1).await.expect("the store is there");
    }
    assert_eq!(digest(&world).await, digest(&never_stopped).await);
    let span = store.world_span(&meadow(), 0).await.expect("read").expect("listed");
    let mut asker = WorldBots::new(Box::new(|_| None), Wall::None);
    let found = Span::verify(&span.lines.concat(), &mut asker).expect("a digest at each stop");
    assert_eq!((found.to, found.taken.len()), (CHECKED_EVERY, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_that_think_long_hold_up_the_next_generation_and_nothing_else() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let expander = Contender::baseline("life2@2", "expander").expect("built in").id();
    world.seat(site_account(1), Some(expander)).await.expect("there is a place");
    while world.shown().generation < 65 {
        world.steps(1).await.expect("the store is there");
    }
    // It was asked in generation 60, and its answer is due in 70. As if it were still thinking:
    let (answering, asked) = oneshot::channel();
    let (ending, ends) = watch::channel(());
    let (bots, answers) = {
        let mut held = world.held.lock().await;
        let answers = held.thinking.answers().await;
        let before = std::mem::replace(&mut held.thinking, Thinking::Asked(asked, ends));
        let Thinking::Idle(bots) = before else { panic!("it has answered") };
        (bots, answers)
    };
    assert!(!answers.is_empty(), "it was asked");
    let going = world.clone();
    let going = tokio::spawn(async move {
        for _ in 0..10 {
            going.steps(1).await.expect("the store is there");
        }
    });
    let ann = AccountId(7);
    world.watch().wait_for(|shown| shown.generation == 69).await.expect("it goes on so far");
    for coins in [1_000, 2_000] {
        assert_eq!(world.call(ann, Call::Faucet).await.expect("people call meanwhile"), coins);
    }
    assert_eq!((world.balance(ann).await, world.seated().await.len()), (2_000, 1));
    assert_eq!(world.snapshot().await.generation, 69);
    assert_eq!(world.shown().generation, 69, "it stands before the generation in which the answer counts");
    assert!(answering.send((bots, answers)).is_ok(), "it is waited for");
    drop(ending);
    going.await.expect("it goes on");
    assert_eq!(world.shown().generation, 75);
    while world.shown().generation < CHECKED_EVERY {
        world.steps(1).await.expect("the store is there");
    }
    let span = store.world_span(&meadow(), 0).await.expect("read").expect("listed");
    let mut asker = WorldBots::new(Box::new(|_| None), Wall::None);
    let found = Span::verify(&span.lines.concat(), &mut asker).expect("when it was answered is in no line");
    assert_eq!((found.to, found.taken.len()), (CHECKED_EVERY, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_fell_joins_again_and_a_bot_does_so_by_itself() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let (ann, ben) = (AccountId(1), AccountId(2));
    for (account, x) in [(ann, 60), (ben, 188)] {
        assert_eq!(world.call(account, Call::Faucet).await.expect("coins"), 1_000);
        world.call(account, Call::Join { x, y: 60 }).await.expect("a free quadrant");
        // A lone cell dies at once, so the grace period begins.
        world.call(account, Call::Place(vec![(x + 3, 63)])).await.expect("own ground");
    }
    let idle = Contender::baseline("life2@2", "idle").expect("built in").id();
    world.seat(ben, Some(idle)).await.expect("a place");
    let grace = u64::from(Rates::FOUNDING.grace);
    for _ in 0..=grace {
        world.steps(1).await.expect("the store is there");
    }
    assert_eq!((world.slot_of(ann).await, world.slot_of(ben).await), (None, None), "both fell");
    assert!(matches!(world.call(ann, Call::Place(vec![(63, 63)])).await, Err(CallError::Refused(Refusal::NotInGame))));
    assert_eq!(world.balance(ann).await, 1_000 - 100 - 1, "the wallet stays");
    assert_eq!(world.call(ann, Call::Join { x: 60, y: 60 }).await.expect("the quadrant is free again"), 1);
    for _ in 0..CHECKED_EVERY {
        world.steps(1).await.expect("the store is there");
    }
    assert_eq!((world.slot_of(ann).await, world.slot_of(ben).await), (Some(1), Some(2)), "with the next snapshot");
}

#[tokio::test]
async fn a_world_rests_while_it_is_empty_and_nobody_looks() {
    let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
    let world = begun(&store).await;
    let steps = async |generations| {
        let before = world.shown().generation;
        let rests = world.steps(generations).await.expect("the store is there");
        (rests, world.shown().generation - before)
    };
    assert_eq!(steps(10).await, (true, 10), "nobody is there");
    let looking = world.watch();
    assert_eq!(steps(10).await, (false, 1), "somebody looks");
    drop(looking);
    assert_eq!(steps(10).await, (true, 10));
    let account = AccountId(1);
    while world.call(account, Call::Join { x: 100, y: 100 }).await.is_err() {
        world.call(account, Call::Faucet).await.expect("coins");
    }
    assert_eq!(steps(10).await, (false, 1), "somebody has a kingdom");
}

mod slow {
    use super::*;

    #[tokio::test]
    async fn a_process_that_is_killed_anywhere_comes_back_with_every_answered_call() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let mut world = begun(&store).await;
        let mut rng = Rng::new(&[9; 32], 0);
        let (mut digests, mut answered) = (BTreeMap::new(), 0_usize);
        for _ in 0..100 {
            let mut latest = 0;
            for _ in 0..rng.below(12) {
                if rng.below(3) == 0 {
                    let (account, call) = any_call(&world, &mut rng).await;
                    if world.call(account, call).await.is_ok_and(|answer| answer > 0) {
                        (answered, latest) = (answered + 1, world.shown().generation);
                    }
                }
                world.steps(1).await.expect("the store is there");
                // Calls may come between this moment and the next generation, so only a generation without calls has a
                // definite digest.
                let (generation, digest) = digest(&world).await;
                digests.insert(generation, digest);
            }
            world = resumed(&store).await;
            let generation = world.shown().generation;
            assert!(generation >= latest, "{generation} is before the last answer, at {latest}");
            // Generations after the last line are computed again.
            let unheard = digests.split_off(&(generation + 1));
            let mut again = world.clone();
            if rng.below(2) == 0 {
                for (_, before) in unheard {
                    again.steps(1).await.expect("the store is there");
                    assert_eq!(digest(&again).await.1, before);
                }
                again = resumed(&store).await;
            }
            world = again;
        }
        let mut calls = 0;
        for from in store.world_spans(&meadow(), Page::first(100)).await.expect("read") {
            let span = store.world_span(&meadow(), from).await.expect("read").expect("listed");
            calls += span.lines.iter().filter(|line| matches!(Event::parse(line), Ok(Event::Called { .. }))).count();
        }
        assert!(answered > 60, "{answered}");
        assert_eq!(calls, answered, "every answered call is in the log, and nothing else");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn bots_play_are_verified_and_come_back_after_a_kill() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let mut world = begun(&store).await;
        let opponent = |name: &str| Contender::baseline("life2@2", name).expect("built in").id();
        let mut digests = BTreeMap::new();
        for (place, name) in (1..).zip(["expander", "besieger", "expander"]) {
            world.seat(site_account(place), Some(opponent(name))).await.expect("there is a place");
        }
        world.seat(AccountId(4), Some(opponent("idle"))).await.expect("a person's own");
        for generation in 0..1_300_u64 {
            if generation == 900 {
                world.seat(site_account(2), None).await.expect("it goes");
            }
            // Killed twice in each span: once while bots think, once while they do not.
            if generation % 300 == 65 || generation % 300 == 130 {
                world = resumed(&store).await;
                let back = world.shown().generation;
                for generation in back..generation {
                    world.steps(1).await.expect("the store is there");
                    let (at, digest) = digest(&world).await;
                    assert_eq!(digests.get(&at), Some(&digest), "after generation {generation}");
                }
            }
            world.steps(1).await.expect("the store is there");
            let (at, digest) = digest(&world).await;
            digests.insert(at, digest);
        }
        assert_eq!(world.seated().await.len(), 3);
        let asker = || WorldBots::new(Box::new(|_| None), Wall::None);
        let (mut calls, mut believed) = (0, 0);
        for from in [0, 600] {
            let span = store.world_span(&meadow(), from).await.expect("read").expect("listed");
            let found = Span::verify(&span.lines.concat(), &mut asker()).expect("it is over");
            assert_eq!((found.from, found.to, found.taken.len()), (from, from + CHECKED_EVERY, 0));
            calls += found.calls;
            believed += Span::verify(&span.lines.concat(), &mut Nobody).expect("it may be so").taken.len();
        }
        assert!(calls > 30, "{calls}");
        assert!(believed >= 4, "{believed}");
    }
}
