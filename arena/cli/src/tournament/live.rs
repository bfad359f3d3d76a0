//! A tournament during play, on standard error: a table that is redrawn in a terminal, or else a line a minute. It
//! shows times, but no result depends on them.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arena_runner::{Progress, Sight};
use arena_tournaments::{Entrant, NoteKind, ScheduledGame, Standings};
use console::{Term, truncate_str};
use indicatif::{HumanDuration, ProgressBar};

use crate::{output, progress};

/// The shortest time between two drawings of the table.
const REDRAW: Duration = Duration::from_millis(500);
/// The time between two lines without a terminal.
const LINE: Duration = Duration::from_secs(60);
/// How many times as long as computing the standings takes to wait before the next time: they use at most a twentieth
/// of a thread.
const PATIENCE: u32 = 20;
/// Lines below the table: the pairings, the bar, and the line of the cursor.
const LINES_BELOW: usize = 3;
/// Entrants, and games, that a line names.
const NAMED_MAX: usize = 3;

/// How often to check whether something is due.
const TICK: Duration = Duration::from_millis(500);

/// Shows a tournament, even while no game ends.
pub(super) struct Live {
    shared: Arc<Shared>,
    ticking: Option<JoinHandle<()>>,
}

/// The state shared between the players and the clock.
struct Shared {
    board: Mutex<Board>,
    ends: Condvar,
}

/// The latest state, and when it is shown next.
struct Board {
    terminal: Option<Term>,
    bar: ProgressBar,
    started: Instant,
    /// Games that were played before this run.
    before: usize,
    next: Duration,
    progress: Progress,
    standings: Standings,
    entrants: Vec<Entrant>,
    playing: Vec<ScheduledGame>,
    is_over: bool,
}

impl Live {
    /// Starts showing a tournament from its standings before this run.
    pub(super) fn begin(progress: Progress, standings: Standings, entrants: Vec<Entrant>) -> Live {
        let (terminal, bar) = (Term::stderr(), progress::bar_below(progress.total as u64, "games"));
        let terminal = terminal.features().is_attended().then_some(terminal);
        bar.set_position(progress.played as u64);
        bar.reset_eta();
        let next = if terminal.is_some() { Duration::ZERO } else { LINE };
        let (started, before, playing) = (Instant::now(), progress.played, Vec::new());
        let board =
            Board { terminal, bar, started, before, next, progress, standings, entrants, playing, is_over: false };
        let shared = Arc::new(Shared { board: Mutex::new(board), ends: Condvar::new() });
        let clock = shared.clone();
        // Without this thread, the table is not redrawn while no game ends.
        let ticking = std::thread::Builder::new().name("live".into()).spawn(move || clock.tick()).ok();
        Live { shared, ticking }
    }

    /// Notes that a game has ended.
    pub(super) fn see(&mut self, sight: &Sight<'_>) {
        let mut board = self.shared.lock();
        let now = board.started.elapsed();
        board.progress = sight.progress();
        board.bar.set_position(board.progress.played as u64);
        board.playing = sight.playing();
        if now < board.next {
            return;
        }
        board.standings = sight.standings();
        board.show(now);
        let took = board.started.elapsed().saturating_sub(now);
        board.next = board.next.max(now + PATIENCE * took);
    }

    pub(super) fn end(self) {}
}

/// Runs even if playing failed.
impl Drop for Live {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.ends.notify_all();
        if let Some(ticking) = self.ticking.take() {
            // The thread does nothing that could fail.
            let _ = ticking.join();
        }
        self.shared.lock().bar.finish_and_clear();
    }
}

impl Shared {
    /// A panic leaves a consistent state behind, because no change has several steps.
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what is due, until the end.
    fn tick(&self) {
        let mut board = self.lock();
        while !board.is_over {
            let now = board.started.elapsed();
            if now >= board.next {
                board.show(now);
            }
            board = self.ends.wait_timeout(board, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Board {
    /// Shows the tournament, and sets the time of the next showing.
    fn show(&mut self, now: Duration) {
        match &self.terminal {
            Some(terminal) => {
                let (height, width) = terminal.size();
                let lines = table(&self.standings, &self.entrants, &self.playing, height.into(), width.into());
                self.bar.set_prefix(lines.join("\n"));
                self.bar.tick();
                self.next = now + REDRAW;
            }
            None => {
                let line = self.line(now);
                // A closed standard error does not stop the tournament.
                let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
                self.next = now + LINE;
            }
        }
    }

    fn line(&self, now: Duration) -> String {
        let games = self.progress.played.saturating_sub(self.before);
        line(self.progress, games, now, &self.standings, &self.entrants, &self.playing)
    }
}

/// The part of the standings that fits, of two entrants their difference, and who plays now. Names are hostile text.
fn table(
    standings: &Standings,
    entrants: &[Entrant],
    playing: &[ScheduledGame],
    height: usize,
    width: usize,
) -> Vec<String> {
    let mut escaped = standings.clone();
    for row in &mut escaped.rows {
        row.display = Some(output::text(row.shown()));
    }
    let table = escaped.to_table();
    let mut lines: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    // Of two, a sentence below the table has the one figure, with its interval.
    let difference = standings.notes.iter().find(|note| standings.rows.len() == 2 && note.kind == NoteKind::Fact);
    let below = LINES_BELOW + usize::from(difference.is_some());
    let (all, most) = (lines.len(), height.saturating_sub(below).max(2));
    let more = format!("     and {} more", (all + 1).saturating_sub(most));
    if all > most {
        lines.truncate(most - 1);
        lines.push(&more);
    }
    let now = output::text(&format!("now: {}", pairings(entrants, playing)));
    let difference = difference.map(|note| output::text(&note.text));
    let lines = lines.into_iter().chain(difference.as_deref()).chain([&*now]);
    let rest = if width == 0 { "" } else { "…" };
    lines.map(|line| truncate_str(line, width, rest).into_owned()).collect()
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
    let left = match games {
        0 => "no game has ended".into(),
        _ => format!("{} left", HumanDuration(Duration::from_secs_f64(each * total.saturating_sub(played) as f64))),
    };
    let (played, total) = (output::grouped(played as u64), output::count(total, "game"));
    let rate = progress::rate(games as f64 / took.as_secs_f64().max(f64::MIN_POSITIVE));
    let first = standings.rows.iter().take(NAMED_MAX).map(|row| {
        let strength = standings.strength(row).map(|(_, value)| value.to_string()).unwrap_or_default();
        format!("{}. {} {strength}", row.rank, row.shown())
    });
    let first: Vec<String> = first.collect();
    let now = match pairings(entrants, playing) {
        now if now.is_empty() => now,
        now => format!("; now: {now}"),
    };
    output::text(&format!(
        "{played} of {total}, {rate}, {left}; {}{now}",
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
    use std::fs::File;

    use arena_record::EntrantId;
    use arena_tournaments::{Format, GameResult, RoundRobin, Settled};

    use super::*;
    use crate::terminal::Terminal;

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
    fn what_is_due_is_shown_also_while_no_game_ends() {
        let entrants = entrants(&["one", "two"]);
        let standings = RoundRobin::new(1, 5).standings(&entrants, &Settled::default());
        let mut board = Board {
            terminal: None,
            bar: ProgressBar::hidden(),
            started: Instant::now(),
            before: 4,
            next: LINE,
            progress: Progress { played: 4, total: 10 },
            standings,
            entrants,
            playing: Vec::new(),
            is_over: false,
        };
        assert!(
            board.line(LINE).starts_with("4 of 10 games, 0.0/s, no game has ended; 1. one"),
            "{}",
            board.line(LINE)
        );
        board.show(LINE);
        assert_eq!(board.next, 2 * LINE, "a minute later again");
        // The clock's thread shows what is due and ends when it is stopped.
        board.next = Duration::ZERO;
        let shared = Arc::new(Shared { board: Mutex::new(board), ends: Condvar::new() });
        let clock = shared.clone();
        let ticking = std::thread::spawn(move || clock.tick());
        while shared.lock().next < LINE {
            std::thread::yield_now();
        }
        Live { shared: shared.clone(), ticking: Some(ticking) }.end();
        assert!(shared.lock().is_over);
    }

    #[test]
    fn a_terminal_has_the_table_above_the_bar_and_each_drawing_in_the_place_of_the_last() {
        let null = || File::options().read(true).write(true).open("/dev/null").expect("every system has it");
        let entrants = entrants(&["one", "two", "three"]);
        let format = RoundRobin::new(1, 5);
        let mut board = Board {
            // As large as terminals that do not say how large they are.
            terminal: Some(Term::read_write_pair(null(), null())),
            bar: progress::bar_below(30, "games"),
            started: Instant::now(),
            before: 0,
            next: Duration::ZERO,
            progress: Progress { played: 0, total: 30 },
            standings: format.standings(&entrants, &Settled::default()),
            playing: format.next(&entrants, &Settled::default()).iter().take(1).collect(),
            entrants,
            is_over: false,
        };
        let terminal = Terminal::of(&board.bar);
        for played in [4, 5] {
            board.bar.set_position(played);
            board.show(Duration::from_secs(played));
            let rows = terminal.rows();
            assert_eq!(rows.len(), 6, "{rows:#?}");
            assert!(rows[0].starts_with("  #  bot") && rows[1].contains("one"), "{rows:#?}");
            assert!(rows[4].starts_with("now: ") && rows[5].contains(&format!(" {played}/30 games, ")), "{rows:#?}");
        }
        assert_eq!(board.next, Duration::from_secs(5) + REDRAW);
        Live { shared: Arc::new(Shared { board: Mutex::new(board), ends: Condvar::new() }), ticking: None }.end();
        assert_eq!(terminal.rows(), Vec::<String>::new(), "the standings follow");
    }

    /// A game with this winner, different from those with other numbers.
    fn won(game: ScheduledGame, winner: usize) -> (ScheduledGame, GameResult) {
        let mut digest = [0; 32];
        digest[0] = game.number as u8;
        let winner = game.seats.iter().find(|(_, entrant)| **entrant == winner).map(|(seat, _)| seat);
        let tally = game.seats.clone().map(|_| 0);
        let reason = arena_rules::Reason::Majority;
        (game, GameResult { winner, forfeits: Vec::new(), tally, digest, reason, turns: 0 })
    }

    #[test]
    fn a_table_of_two_has_their_difference_with_its_interval() {
        let entrants = entrants(&["one", "two"]);
        let format = RoundRobin::new(1, 30);
        let games = format.next(&entrants, &Settled::default());
        let settled =
            games.iter().map(|game| (game.number % 5 == 0, game)).map(|(is_lost, game)| won(game, is_lost.into()));
        let standings = format.standings(&entrants, &settled.collect());
        let lines = table(&standings, &entrants, &[], 24, 80);
        assert_eq!(lines.len(), 5, "{lines:?}");
        assert!(lines[3].contains("one") && lines[3].contains(" Elo (95 %: "), "{lines:?}");
        assert_eq!(table(&standings, &entrants, &[], 6, 80).len(), 4, "on a low terminal with fewer rows");
    }

    #[test]
    fn a_line_of_two_has_scores_and_no_ratings() {
        let entrants = entrants(&["one", "two"]);
        let format = RoundRobin::new(1, 5);
        let games = format.next(&entrants, &Settled::default());
        let standings = format.standings(&entrants, &games.iter().take(4).map(|game| won(game, 0)).collect());
        let progress = Progress { played: 4, total: 10 };
        let line = line(progress, 4, Duration::from_secs(4), &standings, &entrants, &[]);
        assert!(line.ends_with("; 1. one 100.0 %, 2. two 0.0 %"), "{line}");
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
