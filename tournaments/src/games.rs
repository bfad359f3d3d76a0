//! An index of all games, as a table.

use std::iter;

use arena_record::Hex;

use crate::bots::Bots;
use crate::report::csv_text;
use crate::{Entrant, Fate, Leave, Settled};

/// The games of a tournament, one line each: number, round, pairing, pair, seed, seating by name and by id, winner,
/// reason, number of turns, and the final tally by seat. A reason without a winner is a draw. Marks are `void` and
/// `cancelled` for games that do not count, `repeated` for a game that the same bots played alike before, and
/// `disqualified` if one of its entrants was. Lines are made one by one, because all of them together are longer than
/// the games in memory.
pub fn games_csv<'a>(entrants: &'a [Entrant], settled: &'a Settled) -> impl Iterator<Item = String> + 'a {
    let head = String::from("number,round,pairing,pair,seed,seats,ids,winner,reason,turns,score,marks\n");
    let bots = Bots::of(entrants);
    let mut distinct = settled.distinct(|entrant| bots.bot(entrant)).into_iter();
    let lines = settled.all().map(move |(game, fate, result)| {
        // Whether a game that does not count was played depends on threads and interruptions.
        let result = result.filter(|_| fate == Fate::Counted);
        let name = |entrant: &usize| entrants[*entrant].name.as_str();
        let seats = game.seats.values().iter().map(name).collect::<Vec<_>>().join(" ");
        let ids = game.seats.values().iter().map(|entrant| entrants[*entrant].id.short()).collect::<Vec<_>>().join(" ");
        let winner = result.as_ref().and_then(|result| result.winner).map(|seat| name(&game.seats[seat]));
        let tally = result.as_ref().map(|result| result.tally.values().iter().map(u32::to_string).collect::<Vec<_>>());
        let is_repeated = fate == Fate::Counted && distinct.next() == Some(false);
        let is_excluded = |entrant: &usize| settled.leave(*entrant) == Some(Leave::Disqualified);
        let marks = [
            (fate == Fate::Void, "void"),
            (fate == Fate::Cancelled, "cancelled"),
            (is_repeated, "repeated"),
            (game.seats.values().iter().any(is_excluded), "disqualified"),
        ];
        let marks: Vec<&str> = marks.into_iter().filter_map(|(is_so, mark)| is_so.then_some(mark)).collect();
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{}\n",
            game.number,
            game.round + 1,
            game.pairing,
            game.pair,
            Hex(game.seed),
            csv_text(&seats),
            csv_text(&ids),
            csv_text(winner.unwrap_or_default()),
            result.as_ref().map_or("", |result| result.reason.code()),
            result.as_ref().map(|result| result.turns.to_string()).unwrap_or_default(),
            tally.unwrap_or_default().join(":"),
            marks.join(" ")
        )
    });
    iter::once(head).chain(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{entrants, play};
    use crate::{Left, RoundRobin};

    #[test]
    fn every_game_has_a_line_with_names_and_no_formula() {
        let mut names = entrants(3);
        names[0].name = "-1+1".into();
        let mut settled = play(&RoundRobin::new(3, 1), &names, |game| Some(game.seats.values()[0]));
        settled.decide(1, Fate::Void);
        settled.left.insert(2, Left { from: 6, why: Leave::Disqualified });
        let text: String = games_csv(&names, &settled).collect();
        let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), settled.len());
        for (line, game) in lines.iter().zip(settled.all()) {
            assert_eq!(
                (line.len(), line[0], line[4]),
                (12, &*game.0.number.to_string(), &*Hex(game.0.seed).to_string())
            );
            let both = game.0.seats.values();
            assert_eq!(line[11].contains("disqualified"), both.contains(&2));
            assert_eq!(line[11].contains("void"), game.0.number == 1);
            assert_eq!(line[7..11].iter().all(|field| field.is_empty()), game.0.number == 1);
            assert!(line.iter().all(|field| !field.starts_with(['=', '+', '-', '@'])), "{line:?}");
            assert!(line[5].starts_with(line[7]), "who sits first wins: {line:?}");
        }
    }
}
