//! What people choose of a game that they play in a room.

use alloc::string::String;

/// A kind of games that people may choose for a room: by which rules they go, or what they begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomKind {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it is, in words of a list.
    pub title: &'static str,
    /// Its options, canonical; `None` for the kind of the casual ones, which is the usual.
    pub options: Option<&'static str>,
}

/// What is asked for of a room. What is left out is as usual.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RoomWish {
    /// How many seats; the fewest when it is left out.
    pub seats: Option<u8>,
    /// How many turns at most; the usual number when it is left out.
    pub turns: Option<u16>,
    /// The name of a kind of games; the usual one when it is left out.
    pub kind: Option<String>,
    /// Which of the casual starts; drawn when it is left out.
    pub number: Option<u32>,
}
