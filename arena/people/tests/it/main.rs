//! The leaderboard of people: its formula, who may be rated, its laws, and what can be gained by farming.

mod games;

mod slow {
    mod admission;
    mod farming;
    mod laws;
    mod points;
}
