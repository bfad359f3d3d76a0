//! Tests of the kit.

mod kit;
mod lookahead;
mod testing;

mod slow {
    mod bench;
}
