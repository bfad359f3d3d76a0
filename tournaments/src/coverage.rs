//! How often what standings claim is true: simulated tournaments of entrants whose strengths are known.
//!
//! `cargo xtask coverage` runs 10,000 of each kind; tests run fewer, with wider limits. The claims are pooled over the kinds of games
//! for two, of fixed length and with a stop, and over those of fields: two-sided intervals of ratings and scores and of differences
//! between neighbours, exact bounds, rank intervals, and that the first places are settled.

#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

mod field;
mod formats;
mod round_robin;

use arena_rules::Rng;

/// How many claims there were, and how many of them were true.
#[derive(Clone, Copy, Default, Debug)]
struct Claims {
    made: u64,
    kept: u64,
}

impl Claims {
    fn note(&mut self, kept: bool) {
        self.made += 1;
        self.kept += u64::from(kept);
    }

    fn add(&mut self, more: Claims) {
        self.made += more.made;
        self.kept += more.kept;
    }

    fn percent(self) -> f64 {
        100.0 * self.kept as f64 / self.made.max(1) as f64
    }
}

#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    /// Two-sided intervals of ratings, or of scores.
    own: Claims,
    /// Two-sided intervals of differences between neighbours.
    differences: Claims,
    /// Bounds on one side.
    bounds: Claims,
    ranks: Claims,
    /// Claims that the order of the first is settled.
    settled: Claims,
}

impl Tally {
    /// An interval around what is true, where it has ends. Without any it claims nothing.
    fn note([low, high]: [Option<f64>; 2], truth: f64, two_sided: &mut Claims, one_sided: &mut Claims) {
        let kept = low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high);
        match (low, high) {
            (None, None) => {}
            (Some(_), Some(_)) => two_sided.note(kept),
            _ => one_sided.note(kept),
        }
    }

    fn add(&mut self, more: &Tally) {
        self.own.add(more.own);
        self.differences.add(more.differences);
        self.bounds.add(more.bounds);
        self.ranks.add(more.ranks);
        self.settled.add(more.settled);
    }

    fn print(&self, kind: &str) {
        let Tally { own, differences, bounds, ranks, settled } = self;
        let named = [("own", own), ("differences", differences), ("bounds", bounds), ("ranks", ranks)];
        let named = named.into_iter().chain([("settled", settled)]).filter(|(_, claims)| claims.made > 0);
        let told: Vec<String> =
            named.map(|(what, claims)| format!("{what} {:.2} % of {}", claims.percent(), claims.made)).collect();
        println!("{kind}: {}", told.join(", "));
    }
}

/// A value above 0 and below 1.
fn uniform(rng: &mut Rng) -> f64 {
    (f64::from(rng.word()) + 0.5) / 4_294_967_296.0
}

/// A normal value by the sum of twelve uniform ones: near enough for strengths.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).fold(-6.0, |sum, _| sum + f64::from(rng.word()) / 4_294_967_296.0)
}

/// Half points of the first in a game; `draws` is the part of upsets that are drawn instead.
fn game(rng: &mut Rng, chance: f64, draws: f64) -> u32 {
    let drawn = draws * chance.min(1.0 - chance);
    match f64::from(rng.word()) / 4_294_967_296.0 {
        value if value < chance - drawn => 2,
        value if value < chance + drawn => 1,
        _ => 0,
    }
}

/// A kind of tournament: what it is called, and what plays one and counts its claims.
struct Kind {
    name: String,
    play: Box<dyn Fn(&mut Rng, &mut Tally) + Sync>,
}

/// Plays so many tournaments of each kind and counts their claims together.
fn simulate(pool: u64, kinds: &[Kind], tournaments: u64, seed: u64) -> Tally {
    let mut all = Tally::default();
    for (number, kind) in (0..).zip(kinds) {
        let mut tally = Tally::default();
        for trial in 0..tournaments {
            let mut rng = Rng::new(&[seed as u8; 32], pool << 56 | number << 32 | trial);
            (kind.play)(&mut rng, &mut tally);
        }
        tally.print(&kind.name);
        all.add(&tally);
    }
    all
}

/// Intervals of differences of ratings are kept up to so often, in percent: they are at least as wide as those of a model without draws, and
/// pairs with draws vary less than it says.
const DIFFERENCES_MOST: f64 = 97.0;

/// Checks claims of a pool: how often they must be true in the long run. By how much exact ones are kept more often is printed, too.
fn check(pool: &str, own: &str, all: &Tally, (slack, is_long): (f64, bool)) {
    let differences_most = if own == "ratings" { DIFFERENCES_MOST } else { 96.0 };
    for (what, claims, least, most) in [
        (format!("intervals of {own}"), all.own, 94.0, 96.0),
        ("intervals of differences".into(), all.differences, 94.0, differences_most),
        ("exact bounds".into(), all.bounds, 95.0, 100.0),
        ("rank intervals".into(), all.ranks, 95.0, 100.0),
        ("settled orders".into(), all.settled, 95.0, 100.0),
    ] {
        if claims.made == 0 {
            continue;
        }
        let excess = if most < 100.0 { String::new() } else { format!(", {:+.2} above 95 %", claims.percent() - 95.0) };
        println!("{pool}: {what} {:.2} % of {}, wanted {least} to {most} %{excess}", claims.percent(), claims.made);
        let enough = is_long || claims.made > 500;
        assert!(!enough || (least - slack..=most + slack).contains(&claims.percent()), "{pool}: {what} {claims:?}");
    }
}

/// What is asked for: so many tournaments, a seed, and by how much chance may miss the mark with so few.
fn asked(usual: u64) -> (u64, u64, (f64, bool)) {
    let count = |name: &str, usual: u64| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
    let (tournaments, seed) = (count("ARENA_TOURNAMENTS", usual), count("ARENA_TOURNAMENT_SEED", 1));
    (tournaments, seed, if tournaments < 5_000 { (1.5, false) } else { (0.0, true) })
}

#[test]
fn claims_of_fixed_length_are_kept_as_often_as_they_say() {
    let (tournaments, seed, limits) = asked(150);
    let kinds: Vec<Kind> = round_robin::kinds(false).chain(formats::kinds(false)).collect();
    check("of fixed length", "ratings", &simulate(1, &kinds, tournaments, seed), limits);
}

#[test]
fn claims_with_a_stop_are_kept_as_often_as_they_say() {
    let (tournaments, seed, limits) = asked(100);
    let kinds: Vec<Kind> = round_robin::kinds(true).chain(formats::kinds(true)).collect();
    check("with a stop", "ratings", &simulate(2, &kinds, tournaments, seed), limits);
}

#[test]
fn claims_of_fields_are_kept_as_often_as_they_say() {
    let (tournaments, seed, limits) = asked(150);
    check("of fields", "scores", &simulate(3, &field::kinds(seed), tournaments, seed), limits);
}
