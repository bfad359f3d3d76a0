//! A bot's results from edition to edition, as a chart and as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::text;
use arena_record::EntrantId;
use arena_service::{PastEdition, PastRow};

/// An edition in the chart.
pub(crate) struct Point {
    pub(crate) edition: u32,
    /// The version that played; none for a built-in opponent.
    pub(crate) version: Option<u32>,
    /// Whether it is the first edition of this version.
    pub(crate) is_new: bool,
    pub(crate) rank: usize,
    pub(crate) of: usize,
    /// The value and its interval, for people.
    pub(crate) value: String,
    pub(crate) interval: String,
    /// Whether the operator annulled the edition, which is a place for nobody.
    pub(crate) annulled: bool,
    /// Its place in the chart; `None` if it was annulled, or its ratings are not on the chart's scale.
    pub(crate) spot: Option<Spot>,
}

/// A place in the chart.
pub(crate) struct Spot {
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// The ends of the interval.
    pub(crate) low: u32,
    pub(crate) high: u32,
}

/// The editions in which a player has a row, oldest first, each with the row.
fn played<'a>(
    history: &'a [Arc<PastEdition>],
    versions: &'a BTreeMap<EntrantId, u32>,
    built_in: Option<&'a str>,
) -> impl Iterator<Item = (&'a PastEdition, &'a PastRow)> {
    let is_it = move |row: &&PastRow| match built_in {
        Some(name) => row.id.baseline().is_some_and(|(tier, _)| tier == name),
        None => versions.contains_key(&row.id),
    };
    history.iter().filter_map(move |past| Some((&**past, past.rows.iter().find(is_it)?)))
}

/// The numbers of the editions in which one of these versions, or the built-in opponent `built_in`, played, the latest
/// first.
pub(crate) fn editions(
    history: &[Arc<PastEdition>],
    versions: &BTreeMap<EntrantId, u32>,
    built_in: Option<&str>,
) -> Vec<u32> {
    let mut numbers: Vec<u32> = played(history, versions, built_in).map(|(past, _)| past.number).collect();
    numbers.reverse();
    numbers
}

/// The editions of a bot, oldest first.
pub(crate) struct History {
    pub(crate) points: Vec<Point>,
    /// Whether the values are shares, not ratings.
    pub(crate) in_shares: bool,
    /// The values at the chart's lower and upper end.
    pub(crate) bottom: String,
    pub(crate) top: String,
}

impl History {
    /// The size of the chart, without its margins.
    pub(crate) const WIDTH: u32 = 600;
    pub(crate) const HEIGHT: u32 = 120;

    /// The history of a bot with these versions, or of an opponent named `built_in`, without places in the editions
    /// that were `annulled`; `None` for fewer than two editions, which show no development.
    pub(crate) fn of(
        history: &[Arc<PastEdition>],
        versions: &BTreeMap<EntrantId, u32>,
        built_in: Option<&str>,
        annulled: &BTreeSet<u32>,
    ) -> Option<History> {
        let played = played(history, versions, built_in).filter(|(_, row)| row.value.is_some());
        let played: Vec<(&PastEdition, &PastRow)> = played.collect();
        if played.len() < 2 {
            return None;
        }
        // Shares are at most one; ratings mostly are larger.
        let in_shares =
            history.iter().flat_map(|past| &past.rows).all(|row| row.value.is_none_or(|v| (0.0..=1.0).contains(&v)));
        let text = |value: f64| {
            if in_shares { format!("{:.1} %", 100.0 * value) } else { format!("{:.0}", value.round_ties_even() + 0.0) }
        };
        let ends = |row: &PastRow| {
            let value = row.value.unwrap_or_default();
            (row.low.unwrap_or(value), value, row.high.unwrap_or(value))
        };
        // One scale: that of the latest edition that has one. Ratings without an anchor have a zero of their own.
        let counts = |past: &PastEdition| !annulled.contains(&past.number);
        let anchor = played.iter().rev().filter(|(past, _)| counts(past)).find_map(|(past, _)| past.anchor.as_ref());
        let on_scale =
            |past: &PastEdition| counts(past) && (in_shares || (anchor.is_some() && past.anchor.as_ref() == anchor));
        let charted: Vec<u32> = played.iter().filter(|(past, _)| on_scale(past)).map(|(past, _)| past.number).collect();
        let drawn = || played.iter().filter(|(past, _)| on_scale(past));
        let low = drawn().map(|(_, row)| ends(row).0).fold(f64::INFINITY, f64::min);
        let high = drawn().map(|(_, row)| ends(row).2).fold(f64::NEG_INFINITY, f64::max);
        let height = f64::from(Self::HEIGHT);
        let y = |value: f64| (height * (high - value) / (high - low).max(f64::MIN_POSITIVE)).round() as u32;
        let last = (charted.len() as u32).saturating_sub(1).max(1);
        let is_new = |place: usize| place == 0 || played[place - 1].1.id != played[place].1.id;
        let point = |(place, (past, row)): (usize, &(&PastEdition, &PastRow))| {
            let (low, value, high) = ends(row);
            let version = versions.get(&row.id).copied();
            Point {
                edition: past.number,
                version,
                is_new: is_new(place),
                rank: row.rank,
                of: past.rows.len(),
                value: text(value),
                interval: text::common_to(text(low), text(high)).into(),
                annulled: !counts(past),
                spot: charted.iter().position(|number| *number == past.number).map(|place| Spot {
                    x: Self::WIDTH * place as u32 / last,
                    y: y(value),
                    low: y(low),
                    high: y(high),
                }),
            }
        };
        let points = played.iter().enumerate().map(point).collect();
        Some(History { points, in_shares, bottom: text(low), top: text(high) })
    }

    /// The line through all values of the chart, as points of an SVG polyline.
    pub(crate) fn line(&self) -> String {
        self.spots().map(|(_, spot)| format!("{},{}", spot.x, spot.y)).collect::<Vec<_>>().join(" ")
    }

    /// The points of the chart.
    pub(crate) fn spots(&self) -> impl Iterator<Item = (&Point, &Spot)> {
        self.points.iter().filter_map(|point| Some((point, point.spot.as_ref()?)))
    }

    /// Whether there is a chart: a single point shows no development.
    pub(crate) fn is_drawn(&self) -> bool {
        self.spots().count() > 1
    }

    /// The editions that count, and whose ratings are not on the chart's scale.
    pub(crate) fn off_scale(&self) -> String {
        let others = self.points.iter().filter(|point| point.spot.is_none() && !point.annulled);
        others.map(|point| point.edition.to_string()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use arena_store::UnixSeconds;

    use super::*;

    fn edition(number: u32, id: &EntrantId, value: f64) -> Arc<PastEdition> {
        let row = |id: EntrantId, value: f64| PastRow {
            rank: 1,
            name: "it".into(),
            id,
            value: Some(value),
            low: Some(value - 10.0),
            high: Some(value + 10.0),
        };
        let other = row(EntrantId::of_baseline("easy", 1), -90.0);
        let anchor = Some("0 in the mean of easy@1".into());
        Arc::new(PastEdition { number, finished_at: UnixSeconds(0), anchor, rows: vec![row(id.clone(), value), other] })
    }

    #[test]
    fn editions_of_all_versions_are_one_line_and_those_without_the_bot_are_left_out() {
        let (one, two) = (EntrantId::of_bytes(b"one"), EntrantId::of_bytes(b"two"));
        let strange = EntrantId::of_bytes(b"strange");
        let editions =
            [edition(4, &one, 0.0), edition(5, &strange, 500.0), edition(6, &two, 80.0), edition(7, &two, 40.0)];
        let versions = BTreeMap::from([(one, 1), (two, 3)]);
        let history = History::of(&editions, &versions, None, &BTreeSet::new()).expect("three editions");
        let seen = history.spots().map(|(point, spot)| (point.edition, point.version, point.is_new, spot.x, spot.y));
        let wanted = [(4, Some(1), true, 0, 108), (6, Some(3), true, 300, 12), (7, Some(3), false, 600, 60)];
        assert_eq!(seen.collect::<Vec<_>>(), wanted);
        assert_eq!((history.bottom.as_str(), history.top.as_str()), ("-10", "90"));
        assert_eq!(history.line(), "0,108 300,12 600,60");
        assert!(History::of(&editions[..2], &versions, None, &BTreeSet::new()).is_none(), "one edition is no history");
        assert_eq!(super::editions(&editions, &versions, None), [7, 6, 4]);
        let built_in = History::of(&editions, &versions, Some("easy"), &BTreeSet::new()).expect("all of them");
        assert_eq!(built_in.points.len(), 4);
        // Edition 6 has another zero: nobody compares it with the others by the chart.
        let mut editions = editions;
        Arc::make_mut(&mut editions[2]).anchor = None;
        let history = History::of(&editions, &versions, None, &BTreeSet::new()).expect("three editions");
        assert_eq!((history.line().as_str(), history.off_scale().as_str()), ("0,100 600,20", "6"));
        assert!(history.is_drawn() && history.points.len() == 3, "the table has all");
        let history = History::of(&editions, &versions, None, &BTreeSet::from([4])).expect("three editions");
        assert_eq!(
            (history.line().as_str(), history.off_scale().as_str()),
            ("0,60", "6"),
            "one that is annulled has no spot"
        );
        assert_eq!(history.points.iter().map(|point| point.annulled).collect::<Vec<_>>(), [true, false, false]);
        for edition in &mut editions {
            Arc::make_mut(edition).anchor = None;
        }
        let history = History::of(&editions, &versions, None, &BTreeSet::new()).expect("three editions");
        assert!(!history.is_drawn() && history.off_scale() == "4, 6, 7");
    }
}
