//! Texts of odd characters: every database gives back what it was given. U+0000, which PostgreSQL cannot hold, is
//! refused at a site's border (`arena/server/tests/it/slow/layers/texts.rs`); bots can log it, and their logs have
//! another character in its place.

use arena_record::Hex;
use arena_rooms::RoomId;
use arena_rules::Rng;
use arena_store::{SampleLog, WorldName};

use super::{NOW, TERMS, fixture};

/// Pieces of texts: what some encoding, language or protocol treats as special.
const PIECES: [&str; 24] = [
    "a",
    "é",
    "e\u{301}",
    "\u{1}",
    "\u{1f}",
    "\u{7f}",
    "\u{85}",
    "\t",
    "\r\n",
    "\u{2028}",
    "\u{202e}",
    "\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{d7ff}",
    "\u{e000}",
    "\u{10ffff}",
    "🎲",
    "'",
    "\"",
    "\\",
    "\\u0000",
    "$1; --",
];

/// Texts of these, some of them with U+0000.
fn texts(count: usize) -> Vec<String> {
    let mut rng = Rng::new(&[7; 32], 0);
    let mut below = |most: usize| rng.below(most as u32) as usize;
    let mut text = || -> String {
        let pieces = 1 + below(12);
        (0..pieces).map(|_| if below(20) == 0 { "\0" } else { PIECES[below(PIECES.len())] }).collect()
    };
    let mut texts: Vec<String> = PIECES.map(str::to_owned).into();
    texts.extend((0..count).map(|_| text()));
    texts
}

#[tokio::test]
async fn every_text_comes_back_as_it_was_given() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    let version = fixture.submit(ada.id, "talker", "one").await.id;
    let (room, world) = (RoomId(Hex([7; 16])), WorldName::parse("meadow").expect("a name"));
    store.create_room(&room, "begins", &TERMS, NOW).await.expect("a room");
    store.begin_span(&world, 0, "begins").await.expect("begun");
    let (mut lines, mut nulls) = (vec!["begins".to_owned()], 0);
    for text in texts(150) {
        let log = SampleLog { seat: 0, text: text.clone(), dropped: 0 };
        store.keep_sample_logs(version, std::slice::from_ref(&log)).await.expect("kept");
        let kept = SampleLog { text: text.replace('\0', "\u{fffd}"), ..log };
        assert_eq!(store.sample_logs(version).await.expect("read"), [kept], "{text:?}");
        if text.contains('\0') {
            nulls += 1;
            continue;
        }
        let seq = lines.len() as u32;
        store.append(&room, seq, &text, NOW).await.unwrap_or_else(|error| panic!("{text:?}: {error}"));
        store.append_to_world(&world, 0, seq, &text).await.unwrap_or_else(|error| panic!("{text:?}: {error}"));
        lines.push(text);
    }
    assert!(nulls > 20 && lines.len() > 50, "{nulls} {}", lines.len());
    assert_eq!(store.room(&room).await.expect("read").expect("the room").events, lines);
    assert_eq!(store.world_span(&world, 0).await.expect("read").expect("the span").lines, lines);
}
