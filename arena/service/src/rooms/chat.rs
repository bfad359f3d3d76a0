//! The chat of a room: one circle for the players, one for the spectators. It is in memory only and vanishes with the
//! room.

use std::collections::{BTreeMap, VecDeque};

use arena_clock::Instant;
use arena_rooms::{CHAT_BURST, CHAT_CHARS_MAX, CHAT_WITHIN, PersonId, Rejected};

use crate::limits::{CHAT_KEPT_BYTES_MAX, CHAT_KEPT_MAX};

/// Who hears a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Circle {
    /// The players. Spectators hear them, too.
    Seats,
    /// The spectators. Players hear them once the game is over.
    Spectators,
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatLine {
    /// Later ones have higher numbers.
    pub number: u64,
    /// Who hears it.
    pub circle: Circle,
    /// Who sent it.
    pub person: PersonId,
    /// The text, cleaned.
    pub text: String,
}

/// The latest messages of a room.
#[derive(Default)]
pub(super) struct Chat {
    lines: VecDeque<ChatLine>,
    /// When each person sent messages lately.
    spoke: BTreeMap<PersonId, VecDeque<Instant>>,
    /// The number of the latest message.
    last: u64,
}

impl Chat {
    /// Cleans a message and returns it, if this person may send it now.
    pub(super) fn admit(&mut self, person: PersonId, text: &str, at: Instant) -> Result<String, Rejected> {
        let text = clean(text);
        if text.is_empty() {
            return Err(Rejected::NothingSaid);
        }
        if text.chars().count() > CHAT_CHARS_MAX {
            return Err(Rejected::ChatTooLong);
        }
        if self.lately(person, at).len() >= CHAT_BURST {
            return Err(Rejected::ChatTooFast);
        }
        self.lately(person, at).push_back(at);
        Ok(text)
    }

    /// When a person sent messages lately.
    fn lately(&mut self, person: PersonId, at: Instant) -> &mut VecDeque<Instant> {
        self.spoke.retain(|_, spoke| spoke.back().is_some_and(|last| at.duration_since(*last) < CHAT_WITHIN));
        let spoke = self.spoke.entry(person).or_default();
        spoke.retain(|one| at.duration_since(*one) < CHAT_WITHIN);
        spoke
    }

    /// Adds an admitted message. Its number is at least the date in microseconds, so that it exceeds all numbers of an
    /// earlier process: pages ask for messages after the last one they have.
    pub(super) fn add(&mut self, person: PersonId, circle: Circle, text: String, unix_micros: u64) {
        self.last = unix_micros.max(self.last + 1);
        self.lines.push_back(ChatLine { number: self.last, circle, person, text });
        while self.lines.len() > CHAT_KEPT_MAX || self.bytes() > CHAT_KEPT_BYTES_MAX {
            self.lines.pop_front();
        }
    }

    /// Forgets a person's messages; whether there were any.
    pub(super) fn forget(&mut self, person: PersonId) -> bool {
        let before = self.lines.len();
        self.lines.retain(|line| line.person != person);
        self.spoke.remove(&person);
        self.lines.len() < before
    }

    /// Bytes of all texts as JSON: there are no control characters, and quotation marks and backslashes are escaped
    /// with one byte.
    fn bytes(&self) -> usize {
        let escaped = |text: &str| text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        self.lines.iter().map(|line| line.text.len() + escaped(&line.text)).sum()
    }

    /// A message that is still kept.
    pub(super) fn line(&self, number: u64) -> Option<&ChatLine> {
        self.lines.iter().find(|line| line.number == number)
    }

    pub(super) fn lines(&self) -> Vec<ChatLine> {
        self.lines.iter().cloned().collect()
    }
}

/// Cleans a message of characters that change how others are read: control characters become spaces; marks that turn
/// the direction of text or are invisible are removed, and so are surrounding and repeated spaces.
fn clean(text: &str) -> String {
    let seen = |letter: &char| {
        !matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = text.chars().filter(seen).map(plain).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arena_clock::Clock;
    use arena_record::Hex;

    use super::*;

    const ANN: PersonId = PersonId(Hex([7; 8]));
    const BOB: PersonId = PersonId(Hex([8; 8]));

    fn begin() -> Instant {
        Clock::manual(Duration::ZERO).now()
    }

    fn say(chat: &mut Chat, person: PersonId, circle: Circle, text: &str, at: Instant) -> Result<(), Rejected> {
        let text = chat.admit(person, text, at)?;
        chat.add(person, circle, text, 0);
        Ok(())
    }

    #[test]
    fn what_turns_text_around_or_cannot_be_seen_is_left_out() {
        assert_eq!(clean("  a\u{202e}b\n\tc\u{200b} \u{2066}d\u{0} "), "ab c d");
        assert_eq!(clean("\u{feff}\u{200f}\n"), "");
        assert_eq!(clean("¿Qué? 😀 <b>"), "¿Qué? 😀 <b>", "pages write it as text");
    }

    #[test]
    fn a_person_says_so_much_at_once_and_the_latest_are_kept() {
        let (mut chat, begin) = (Chat::default(), begin());
        let long = "x".repeat(CHAT_CHARS_MAX);
        assert_eq!(say(&mut chat, ANN, Circle::Seats, &long, begin), Ok(()));
        assert_eq!(say(&mut chat, ANN, Circle::Seats, &format!("{long}x"), begin), Err(Rejected::ChatTooLong));
        assert_eq!(say(&mut chat, ANN, Circle::Seats, " \n", begin), Err(Rejected::NothingSaid));
        for _ in 1..CHAT_BURST {
            assert_eq!(say(&mut chat, ANN, Circle::Seats, "x", begin), Ok(()));
        }
        assert_eq!(say(&mut chat, ANN, Circle::Seats, "x", begin), Err(Rejected::ChatTooFast));
        assert_eq!(say(&mut chat, BOB, Circle::Spectators, "x", begin), Ok(()), "another has its own");
        let later = begin + CHAT_WITHIN;
        assert_eq!(
            say(&mut chat, ANN, Circle::Seats, "x", later - Duration::from_millis(1)),
            Err(Rejected::ChatTooFast)
        );
        for more in 0..CHAT_KEPT_MAX as u32 {
            assert_eq!(say(&mut chat, ANN, Circle::Seats, "y", later + CHAT_WITHIN * more), Ok(()));
        }
        let lines = chat.lines();
        assert_eq!((lines.len(), lines[0].text.as_str()), (CHAT_KEPT_MAX, "y"));
        assert!(lines.windows(2).all(|pair| pair[0].number < pair[1].number));
    }

    #[test]
    fn what_somebody_said_is_forgotten_and_the_rest_keeps_its_numbers() {
        let (mut chat, begin) = (Chat::default(), begin());
        for (person, text) in [(ANN, "one"), (BOB, "two"), (ANN, "three")] {
            assert_eq!(say(&mut chat, person, Circle::Seats, text, begin), Ok(()));
        }
        let said = chat.lines();
        assert!(chat.forget(ANN));
        assert!(!chat.forget(ANN), "there is nothing more");
        assert_eq!(chat.lines(), said[1..2]);
        assert_eq!(chat.line(said[0].number), None);
    }

    #[test]
    fn long_messages_are_kept_as_far_as_a_socket_may_hold_them() {
        for text in ["\u{1f600}".repeat(CHAT_CHARS_MAX), "\"".repeat(CHAT_CHARS_MAX)] {
            let (mut chat, begin) = (Chat::default(), begin());
            for number in 0..CHAT_KEPT_MAX as u32 {
                assert_eq!(say(&mut chat, ANN, Circle::Seats, &text, begin + CHAT_WITHIN * number), Ok(()));
            }
            let lines = chat.lines();
            let told: usize = lines.iter().map(|line| format!("{:?}", line.text).len() - 2).sum();
            assert!((CHAT_KEPT_BYTES_MAX - 800..=CHAT_KEPT_BYTES_MAX).contains(&told), "{told}");
            assert_eq!(lines.last().map(|line| line.number), Some(chat.last), "the latest is there");
        }
    }

    #[test]
    fn what_is_said_after_a_restart_is_later_than_what_was_said_before() {
        let numbers = |unix_micros| {
            let mut chat = Chat::default();
            for text in ["one", "two", "three"] {
                chat.add(ANN, Circle::Seats, text.into(), unix_micros);
            }
            chat.lines().into_iter().map(|line| line.number).collect::<Vec<u64>>()
        };
        let (before, after) = (numbers(1_000), numbers(2_000));
        assert!([before, after].concat().windows(2).all(|pair| pair[0] < pair[1]));
    }
}
