//! Progress on standard error, for a person who watches.

use std::fmt;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// How often a task without a measure is redrawn.
const REDRAW: Duration = Duration::from_millis(250);

/// A bar with rate and remaining time, followed by a message if one is set. Shows nothing unless standard error is a
/// terminal.
pub(crate) fn bar(total: u64, unit: &str) -> ProgressBar {
    ProgressBar::new(total).with_style(style("", "", unit))
}

/// The same bar below other lines: its prefix.
pub(crate) fn bar_below(total: u64, unit: &str) -> ProgressBar {
    ProgressBar::new(total).with_style(style("{prefix}\n", "", unit))
}

/// The same for work that may end before `most` of it is done; the remaining time is a maximum, too.
pub(crate) fn bar_at_most(most: u64, unit: &str) -> ProgressBar {
    ProgressBar::new(most).with_style(style("", "≤", unit))
}

/// A message with its elapsed seconds, until it is cleared.
pub(crate) fn waiting(words: String) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{spinner} {msg}: {elapsed}").unwrap_or_else(|_| ProgressStyle::default_spinner());
    let waiting = ProgressBar::new_spinner().with_style(style).with_message(words);
    waiting.enable_steady_tick(REDRAW);
    waiting
}

fn style(above: &str, before_total: &str, unit: &str) -> ProgressStyle {
    let counts = format!("{{human_pos}}/{before_total}{{human_len}} {unit}");
    let template = format!("{above}{{wide_bar:.cyan}} {counts}, {{rate}}, {{eta}} left{{msg}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = text.write_str(&rate(state.per_sec()));
    })
}

/// A rate per second, with a decimal only where it matters; more would only flicker.
pub(crate) fn rate(per_second: f64) -> String {
    if per_second < 9.95 {
        format!("{per_second:.1}/s")
    } else {
        format!("{}/s", HumanCount(per_second.round() as u64))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use crate::terminal::{COLUMNS, Terminal};

    /// The last row of a bar with a message, at an ordinary rate.
    fn drawn(bar: &ProgressBar, position: u64, message: &str) -> String {
        let terminal = Terminal::of(bar);
        let fixed =
            |text: &'static str| move |_: &ProgressState, out: &mut dyn fmt::Write| out.write_str(text).unwrap();
        bar.set_style(bar.style().with_key("rate", fixed("1,444/s")).with_key("eta", fixed("45s")));
        bar.set_position(position);
        bar.set_message(message.to_owned());
        bar.tick();
        terminal.rows().pop().unwrap()
    }

    #[test]
    fn the_longest_usual_lines_fit() {
        let (test, games) = (bar_at_most(20_000, "games"), bar(100_000, "games"));
        for (bar, position, counts, message) in [
            (&test, 19_998, " 19,998/≤20,000 games, ", "; +123 Elo, LLR -0.20 (-2.94 to 2.94)"),
            (&test, 998, " 998/≤20,000 games, ", "; all games lost, LLR -0.20 (-2.94 to 2.94)"),
            (&games, 99_998, " 99,998/100,000 games, ", "; +123 Elo (95 %: -112 to +258)"),
        ] {
            let line = drawn(bar, position, message);
            assert!(line.contains(counts) && line.ends_with(&format!(" 1,444/s, 45s left{message}")), "{line}");
            assert!(line.chars().count() <= usize::from(COLUMNS), "{}: {line}", line.chars().count());
        }
    }

    #[test]
    fn a_rate_has_a_decimal_only_while_it_is_small() {
        let rates = [(0.04, "0.0/s"), (0.26, "0.3/s"), (9.94, "9.9/s"), (9.95, "10/s"), (443.7955, "444/s")];
        for (per_second, expected) in rates {
            assert_eq!(rate(per_second), expected);
        }
        assert_eq!(rate(12_345.6), "12,346/s");
    }
}
