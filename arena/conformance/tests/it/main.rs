//! Tests of the checker.

mod golden;
