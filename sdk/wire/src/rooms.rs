//! What people can choose for a game in a room.

use alloc::string::String;

/// A kind of game that people can choose for a room: other rules, or another start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomKind {
    /// Its name in requests.
    pub name: &'static str,
    /// Its title in a list.
    pub title: &'static str,
    /// Its options, canonical; `None` for the usual kind, which has the casual options.
    pub options: Option<&'static str>,
}

/// The wishes for a room. What is `None` is as usual.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RoomWish {
    /// The number of seats; the minimum by default.
    pub seats: Option<u8>,
    /// The maximum number of turns; the usual one by default.
    pub turns: Option<u16>,
    /// The name of a kind; the usual one by default.
    pub kind: Option<String>,
    /// The number of a casual start; drawn by default.
    pub number: Option<u32>,
}
