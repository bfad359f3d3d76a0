//! Tests of workers.

mod walls;
