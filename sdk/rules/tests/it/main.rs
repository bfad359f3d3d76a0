//! Tests of the rules.

mod laws;
mod tr_001;
mod war_of_life;
