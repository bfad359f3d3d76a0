//! Tests of the sandbox: what it keeps bots to, and what it answers to uploads.

#[path = "../../../../bots/guests.rs"]
mod guests;
mod pieces;
#[path = "../../../meter/tests/it/proof/mod.rs"]
mod proof;
mod shapes;

mod slow {
    pub(crate) mod metered;
    pub(crate) mod sandbox;
    pub(crate) mod uploads;
}

mod night {
    mod costly;
    mod metered;
}

/// A number from the environment.
fn number_of(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a whole number"))
}
