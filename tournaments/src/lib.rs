//! Formats, pairings, ratings, intervals and standings: pure functions over records
