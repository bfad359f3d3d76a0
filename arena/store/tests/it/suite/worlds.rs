//! Worlds and their logs.

use arena_store::{
    Act, ActError, Appended, DisplayName, Limits, Page, Reason, WORLD_LINE_BYTES_MAX, WORLD_SPAN_LINES_MAX, WorldError,
    WorldLine, WorldName, WorldSpan,
};

use super::{NOW, fixture, fixture_with};

fn name(text: &str) -> WorldName {
    WorldName::parse(text).expect("a name")
}

#[tokio::test]
async fn a_world_is_its_spans_and_each_is_its_lines() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (meadow, moor) = (name("meadow"), name("moor"));
    assert!(store.world_span(&meadow, u64::MAX).await.expect("read").is_none());
    for world in [&moor, &meadow] {
        assert_eq!(store.begin_span(world, 0, "start").await.expect("begun"), Appended::New);
    }
    assert_eq!(store.worlds().await.expect("read"), [meadow.clone(), moor.clone()]);
    assert_eq!(store.append_to_world(&meadow, 0, 1, "one").await.expect("next"), Appended::New);
    assert_eq!(store.append_to_world(&meadow, 0, 1, "one").await.expect("again"), Appended::Already);
    assert_eq!(store.begin_span(&meadow, 0, "start").await.expect("again"), Appended::Already);
    assert_eq!(store.begin_span(&meadow, 600, "later").await.expect("begun"), Appended::New);
    let span =
        |from, lines: &[&str]| Some(WorldSpan { from, lines: lines.iter().map(|line| (*line).into()).collect() });
    for (until, wanted) in
        [(0, span(0, &["start", "one"])), (599, span(0, &["start", "one"])), (600, span(600, &["later"]))]
    {
        assert_eq!(store.world_span(&meadow, until).await.expect("read"), wanted);
    }
    assert_eq!(store.world_span(&meadow, u64::MAX).await.expect("read"), span(600, &["later"]));
    for (from, seq, wanted) in
        [(0, 0, &["start", "one"][..]), (0, 1, &["one"]), (0, 2, &[]), (600, 1, &[]), (7, 0, &[])]
    {
        assert_eq!(store.world_lines(&meadow, from, seq).await.expect("read"), wanted, "{from} {seq}");
    }
    assert_eq!(store.world_spans(&meadow, Page::first(10)).await.expect("read"), [600, 0]);
    assert_eq!(store.world_spans(&meadow, Page::after(600, 10)).await.expect("read"), [0]);
    assert_eq!(store.world_spans(&name("nowhere"), Page::first(10)).await.expect("read"), [0; 0]);
    assert!(store.problems().await.expect("read").is_empty());
}

#[tokio::test]
async fn a_place_in_the_log_of_a_world_is_taken_once() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let world = name("meadow");
    assert!(matches!(store.append_to_world(&world, 0, 1, "x").await, Err(WorldError::NoSuchSpan)));
    store.begin_span(&world, 600, "start").await.expect("begun");
    assert!(matches!(store.begin_span(&world, 600, "another").await, Err(WorldError::Taken)));
    assert!(matches!(store.begin_span(&world, 0, "earlier").await, Err(WorldError::NoSuchSpan)));
    assert!(matches!(store.append_to_world(&world, 600, 2, "x").await, Err(WorldError::Gap { next: 1 })));
    store.append_to_world(&world, 600, 1, "one").await.expect("next");
    assert!(matches!(store.append_to_world(&world, 600, 1, "two").await, Err(WorldError::Taken)));
    store.begin_span(&world, 1_200, "later").await.expect("begun");
    assert!(matches!(store.append_to_world(&world, 600, 2, "x").await, Err(WorldError::NoSuchSpan)));
    let long = "x".repeat(WORLD_LINE_BYTES_MAX + 1);
    assert!(matches!(store.append_to_world(&world, 1_200, 1, &long).await, Err(WorldError::TooLong)));
    assert!(matches!(store.append_to_world(&world, 1_200, WORLD_SPAN_LINES_MAX, "x").await, Err(WorldError::TooLong)));
}

#[tokio::test]
async fn the_oldest_spans_are_forgotten_and_worlds_are_so_many() {
    let limits = Limits { worlds_max: 2, world_bytes_max: 25, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let store = &fixture.store;
    let (meadow, moor) = (name("meadow"), name("moor"));
    for from in [0, 600, 1_200] {
        store.begin_span(&meadow, from, "0123456789").await.expect("begun");
    }
    assert_eq!(store.world_spans(&meadow, Page::first(10)).await.expect("read"), [1_200, 600], "30 bytes are too many");
    store.begin_span(&meadow, 1_800, &"x".repeat(100)).await.expect("begun");
    assert_eq!(store.world_spans(&meadow, Page::first(10)).await.expect("read"), [1_800], "the latest stays");
    store.begin_span(&moor, 0, "start").await.expect("begun");
    assert!(matches!(store.begin_span(&name("more"), 0, "start").await, Err(WorldError::TooManyWorlds(2))));
}

#[tokio::test]
async fn the_start_of_a_world_is_an_act() {
    let fixture = fixture().await;
    let reason = Reason::parse("we want one").expect("a reason");
    let start = Act::StartWorld { world: name("meadow"), snapshot: "start".into() };
    let entry = fixture.store.act(&start, &reason, NOW).await.expect("done");
    assert_eq!((entry.act.as_str(), entry.name.as_deref()), ("start_world", Some("meadow")));
    assert_eq!(fixture.store.audit(Page::first(1)).await.expect("read"), [entry]);
    // A slot is named by its world, not by its holder.
    let (ann, _) = fixture.store.create_account(&DisplayName::parse("Ann").expect("a name"), NOW).await.expect("made");
    let line = WorldLine { from: 0, seq: 1, line: "freed".into() };
    let freed = Act::FreeSlot { world: name("meadow"), slot: 3, account: Some(ann.id), line };
    let entry = fixture.store.act(&freed, &reason, NOW).await.expect("done");
    assert_eq!(
        (entry.act.as_str(), entry.name.as_deref(), entry.account),
        ("free_slot", Some("meadow/3"), Some(ann.id))
    );
    assert_eq!(fixture.store.audit(Page::first(1)).await.expect("read"), [entry]);
}

/// What a world's log has after acts, and their lines in the log of acts: both or neither.
#[tokio::test]
async fn an_act_in_a_world_and_its_line_are_there_together_or_not_at_all() {
    let fixture = fixture_with(Limits { worlds_max: 1, ..Limits::DEFAULT }).await;
    let (store, reason) = (&fixture.store, Reason::parse("it had to be").expect("a reason"));
    let start = |world: &str, snapshot: &str| Act::StartWorld { world: name(world), snapshot: snapshot.into() };
    let line = |seq, line: &str| WorldLine { from: 0, seq, line: line.into() };
    let seat = |line| Act::SeatBot { world: name("meadow"), line };
    let free = |line| Act::FreeSlot { world: name("meadow"), slot: 3, account: None, line };
    type IsRefused = fn(&ActError) -> bool;
    let taken: IsRefused = |error| matches!(error, ActError::World(WorldError::Taken));
    let gap: IsRefused = |error| matches!(error, ActError::World(WorldError::Gap { .. }));
    let no_span: IsRefused = |error| matches!(error, ActError::World(WorldError::NoSuchSpan));
    let full: IsRefused = |error| matches!(error, ActError::TooManyWorlds(1));
    let acts: [(Act, Result<&[&str], IsRefused>); 11] = [
        (seat(Some(line(1, "seated"))), Err(no_span)),
        (start("meadow", "start"), Ok(&["start"])),
        (start("meadow", "a later release's"), Ok(&["start"])),
        (start("moor", "start"), Err(full)),
        (seat(Some(line(2, "seated"))), Err(gap)),
        (seat(Some(line(1, "seated"))), Ok(&["start", "seated"])),
        (seat(Some(line(1, "seated"))), Ok(&["start", "seated"])),
        (seat(None), Ok(&["start", "seated"])),
        (free(line(1, "freed")), Err(taken)),
        (free(line(2, "freed")), Ok(&["start", "seated", "freed"])),
        // As when the answer to the first was lost.
        (free(line(2, "freed")), Ok(&["start", "seated", "freed"])),
    ];
    let mut noted = Vec::new();
    for (act, wanted) in acts {
        let acted = store.act(&act, &reason, NOW).await;
        match (&acted, wanted) {
            (Ok(entry), Ok(lines)) => {
                // The same act, whose answer was lost, has its first line.
                if noted.len() < usize::try_from(entry.number).expect("from 1") {
                    noted.push(entry.act.clone());
                }
                assert_eq!(store.world_lines(&name("meadow"), 0, 0).await.expect("read"), lines, "{act:?}");
            }
            (Err(error), Err(is_refused)) if is_refused(error) => {}
            _ => panic!("{act:?}: {acted:?}"),
        }
        let log = store.audit(Page::first(20)).await.expect("read");
        let words: Vec<String> = log.into_iter().rev().map(|entry| entry.act).collect();
        assert_eq!(words, noted, "{act:?}");
    }
    assert_eq!(noted, ["start_world", "start_world", "seat_bot", "seat_bot", "free_slot"]);
    assert_eq!(store.worlds().await.expect("read"), [name("meadow")]);
}
