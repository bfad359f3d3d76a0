//! What Fisher's exact test is made of.

/// How many finds chance puts into the first of two samples, `[finds, size]` each, of one source: each possible number,
/// with the natural logarithm of its probability.
pub(super) fn by_chance(
    [[own, own_size], [others, other_size]]: [[usize; 2]; 2],
) -> impl Iterator<Item = (usize, f64)> {
    let (finds, size) = (own + others, own_size + other_size);
    let mut logs = vec![0.0; size + 1];
    (1..=size).for_each(|number| logs[number] = logs[number - 1] + (number as f64).ln());
    let ways = move |of: usize, taken: usize| logs[of] - logs[taken] - logs[of - taken];
    let possible = finds.saturating_sub(other_size)..=finds.min(own_size);
    possible.map(move |own| (own, ways(own_size, own) + ways(other_size, finds - own) - ways(size, finds)))
}
