//! The notes of standings: in English their own text, and in Spanish by their codes.

use arena_tournaments::{Difference, MatchVerdict, Note, PAIRS_MIN, PairCounts, Remark, Tally};

use crate::language::{Language, Text, language};
use crate::text;

/// A note in the language of the page.
pub(crate) fn told(note: &Note) -> Text {
    match language() {
        Language::English => note.text.clone().into(),
        Language::Spanish => spanish(&note.what),
    }
}

fn spanish(what: &Remark) -> Text {
    match what {
        Remark::Rating => text::note_rating(),
        Remark::RatingHeld(rating, names) => text::note_rating_held(format_args!("{names:?}"), rating),
        Remark::AnchorAway(name) => text::note_anchor_away(format_args!("{name:?}")),
        Remark::AnchorUnbound(name) => text::note_anchor_unbound(format_args!("{name:?}")),
        Remark::Ranks => text::note_ranks(),
        Remark::FirstSeat(Tally { wins, draws, losses }) => text::note_first_seat(draws, losses, wins),
        Remark::Games([1, _]) => text::note_one_game(),
        Remark::Games([played, distinct]) if played == distinct => text::note_all_distinct(played),
        Remark::Games([played, distinct]) => text::note_distinct(distinct, played),
        Remark::Compared([one, other], counts) => compared(one, other, *counts),
        Remark::Misfit([one, other], [points, expected]) => text::note_misfit(expected, one, other, points),
        Remark::EqualBytes([entrants, different], true) => text::note_equal_bytes_rating(different, entrants),
        Remark::EqualBytes([entrants, different], false) => text::note_equal_bytes_score(different, entrants),
        Remark::Cancelled(games) => text::note_cancelled(games),
        Remark::Void(games) => text::note_void(games),
        Remark::MatchPoints => text::note_match_points(),
        Remark::Reached(further_pairs) => text::note_reached(further_pairs),
        Remark::ShareOfTally => text::note_share_of_tally(),
        Remark::ShareOfCells(cage_games) => text::note_share_of_cells(cage_games),
        Remark::SeatShares(seats, games, means) => text::note_seat_shares(games, means, seats),
    }
}

fn compared(one: &str, other: &str, counts: PairCounts) -> Text {
    match counts.verdict() {
        MatchVerdict::TooFew { pairs } => text::note_too_few(PAIRS_MIN, one, other, pairs),
        MatchVerdict::Level { by, pairs } => text::note_level(lead(by), one, other, pairs),
        MatchVerdict::Stronger { is_second, by, pairs } => {
            let (winner, loser) = if is_second { (other, one) } else { (one, other) };
            match by {
                Difference::WonAll(low) => text::note_won_all(low, loser, pairs, winner),
                by => text::note_stronger(lead(by), loser, pairs, winner),
            }
        }
    }
}

fn lead(by: Difference) -> Text {
    let signed = |elo: i64| format!("{elo:+}");
    match by {
        Difference::Between(elo, [low, high]) => text::note_elo_between(signed(elo), signed(high), signed(low)),
        Difference::Above(elo, low) => text::note_elo_above(signed(elo), signed(low)),
        Difference::Below(elo, high) => text::note_elo_below(signed(elo), signed(high)),
        Difference::Open(elo) => text::note_elo(signed(elo)),
        Difference::WonAll(low) => text::note_elo_won_all(low),
        Difference::LostAll(high) => text::note_elo_lost_all(high),
        Difference::Unknown => text::note_elo_unknown(),
    }
}
