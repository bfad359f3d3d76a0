//! A tournament while it is played, on standard error: in a terminal a table that is drawn again and again, elsewhere a line a
//! minute. It shows clocks and nothing follows from them.

use std::io::Write;
use std::time::{Duration, Instant};

use arena_runner::{Progress, Sight};
use arena_tournaments::{Entrant, ScheduledGame, Standings};
use console::{Term, truncate_str};
use indicatif::{HumanDuration, ProgressBar};

use crate::{progress, shown};

/// How often the table is drawn at most.
const REDRAW: Duration = Duration::from_millis(500);
/// How often there is a line without a terminal.
const LINE: Duration = Duration::from_secs(60);
/// How much longer than working out the standings one waits before the next time: they take a twentieth of one thread at most.
const PATIENCE: u32 = 20;
/// Lines below the table: the pairings and the bar, and one that the cursor is in.
const LINES_BELOW: usize = 3;
/// Entrants that a line names, and games.
const NAMED_MAX: usize = 3;

pub(super) struct Live {
    terminal: Option<Term>,
    bar: ProgressBar,
    started: Instant,
    /// Games that were played before this run.
    before: usize,
    next: Duration,
}

impl Live {
    pub(super) fn begin(Progress { played, total }: Progress) -> Live {
        let (terminal, bar) = (Term::stderr(), progress::bar_below(total as u64, "games"));
        let terminal = terminal.features().is_attended().then_some(terminal);
        bar.set_position(played as u64);
        bar.reset_eta();
        let next = if terminal.is_some() { Duration::ZERO } else { LINE };
        Live { terminal, bar, started: Instant::now(), before: played, next }
    }

    /// A game has ended.
    pub(super) fn see(&mut self, sight: &Sight<'_>) {
        let now = self.started.elapsed();
        self.bar.set_position(sight.progress().played as u64);
        if now < self.next {
            return;
        }
        let (standings, playing) = (sight.standings(), sight.playing());
        match &self.terminal {
            Some(terminal) => {
                let (height, width) = terminal.size();
                let lines = table(&standings, sight.entrants(), &playing, height.into(), width.into());
                self.bar.set_prefix(lines.join("\n"));
                self.next = REDRAW;
            }
            None => {
                let games = sight.progress().played.saturating_sub(self.before);
                let line = line(sight.progress(), games, now, &standings, sight.entrants(), &playing);
                // Who does not read it does not stop the tournament.
                let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
                self.next = LINE;
            }
        }
        let took = self.started.elapsed().saturating_sub(now);
        self.next = now + self.next.max(PATIENCE * took);
    }

    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// The standings, as far as they fit, and who plays now. Names are hostile text.
fn table(
    standings: &Standings,
    entrants: &[Entrant],
    playing: &[ScheduledGame],
    height: usize,
    width: usize,
) -> Vec<String> {
    let table = standings.to_table();
    let mut lines: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    let (all, most) = (lines.len(), height.saturating_sub(LINES_BELOW).max(2));
    let more = format!("     and {} more", (all + 1).saturating_sub(most));
    if all > most {
        lines.truncate(most - 1);
        lines.push(&more);
    }
    let now = format!("now: {}", pairings(entrants, playing));
    let lines = lines.into_iter().chain([&*now]);
    let rest = if width == 0 { "" } else { "…" };
    lines.map(|line| truncate_str(&shown::text(line), width, rest).into_owned()).collect()
}

fn line(
    Progress { played, total }: Progress,
    games: usize,
    took: Duration,
    standings: &Standings,
    entrants: &[Entrant],
    playing: &[ScheduledGame],
) -> String {
    let each = took.as_secs_f64() / games.max(1) as f64;
    let left = HumanDuration(Duration::from_secs_f64(each * total.saturating_sub(played) as f64));
    let [played, total] = [played, total].map(|games| shown::grouped(games as u64));
    let rate = progress::rate(1.0 / each.max(f64::MIN_POSITIVE));
    let first = standings.rows.iter().take(NAMED_MAX).map(|row| {
        let rating = standings.value(row, "rating").or_else(|| standings.value(row, "score"));
        format!("{}. {} {}", row.rank, row.shown(), rating.map(ToString::to_string).unwrap_or_default())
    });
    let first: Vec<String> = first.collect();
    let now = pairings(entrants, playing);
    shown::text(&format!(
        "{played} of {total} games, {rate}, {left} left; {}; now: {now}",
        first.iter().map(|one| one.trim_end()).collect::<Vec<_>>().join(", ")
    ))
}

fn pairings(entrants: &[Entrant], playing: &[ScheduledGame]) -> String {
    let name = |entrant: &usize| entrants.get(*entrant).map_or("", Entrant::shown);
    let game = |game: &ScheduledGame| game.seats.values().iter().map(name).collect::<Vec<_>>().join(" – ");
    let mut games: Vec<String> = playing.iter().take(NAMED_MAX).map(game).collect();
    let more = playing.len().saturating_sub(NAMED_MAX);
    games.extend((more > 0).then(|| format!("and {more} more")));
    games.join(", ")
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_tournaments::{Format, RoundRobin, Settled};

    use super::*;

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let entrant = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
        names.iter().map(entrant).collect()
    }

    #[test]
    fn a_table_fits_its_terminal_and_says_who_plays() {
        let names: Vec<String> = (0..30).map(|number| format!("bot-{number}")).collect();
        let entrants = entrants(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let format = RoundRobin::new(1, 1);
        let playing: Vec<ScheduledGame> = format.next(&entrants, &Settled::default()).iter().collect();
        let standings = format.standings(&entrants, &Settled::default());
        for (height, width) in [(24, 80), (5, 20), (0, 0), (100, 200)] {
            let lines = table(&standings, &entrants, &playing[..4], height, width);
            assert!(lines.len() + 2 <= height.max(5), "{lines:?}");
            assert!(lines.iter().all(|line| console::measure_text_width(line) <= width), "{lines:?}");
        }
        let lines = table(&standings, &entrants, &playing[..4], 24, 80);
        assert_eq!(lines.len(), 22);
        assert_eq!(lines[20], "     and 11 more");
        assert!(lines[21].starts_with("now: bot-") && lines[21].ends_with(", and 1 more"), "{}", lines[21]);
    }

    #[test]
    fn a_line_says_how_far_it_is_and_who_leads() {
        let entrants = entrants(&["one", "tw\u{1b}o", "three"]);
        let format = RoundRobin::new(1, 500);
        let playing: Vec<ScheduledGame> = format.next(&entrants, &Settled::default()).iter().collect();
        let standings = format.standings(&entrants, &Settled::default());
        let progress = Progress { played: 1_200, total: 3_000 };
        let line = line(progress, 1_000, Duration::from_secs(100), &standings, &entrants, &playing[..1]);
        assert!(line.starts_with("1,200 of 3,000 games, 10/s, 3 minutes left; 1. one "), "{line}");
        assert!(line.contains("; now: ") && !line.contains('\u{1b}'), "{line}");
    }
}
