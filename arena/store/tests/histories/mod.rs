//! Random histories: whatever is asked, in whatever order, a store answers as a plain one does. The test that includes
//! this says what a store is, in `super::open`, what the plain one is, in `super::plain`, and how many histories they
//! live through.

mod plain;
mod queue;
mod real;
mod site;
