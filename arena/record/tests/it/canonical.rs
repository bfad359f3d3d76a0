//! A record has exactly one text, and a digest exactly one sequence of input bytes.

use arena_record::{
    Budgets, Bytes, Chain, EntrantId, FORMAT, Forfeit, ForfeitCode, Header, Hex, ParseRecordError, Play,
    RECORD_BYTES_MAX, Record, TurnRecord,
};
use arena_rules::{BySeat, Outcome, Reason, Seat};

fn header() -> Header {
    Header {
        semantics: "rules 1, \"quoted\"".into(),
        build: "engine 1.2.3\nsecond line".into(),
        ruleset: "conquerors@2".into(),
        options: "chain_needs_home,weighted_majority".into(),
        budgets: Budgets::DEFAULT,
        seed: Hex(core::array::from_fn(|index| index as u8)),
        entrants: vec![EntrantId::of_bytes(b"a bot"), EntrantId::of_baseline("hard", 1)],
        opponents: Default::default(),
    }
}

fn turn(seat: u8, action: &[u8], fuel: Option<u64>) -> TurnRecord {
    TurnRecord { plays: vec![Play { seat, action: Bytes(action.to_vec()), fuel }], digest: Hex([seat + 7; 8]) }
}

fn forfeit(detail: &str) -> Forfeit {
    Forfeit { seat: 1, turn: Some(3), code: ForfeitCode::IllegalMove, detail: detail.into() }
}

/// A record with a value of every kind: present and absent fuel, escapes in texts, a forfeit before the first turn.
fn record() -> Record {
    let turns = vec![turn(0, &[1, 1, 1, 3, 3], Some(123_456)), turn(1, &[1, 3, 0], None)];
    let early = Forfeit { turn: None, code: ForfeitCode::StackOverflow, ..forfeit("a \\ and a tab\t") };
    let outcome = Outcome { winner: Some(Seat(0)), reason: Reason::Forfeit, tally: BySeat::from(vec![12, 0]) };
    Record::new(header(), vec![Some(77), None], turns, vec![early, forfeit("é, \u{1f}, ∎")], &outcome, [0xab; 32])
}

/// A record of exactly this many bytes, padded in a text.
fn record_of(bytes: usize) -> Record {
    let padded = |padding: usize| {
        let mut record = record();
        record.forfeits = vec![forfeit(&"x".repeat(padding))];
        record
    };
    padded(bytes - padded(0).to_text().len())
}

fn parse_error(text: &str) -> ParseRecordError {
    Record::parse(text).expect_err(text)
}

#[test]
fn parse_is_the_inverse_of_to_text() {
    let outcomes = Reason::ALL.into_iter().zip([None, Some(Seat(0)), Some(Seat(1))].into_iter().cycle());
    for (reason, winner) in outcomes {
        let outcome = Outcome { winner, reason, tally: BySeat::from(vec![u32::MAX, 0]) };
        for turns in [vec![], vec![turn(0, &[], Some(u64::MAX))], vec![turn(1, &[0; 300], Some(0)); 24]] {
            let record = Record::new(header(), vec![None, Some(0)], turns, vec![], &outcome, [1; 32]);
            let text = record.to_text();
            let parsed = Record::parse(&text).expect("its own text");
            assert_eq!(parsed, record);
            assert_eq!(parsed.to_text(), text);
            assert_eq!(parsed.outcome(), outcome);
        }
    }
    assert_eq!(Record::parse(&record().to_text()).expect("its own text"), record());
    assert_eq!(record().to_text().lines().count(), 1);
    assert!(record().to_text().starts_with(&format!("{{\"format\":\"{FORMAT}\",\"header\":{{\"semantics\":")));
}

#[test]
fn every_one_byte_change_is_refused_or_another_record() {
    let record = record();
    let text = record.to_text().into_bytes();
    let (mut refused, mut others) = (0, 0);
    let mut check = |changed: Vec<u8>| {
        let Ok(changed) = String::from_utf8(changed) else { return };
        match Record::parse(&changed) {
            Err(_) => refused += 1,
            Ok(other) => {
                assert_ne!(other, record, "{changed}");
                assert_eq!(other.to_text(), changed);
                others += 1;
            }
        }
    };
    let values = b" \n\t\"\\,:{}[]0123456789abcdefgABCEFx-+.@_\0\x7f\xc3\xff";
    for at in 0..text.len() {
        for value in values.iter().chain(&[text[at] ^ 1, text[at] ^ 0x20]).filter(|value| **value != text[at]) {
            let mut changed = text.clone();
            changed[at] = *value;
            check(changed);
            let mut longer = text.clone();
            longer.insert(at, *value);
            check(longer);
        }
        let mut shorter = text.clone();
        shorter.remove(at);
        check(shorter);
        check(text[..at].to_vec());
    }
    for value in values {
        check([&text[..], &[*value]].concat());
    }
    // Digits and letters of texts and hex give other records; most changes break something.
    assert!(refused > 40_000 && others > 5_000, "{refused} refused, {others} other records");
}

#[test]
fn other_spellings_of_the_same_record_are_refused() {
    let text = record().to_text();
    let fuel = "\"fuel\":123456";
    let respelt = [
        ("no newline at the end", text.trim_end().to_owned()),
        ("two newlines", format!("{text}\n")),
        ("a carriage return", text.replace('\n', "\r\n")),
        ("a space before", format!(" {text}")),
        ("a space after a colon", text.replacen("\"seat\":", "\"seat\": ", 1)),
        ("a space after a comma", text.replacen(",\"header\"", ", \"header\"", 1)),
        (
            "fields exchanged",
            text.replacen("\"seat\":0,\"action\":\"0101010303\"", "\"action\":\"0101010303\",\"seat\":0", 1),
        ),
        ("a float", text.replacen(fuel, "\"fuel\":123456.0", 1)),
        ("an exponent", text.replacen(fuel, "\"fuel\":123456e0", 1)),
        ("a leading zero", text.replacen(fuel, "\"fuel\":0123456", 1)),
        ("a plus", text.replacen(fuel, "\"fuel\":+123456", 1)),
        ("a number as text", text.replacen(fuel, "\"fuel\":\"123456\"", 1)),
        ("null left out", text.replacen(",\"fuel\":null", "", 1)),
        ("an escape that need not be", text.replacen("conquerors@2", "\\u0063onquerors@2", 1)),
        ("another escape", text.replacen("\\t", "\\u0009", 1)),
        ("an escape of what is written as it is", text.replacen('é', "\\u00e9", 1)),
        ("an escape in upper case", text.replacen("\\u001f", "\\u001F", 1)),
        ("a byte order mark", format!("\u{feff}{text}")),
        (
            "a list instead of an object",
            text.replacen("{\"seat\":0,\"action\":\"0101010303\",\"fuel\":123456}", "[0,\"0101010303\",123456]", 1),
        ),
    ];
    for (what, respelt) in respelt {
        assert_ne!(respelt, text, "{what} changes nothing");
        let error = parse_error(&respelt);
        assert!(matches!(error, ParseRecordError::NotCanonical | ParseRecordError::Json(_)), "{what}: {error}");
    }
}

/// All fields of an object exchanged with their neighbours, at the top and in the header.
#[test]
fn fields_in_another_order_are_refused() {
    let text = record().to_text();
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let respell = |fields: &[(&str, String)]| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", fields.join(","))
    };
    let header_order = ["semantics", "build", "ruleset", "options", "budgets", "seed", "entrants"];
    let order = ["format", "header", "starts", "turns", "forfeits", "outcome", "digest"];
    // The value of a nested field as the text has it, whatever order the JSON library keeps.
    let part = |from: &str, to: &str| {
        let start = text.find(from).expect(from) + from.len();
        text[start..start + text[start..].find(to).expect(to)].to_owned()
    };
    let budgets = part("\"budgets\":", ",\"seed\"");
    let header_fields: Vec<_> = header_order
        .map(|name| (name, if name == "budgets" { budgets.clone() } else { value["header"][name].to_string() }))
        .to_vec();
    let raw = |name: &str| match name {
        "header" => respell(&header_fields),
        "turns" => part("\"turns\":", ",\"forfeits\""),
        "forfeits" => part("\"forfeits\":", ",\"outcome\""),
        "outcome" => part("\"outcome\":", ",\"digest\":\"abab"),
        other => value[other].to_string(),
    };
    let fields: Vec<_> = order.map(|name| (name, raw(name))).to_vec();
    assert_eq!(format!("{}\n", respell(&fields)), text);

    for at in 1..fields.len() {
        let mut swapped = fields.clone();
        swapped.swap(at - 1, at);
        let error = parse_error(&format!("{}\n", respell(&swapped)));
        assert!(matches!(error, ParseRecordError::NotCanonical), "{error}");
        let mut swapped = header_fields.clone();
        swapped.swap(at - 1, at);
        let respelt = text.replacen(&respell(&header_fields), &respell(&swapped), 1);
        assert!(matches!(parse_error(&respelt), ParseRecordError::NotCanonical));
    }
}

#[test]
fn unknown_missing_and_duplicate_fields_are_refused() {
    let text = record().to_text();
    let fields = [
        "\"format\":",
        "\"header\":",
        "\"semantics\":",
        "\"fuel_per_move\":",
        "\"seed\":",
        "\"starts\":",
        "\"turns\":",
        "\"plays\":",
        "\"action\":",
        "\"forfeits\":",
        "\"detail\":",
        "\"outcome\":",
        "\"winner\":",
        "\"tally\":",
    ];
    for field in fields {
        let added = text.replacen(field, &format!("\"extra\":1,{field}"), 1);
        assert!(matches!(parse_error(&added), ParseRecordError::Json(_)), "{field}");
        let renamed = text.replacen(field, &field.to_uppercase(), 1);
        assert!(matches!(parse_error(&renamed), ParseRecordError::Json(_)), "{field}");
    }
    for twice in ["\"seat\":0,", "\"fuel_per_move\":50000000,", "\"winner\":0,", "\"ruleset\":\"conquerors@2\","] {
        assert!(text.contains(twice));
        let error = parse_error(&text.replacen(twice, &twice.repeat(2), 1));
        assert!(matches!(&error, ParseRecordError::Json(json) if json.to_string().contains("duplicate")), "{error:?}");
    }
}

#[test]
fn other_formats_and_other_hex_are_refused() {
    let text = record().to_text();
    for format in ["arena-record/0", "arena-record/2", "arena-record/01", "Arena-record/1", ""] {
        let error = parse_error(&text.replacen(FORMAT, format, 1));
        assert!(matches!(&error, ParseRecordError::Format(found) if found == format), "{error}");
    }
    let hex = [
        ("0101010303", "010101030"),
        ("0101010303", "010101030G"),
        ("0101010303", "0x01010303"),
        ("0707070707070707", "07070707070707"),
        ("0707070707070707", "070707070707070707"),
        ("abababab", "ABababab"),
        ("1c1d1e1f", "1C1d1e1f"),
    ];
    for (lower, other) in hex {
        assert!(text.contains(lower), "{lower}");
        let error = parse_error(&text.replacen(lower, other, 1));
        assert!(matches!(&error, ParseRecordError::Json(json) if json.to_string().contains("hex")), "{error:?}");
    }
}

#[test]
fn records_that_contradict_themselves_are_refused() {
    let text = record().to_text();
    let changes = [
        ("\"starts\":[77,null]", "\"starts\":[77]"),
        ("\"starts\":[77,null]", "\"starts\":[77,null,null]"),
        ("\"tally\":[12,0]", "\"tally\":[12]"),
        ("\"winner\":0", "\"winner\":2"),
        ("\"forfeits\":[{\"seat\":1", "\"forfeits\":[{\"seat\":2"),
        ("\"reason\":\"forfeit\"", "\"reason\":\"boredom\""),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        let error = parse_error(&text.replacen(from, to, 1));
        assert!(matches!(error, ParseRecordError::Inconsistent(_)), "{to}: {error}");
    }
    let numbers = [("\"seat\":0", "\"seat\":256"), ("\"seat\":0", "\"seat\":-1"), ("\"turn\":3", "\"turn\":65536")];
    let codes = [("illegal_move", "IllegalMove"), ("illegal_move", "unlucky"), ("baseline:hard@1", "baseline:hard")];
    for (from, to) in numbers.into_iter().chain(codes) {
        assert!(text.contains(from), "{from}");
        assert!(matches!(parse_error(&text.replacen(from, to, 1)), ParseRecordError::Json(_)), "{to}");
    }
}

#[test]
fn a_record_can_be_of_a_person_who_gave_up() {
    let mut record = record();
    record.header.entrants[1] = EntrantId::of_person(Hex([0xa5; 8]));
    record.forfeits = vec![Forfeit { code: ForfeitCode::Resigned, ..forfeit("gave up") }];
    let text = record.to_text();
    assert!(text.contains("\"person:a5a5a5a5a5a5a5a5\"") && text.contains("\"code\":\"resigned\""), "{text}");
    assert_eq!(Record::parse(&text).expect("its own text"), record);
    // The code's name is the same as text and in JSON, for every code.
    for code in ForfeitCode::ALL {
        assert_eq!(serde_json::to_value(code).expect("a text"), code.as_str());
    }
}

#[test]
fn a_record_may_be_as_long_as_the_limit_and_not_a_byte_longer() {
    let longest = record_of(RECORD_BYTES_MAX).to_text();
    assert_eq!(longest.len(), RECORD_BYTES_MAX);
    assert_eq!(Record::parse(&longest).expect("at the limit").to_text(), longest);
    let error = parse_error(&record_of(RECORD_BYTES_MAX + 1).to_text());
    assert!(matches!(error, ParseRecordError::TooLong(bytes) if bytes == RECORD_BYTES_MAX + 1));
    // The length is looked at before anything else.
    assert!(matches!(parse_error(&" ".repeat(RECORD_BYTES_MAX + 1)), ParseRecordError::TooLong(_)));
}

#[test]
fn ids_of_entrants() {
    let hash = "0123456789abcdef".repeat(4);
    for good in ["baseline:easy@1", "baseline:hard@4294967295", "baseline:a-b@0", &format!("sha256:{hash}")] {
        let id: EntrantId = good.parse().expect(good);
        assert_eq!((id.to_string(), id.as_str()), (good.to_owned(), good));
        assert_eq!(id.hash().is_some(), id.baseline().is_none());
        assert_eq!(id.person(), None);
    }
    let (text, number) = ("person:0123456789abcdef", Hex([1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]));
    let person: EntrantId = text.parse().expect(text);
    assert_eq!((person.as_str(), person.person()), (text, Some(number)));
    assert_eq!((person.hash(), person.baseline()), (None, None));
    assert_eq!(EntrantId::of_person(number), person);
    let bad = [
        "",
        "hard",
        "hard@1",
        "baseline:",
        "baseline:hard",
        "baseline:hard@",
        "baseline:@1",
        "baseline:Hard@1",
        "baseline:hard@01",
        "baseline:hard@+1",
        "baseline:hard@-1",
        "baseline:hard@1.0",
        "baseline:hard@4294967296",
        "baseline:hard@1 ",
        " baseline:hard@1",
        "baseline:ha rd@1",
        "baseline:hard_2@1",
        "baseline:a@b@1",
        "Baseline:hard@1",
        "baseline:härd@1",
        "sha256:",
        "sha1:00",
        "person:",
        "person:0123456789abcde",
        "person:0123456789abcdef0",
        "person:0123456789ABCDEF",
        "person:0123456789abcdeg",
        "person: 123456789abcdef",
        "Person:0123456789abcdef",
        "person:someone",
        "0123456789abcdef",
    ];
    let hashes = [
        format!("sha256:{}", &hash[1..]),
        format!("sha256:{hash}0"),
        format!("sha256:{}", hash.to_uppercase()),
        format!("SHA256:{hash}"),
        format!("sha256: {}", &hash[1..]),
        format!("sha256:{}é", &hash[2..]),
        hash,
    ];
    for bad in bad.into_iter().map(String::from).chain(hashes) {
        let error = bad.parse::<EntrantId>().expect_err(&bad);
        assert!(error.to_string().contains("not an entrant"), "{error}");
    }
    // Source: the SHA-256 of no bytes, FIPS 180-4 examples.
    let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(EntrantId::of_bytes(b"").as_str(), empty);
    assert_eq!(EntrantId::of_baseline("hard", 1).baseline(), Some(("hard", 1)));
}

/// The actions of a turn, with the seats they are of.
type Actions = Vec<(u8, Vec<u8>)>;

/// The bytes that one game feeds into a chain.
#[derive(Clone, PartialEq, Debug)]
struct Feed {
    ruleset: String,
    options: String,
    start: Vec<u8>,
    turns: Vec<(Actions, Vec<u8>)>,
    winner: Option<u8>,
    reason: Reason,
    tally: Vec<u32>,
}

impl Feed {
    fn digest(&self) -> [u8; 32] {
        let start = Chain::start(&self.ruleset, &self.options, &self.start);
        let played = self.turns.iter().fold(start, |chain, (actions, state)| {
            chain.turn(actions.iter().map(|(seat, action)| (Seat(*seat), &action[..])), state)
        });
        let tally = BySeat::from(self.tally.clone());
        played.end(&Outcome { winner: self.winner.map(Seat), reason: self.reason, tally })
    }
}

#[test]
fn no_two_feeds_of_a_digest_run_together() {
    let feed = Feed {
        ruleset: "ab".into(),
        options: "cd".into(),
        start: vec![1, 2, 3, 4],
        turns: vec![(vec![(0, vec![5, 6]), (1, vec![7])], vec![8, 9]), (vec![(0, vec![])], vec![8])],
        winner: Some(0),
        reason: Reason::Majority,
        tally: vec![1, 2],
    };
    let change = |change: &dyn Fn(&mut Feed)| {
        let mut changed = feed.clone();
        change(&mut changed);
        changed
    };
    // Bytes move over every boundary between neighbours; parts are split, joined, emptied and left out.
    let others = [
        feed.clone(),
        change(&|feed| (feed.ruleset, feed.options) = ("a".into(), "bcd".into())),
        change(&|feed| (feed.ruleset, feed.options) = ("abcd".into(), "".into())),
        change(&|feed| (feed.options, feed.start) = ("cd\u{1}".into(), vec![2, 3, 4])),
        change(&|feed| (feed.options, feed.start) = ("c".into(), vec![b'd', 1, 2, 3, 4])),
        change(&|feed| feed.start.extend([5, 6])),
        change(&|feed| feed.turns[0].0 = vec![(0, vec![5]), (1, vec![6, 7])]),
        change(&|feed| feed.turns[0].0 = vec![(0, vec![5, 6, 7])]),
        change(&|feed| feed.turns[0].0 = vec![(0, vec![5, 6, 1, 7])]),
        change(&|feed| feed.turns[0].0 = vec![(1, vec![7]), (0, vec![5, 6])]),
        change(&|feed| feed.turns[0].0 = vec![(0, vec![5, 6]), (1, vec![7, 8])]),
        change(&|feed| feed.turns[0] = (vec![(0, vec![5, 6]), (1, vec![7, 8])], vec![9])),
        change(&|feed| feed.turns[0] = (vec![(0, vec![5, 6]), (1, vec![])], vec![7, 8, 9])),
        change(&|feed| feed.turns[1] = (vec![], vec![8])),
        change(&|feed| feed.turns[1] = (vec![(0, vec![8])], vec![])),
        change(&|feed| drop(feed.turns.pop())),
        change(&|feed| feed.turns.push((vec![], vec![]))),
        change(&|feed| feed.turns.push((vec![], vec![8]))),
        change(&|feed| feed.turns = vec![]),
        change(&|feed| feed.turns[0].1 = vec![8]),
        change(&|feed| feed.winner = None),
        change(&|feed| feed.winner = Some(1)),
        change(&|feed| feed.reason = Reason::Extinction),
        change(&|feed| feed.tally = vec![2, 1]),
        change(&|feed| feed.tally = vec![1, 2, 0]),
        change(&|feed| feed.tally = vec![1]),
    ];
    for (number, one) in others.iter().enumerate() {
        for other in &others[number + 1..] {
            assert_ne!(one, other);
            assert_ne!(one.digest(), other.digest(), "{one:?} and {other:?}");
        }
        assert_eq!(one.digest(), one.clone().digest());
    }
}

#[test]
fn a_prefix_is_told_from_the_whole_at_every_step() {
    let states: Vec<Vec<u8>> = (0..20).map(|turn| vec![turn; 7]).collect();
    let mut chain = Chain::start("ruleset", "", b"state");
    let mut seen = vec![chain.short()];
    for state in &states {
        chain = chain.turn([(Seat(0), &b"action"[..])], state);
        assert!(!seen.contains(&chain.short()));
        seen.push(chain.short());
    }
    let same = states
        .iter()
        .fold(Chain::start("ruleset", "", b"state"), |chain, state| chain.turn([(Seat(0), &b"action"[..])], state));
    assert_eq!(same, chain);
}
