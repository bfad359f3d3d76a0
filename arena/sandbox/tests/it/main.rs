//! Tests of the sandbox: what it keeps bots to, and what it answers to uploads.

#[path = "../../../../bots/guests.rs"]
mod guests;

mod slow {
    mod sandbox;
    mod uploads;
}
