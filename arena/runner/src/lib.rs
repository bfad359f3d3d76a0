//! Plays a tournament over threads into a folder, and goes on with a started one
