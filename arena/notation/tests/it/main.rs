//! Tests of the notation.

mod notation;
