//! Names: hostile ones, honest ones, and pairs that look alike.

use arena_store::{AccountError, BotName, DisplayName, NameError, TournamentId};

use super::{NOW, display, fixture};

#[test]
fn hostile_display_names_are_refused_for_their_reason() {
    let reserved = [
        "admin",
        "Admin",
        "ADMIN",
        "ａｄｍｉｎ",
        "𝐚𝐝𝐦𝐢𝐧",
        "adm1n",
        "AdmIn",
        "admln",
        "a-d_m i n",
        "easy",
        "Normal",
        "HARD",
        "root",
        "r00t",
    ];
    for name in reserved {
        assert_eq!(DisplayName::parse(name), Err(NameError::Reserved), "{name:?}");
    }
    for name in ["", "---"] {
        assert_eq!(DisplayName::parse(name), Err(NameError::Empty), "{name:?}");
    }
    assert_eq!(DisplayName::parse("   "), Err(NameError::Empty));
    let characters = [
        ("<img onerror>", '<'),
        ("<script>alert(1)</script>", '<'),
        ("../../x", '.'),
        ("'; DROP TABLE accounts; --", '\''),
        ("ad\u{200b}min", '\u{200b}'),
        ("ad\u{200d}min", '\u{200d}'),
        ("ad\u{00ad}min", '\u{00ad}'),
        ("\u{feff}name", '\u{feff}'),
        ("\u{202e}nimda", '\u{202e}'),
        ("name\u{2066}", '\u{2066}'),
        ("name\u{200f}", '\u{200f}'),
        ("name\0", '\0'),
        ("two\nlines", '\n'),
        ("tab\tbed", '\t'),
        ("\u{1b}[31mred", '\u{1b}'),
        ("name\u{fe0f}", '\u{fe0f}'),
        ("\u{e0061}name", '\u{e0061}'),
        ("name🙂", '🙂'),
        ("a/b", '/'),
        ("a&b", '&'),
        ("a\"b", '"'),
        ("a@b", '@'),
        ("٣٤٥", '٣'),
        ("\u{3164}", '\u{1160}'),
        ("\u{fffd}", '\u{fffd}'),
        ("\u{e000}", '\u{e000}'),
        ("Zoë\u{2028}", '\u{2028}'),
    ];
    for (name, character) in characters {
        assert_eq!(DisplayName::parse(name), Err(NameError::Character(character)), "{name:?}");
    }
    for (name, character) in [
        (" name", ' '),
        ("name ", ' '),
        ("\u{3000}name", ' '),
        ("name\u{a0}", ' '),
        ("two  spaces", ' '),
        ("-name", '-'),
        ("name_", '_'),
        ("a-_b", '_'),
        ("\u{301}name", '\u{301}'),
        ("x\u{302}\u{301}\u{301}", '\u{301}'),
    ] {
        assert_eq!(DisplayName::parse(name), Err(NameError::Place(character)), "{name:?}");
    }
    for name in ["аdmin", "pаypal", "Αda", "Ada日本"] {
        assert_eq!(DisplayName::parse(name), Err(NameError::MixedScripts), "{name:?}");
    }
    let long = NameError::TooLong { max: 32 };
    for name in ["x".repeat(33), "x".repeat(10_000), "\u{fdfa}".repeat(2), "\u{fdfa}".repeat(100_000)] {
        assert_eq!(DisplayName::parse(&name), Err(long), "{} bytes", name.len());
    }
}

#[test]
fn honest_display_names_are_taken_as_they_are() {
    let names = [
        "a",
        "7",
        "Ada Lovelace",
        "under_score-dash 9",
        "Zoë",
        "Nguyễn Thị",
        "Владимир",
        "Ελένη",
        "山田太郎",
        "さくら カード",
        "김철수",
        "محمد 7",
        "דוד",
        "สมชาย",
        "प्रिया",
        "administratrix",
        "easy-going",
    ];
    for name in names {
        assert_eq!(DisplayName::parse(name).expect(name).as_str(), name);
    }
    assert_eq!(display("e\u{301}").as_str(), "é");
    assert_eq!(display("Ｗｉｄｅ").as_str(), "Wide");
    for length in [1, 31, 32] {
        assert!(DisplayName::parse(&"x".repeat(length)).is_ok(), "{length}");
        assert!(DisplayName::parse(&"山".repeat(length)).is_ok(), "{length}");
    }
}

#[tokio::test]
async fn names_that_look_alike_are_one_name() {
    let fixture = fixture().await;
    let alike = [
        ("Bob", ["bob", "BOB", "b-o_b", "B0B", "ВОВ", "Ｂｏｂ"].as_slice()),
        ("Bill", &["BiIl", "Bi11", "BILL", "bi ll"]),
        ("сор", &["cop", "COP"]),
        ("Zoë", &["ZOË", "Zoe\u{308}"]),
        ("modern", &["rnodem"]),
        ("Ада", &["ада"]),
    ];
    for (first, others) in alike {
        fixture.account(first).await;
        for other in others {
            let taken = fixture.store.create_account(&display(other), NOW).await;
            assert!(matches!(taken, Err(AccountError::NameTaken)), "{first:?} and {other:?}: {taken:?}");
        }
    }
    for other in ["Bobby", "Bil", "Zoe", "co"] {
        fixture.account(other).await;
    }
}

#[test]
fn bot_names_are_plain() {
    let long = "x".repeat(33);
    let huge = "x".repeat(10_000);
    let too_long = NameError::TooLong { max: 32 };
    let table = [
        ("", NameError::Empty),
        (long.as_str(), too_long),
        (huge.as_str(), too_long),
        ("../../x", NameError::Character('/')),
        ("..", NameError::Place('.')),
        (".hidden", NameError::Place('.')),
        ("-option", NameError::Place('-')),
        ("_", NameError::Place('_')),
        (" ", NameError::Character(' ')),
        ("a b", NameError::Character(' ')),
        ("<img onerror>", NameError::Character('<')),
        ("'; DROP", NameError::Character('\'')),
        ("аdmin", NameError::Character('а')),
        ("a\u{200b}", NameError::Character('\u{200b}')),
        ("\u{202e}a", NameError::Character('\u{202e}')),
        ("zoë", NameError::Character('ë')),
        ("a%2f", NameError::Character('%')),
        ("a\0", NameError::Character('\0')),
        ("easy", NameError::Reserved),
        ("HARD", NameError::Reserved),
        ("norma1", NameError::Reserved),
        ("n.o.r.m.a.l", NameError::Reserved),
        ("admin", NameError::Reserved),
        ("new", NameError::Reserved),
    ];
    for (name, error) in table {
        assert_eq!(BotName::parse(name), Err(error), "{name:?}");
    }
    for name in ["a", "7", "Greedy-2.1_b", &"x".repeat(32), "easy-2", "hardly"] {
        assert_eq!(BotName::parse(name).expect(name).as_str(), name);
        assert_eq!(TournamentId::parse(name).expect(name).as_str(), name);
    }
    assert_eq!(TournamentId::parse(".."), Err(NameError::Place('.')));
    assert_eq!(TournamentId::parse("a/b"), Err(NameError::Character('/')));
}

#[test]
fn errors_do_not_repeat_what_is_invisible() {
    assert_eq!(NameError::Character('\u{202e}').to_string(), "a name cannot contain the character `U+202E`");
    assert_eq!(NameError::Character('<').to_string(), "a name cannot contain `<`");
    assert_eq!(NameError::Place(' ').to_string(), "a space is not allowed there in a name");
}
