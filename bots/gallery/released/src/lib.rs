//! The gallery's bots as released modules: the same bytes, and so the same entrants with the same games, for everybody.
//!
//! ```
//! let strategist = arena_released::Released::named("conquerors@2", "strategist").expect("it is in the gallery");
//! assert!(strategist.bytes.starts_with(b"\0asm"));
//! ```
//!
//! `cargo xtask gallery` builds the modules from their sources and writes `SHA256SUMS`, which pins them. Another compiler may make other
//! bytes of the same source, so they are built once, for a release, and not on each machine.
//!
//! What this crate deliberately is not: it runs nothing and knows no rules. `arena-runner` finds opponents by name.

#![no_std]

/// A bot of the gallery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Released {
    /// Its name, in lower-case letters, digits and `-`. No built-in opponent of its game has the same.
    pub name: &'static str,
    /// The game it plays: a ruleset with its version.
    pub ruleset: &'static str,
    /// The module.
    pub bytes: &'static [u8],
}

/// The bots of a game, each in the file of its name.
macro_rules! released {
    ($($ruleset:literal: $($name:literal)*;)*) => {
        &[$($(Released {
            name: $name,
            ruleset: $ruleset,
            bytes: include_bytes!(concat!("../", $name, ".wasm")),
        },)*)*]
    };
}

/// All of them, those of a game together, weakest first.
pub static ALL: &[Released] = released! {
    "conquerors@2": "scatter" "mason" "gardener" "raider" "beekeeper" "farmer" "strategist" "alpinist";
    "war-of-life@1": "marshal";
};

impl Released {
    /// The bot of a game with this name.
    pub fn named(ruleset: &str, name: &str) -> Option<&'static Released> {
        Released::of(ruleset).find(|bot| bot.name == name)
    }

    /// The bots of a game, weakest first.
    pub fn of(ruleset: &str) -> impl Iterator<Item = &'static Released> {
        ALL.iter().filter(move |bot| bot.ruleset == ruleset)
    }
}
