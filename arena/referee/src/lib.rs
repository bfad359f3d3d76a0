//! Plays one game between players, or replays one from its record
