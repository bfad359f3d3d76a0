//! Tests of the formats and their texts.

mod field_without_pairs;
mod plots;
mod texts;
