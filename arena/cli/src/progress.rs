//! Progress on standard error, when a person watches.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with rate and time left, and a message behind them if one is set; nothing at all when standard error is not a
/// terminal.
pub(crate) fn bar(total: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar:.cyan}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left{{msg}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}
