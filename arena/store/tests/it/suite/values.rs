//! Values of tests: names, texts and moments.

use std::sync::Arc;

use arena_record::{Hex, Objection};
use arena_rooms::{PersonId, RoomId};
use arena_store::{BotName, DisplayName, RoomTerms, UnixSeconds, Verdict};

pub(crate) const NOW: UnixSeconds = UnixSeconds(1_800_000_000);

/// The terms of a room of this person.
pub(crate) const fn terms(owner: u8) -> RoomTerms {
    RoomTerms { owner: PersonId(Hex([owner; 8])), silence_seconds_max: 100 }
}

pub(crate) fn later(seconds: i64) -> UnixSeconds {
    UnixSeconds(NOW.0 + seconds)
}

pub(crate) fn display(name: &str) -> DisplayName {
    DisplayName::parse(name).expect(name)
}

pub(crate) fn bot_name(name: &str) -> BotName {
    BotName::parse(name).expect(name)
}

pub(crate) fn room_id(number: u128) -> RoomId {
    RoomId(Hex(number.to_be_bytes()))
}

pub(crate) fn bytes(text: &str) -> Arc<[u8]> {
    text.as_bytes().into()
}

pub(crate) fn refused() -> Verdict {
    Verdict::Refused(Objection {
        code: "float_op".into(),
        message: "there is a float".into(),
        hint: "take it out".into(),
        offset: Some(77),
    })
}
