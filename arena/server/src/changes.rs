//! What changed between two texts, line by line.

use std::ops::Range;

/// Cells of the table of common lines. What differs more, apart from a common beginning and end, counts as another
/// text.
const CELLS_MAX: usize = 1 << 20;

/// Lines that are shown before and after a change.
const CONTEXT: usize = 3;

/// A line of a list of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line<'a> {
    /// It is in both.
    Same(&'a str),
    /// It is in the older text alone.
    Gone(&'a str),
    /// It is in the newer text alone.
    New(&'a str),
    /// So many lines of both are left out.
    Skipped(usize),
}

impl<'a> Line<'a> {
    /// What stands before it in a list: also how it is marked for who sees no colours.
    pub(crate) fn mark(&self) -> char {
        match self {
            Line::Gone(_) => '−',
            Line::New(_) => '+',
            Line::Same(_) | Line::Skipped(_) => ' ',
        }
    }
}

/// What was changed from an older text to a newer one, with a few lines around each change. Nothing if they are equal.
pub(crate) fn changes<'a>(older: &'a str, newer: &'a str) -> Vec<Line<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (older.lines().collect(), newer.lines().collect());
    let head = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let mut lines: Vec<Line<'a>> = old[..head].iter().map(|line| Line::Same(line)).collect();
    lines.extend(middle(&old[head..old.len() - tail], &new[head..new.len() - tail]));
    lines.extend(old[old.len() - tail..].iter().map(|line| Line::Same(line)));
    shortened(&lines)
}

/// Lines that begin and end differently: with as many common lines as there can be.
fn middle<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let width = new.len() + 1;
    let is_small = (old.len() + 1).saturating_mul(width) <= CELLS_MAX;
    // How many lines the rests from here have in common; none if that is too much to find out.
    let mut common = vec![0_u32; if is_small { (old.len() + 1) * width } else { 0 }];
    if is_small {
        for row in (0..old.len()).rev() {
            for col in (0..new.len()).rev() {
                let [right, below, beyond] =
                    [row * width + col + 1, (row + 1) * width + col, (row + 1) * width + col + 1];
                common[row * width + col] =
                    if old[row] == new[col] { common[beyond] + 1 } else { common[right].max(common[below]) };
            }
        }
    }
    let at = |row: usize, col: usize| common.get(row * width + col).copied().unwrap_or(0);
    let (mut lines, mut row, mut col) = (Vec::new(), 0, 0);
    while row < old.len() || col < new.len() {
        if is_small && row < old.len() && col < new.len() && old[row] == new[col] {
            lines.push(Line::Same(old[row]));
            (row, col) = (row + 1, col + 1);
        } else if row < old.len() && (col == new.len() || at(row + 1, col) >= at(row, col + 1)) {
            lines.push(Line::Gone(old[row]));
            row += 1;
        } else {
            lines.push(Line::New(new[col]));
            col += 1;
        }
    }
    lines
}

/// The same without common lines that are far from every change.
fn shortened<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let is_same = |line: &Line<'_>| matches!(line, Line::Same(_));
    if lines.iter().all(is_same) {
        return Vec::new();
    }
    let (mut shown, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let run = lines[at..].iter().take_while(|line| is_same(line)).count();
        let Range { start, end } = at..at + run;
        let before = if start == 0 { 0 } else { CONTEXT };
        let after = if end == lines.len() { 0 } else { CONTEXT };
        if run > before + after + 1 {
            shown.extend(&lines[start..start + before]);
            shown.push(Line::Skipped(run - before - after));
            shown.extend(&lines[end - after..end]);
        } else {
            shown.extend(&lines[start..end]);
        }
        at = end;
        if at < lines.len() {
            shown.push(lines[at]);
            at += 1;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;

    /// Up to 30 lines out of four.
    fn drawn(rng: &mut Rng) -> String {
        (0..rng.below(30)).map(|_| format!("{}\n", rng.below(4))).collect()
    }

    #[test]
    fn what_is_shown_of_two_texts_is_in_them_in_order_and_nothing_is_lost() {
        let mut rng = Rng::new(&[3; 32], 0);
        for _ in 0..2_000 {
            let (old, new) = (drawn(&mut rng), drawn(&mut rng));
            let shown = changes(&old, &new);
            assert_eq!(shown.is_empty(), old == new);
            let skipped = shown.iter().map(|line| if let Line::Skipped(lines) = line { *lines } else { 0 });
            let skipped: usize = skipped.sum();
            let side = |is_wanted: fn(&Line<'_>) -> bool| -> Vec<&str> {
                let kept = shown.iter().filter(|line| is_wanted(line));
                let texts = kept.filter_map(|line| match line {
                    Line::Same(text) | Line::Gone(text) | Line::New(text) => Some(*text),
                    Line::Skipped(_) => None,
                });
                texts.collect()
            };
            for (text, lines) in [
                (&old, side(|line| !matches!(line, Line::New(_)))),
                (&new, side(|line| !matches!(line, Line::Gone(_)))),
            ] {
                assert!(shown.is_empty() || text.lines().count() == lines.len() + skipped, "{old:?} {new:?}");
                let mut all = text.lines();
                assert!(lines.iter().all(|line| all.any(|other| other == *line)), "in order: {old:?} {new:?}");
            }
        }
    }

    #[test]
    fn a_line_that_was_changed_stands_between_its_neighbours_and_far_lines_are_left_out() {
        let old: Vec<String> = (0..20).map(|line| line.to_string()).collect();
        let mut new = old.clone();
        new[10] = "ten".into();
        let (old, new) = (old.join("\n"), new.join("\n"));
        let marks: String = changes(&old, &new).iter().map(Line::mark).collect();
        assert_eq!(marks, "    −+    ");
        assert_eq!(changes(&old, &new)[0], Line::Skipped(7));
    }

    #[test]
    fn texts_that_differ_too_much_to_compare_are_one_and_then_the_other() {
        let old: String = (0..2_000).map(|line| format!("a{line}\n")).collect();
        let new: String = (0..2_000).map(|line| format!("b{line}\n")).collect();
        let marks: String = changes(&old, &new).iter().map(Line::mark).collect();
        assert_eq!((marks.matches('−').count(), marks.matches('+').count()), (2_000, 2_000));
    }
}
