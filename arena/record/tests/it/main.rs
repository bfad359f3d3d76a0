//! Tests of the record.

mod canonical;
