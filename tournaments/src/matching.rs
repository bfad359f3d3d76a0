//! Maximum-weight matchings: the best pairs of a graph. For entrants on a line, a short walk finds them.

use std::cmp::Reverse;
use std::convert::Infallible;

use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::{EdgeReference, NodeIndex, UnGraph};

/// Two vertices that may be paired, and the weight of that pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) ends: [usize; 2],
    pub(crate) weight: i128,
}

/// The matching with the most pairs, and among these the one with the largest sum of weights. Each pair has the smaller
/// index first; pairs are in order. The best matching is assumed to be unique: callers add a drawn term to each weight.
pub(crate) fn heaviest(vertices: usize, edges: &[Edge]) -> Vec<[usize; 2]> {
    let mut graph: UnGraph<(), i128> = UnGraph::with_capacity(vertices, edges.len());
    for _ in 0..vertices {
        graph.add_node(());
    }
    for Edge { ends: [one, other], weight } in edges {
        graph.add_edge(NodeIndex::new(*one), NodeIndex::new(*other), *weight);
    }
    let weight = |edge: EdgeReference<'_, i128>| -> Result<i128, Infallible> { Ok(*edge.weight()) };
    let Ok(matching) = max_weight_matching(&graph, true, weight, false);
    let mut pairs: Vec<[usize; 2]> =
        matching.into_iter().map(|(one, other)| [one.min(other), one.max(other)]).collect();
    pairs.sort_unstable();
    pairs
}

/// The origin of a step of [`heaviest_in_line`]: the places taken, and the distance of the partner; 0 for none.
#[derive(Clone, Copy, Default)]
struct Step {
    taken: u16,
    distance: u8,
}

/// The same for places on a line, where only places at most `reach` apart, 15 at most, may be paired. `weight` gives
/// the weight of a pair.
///
/// The walk along the line keeps the best choice so far for each set of taken places among the next ones: 2^`reach` of
/// them.
pub(crate) fn heaviest_in_line(places: usize, reach: usize, weight: impl Fn([usize; 2]) -> i128) -> Vec<[usize; 2]> {
    let mut best: Vec<Option<(Reverse<usize>, i128)>> = vec![None; 1 << reach];
    best[0] = Some((Reverse(0), 0));
    let mut steps: Vec<Vec<Step>> = Vec::with_capacity(places);
    for place in 0..places {
        let weights: Vec<i128> =
            (1..=reach.min(places - 1 - place)).map(|distance| weight([place, place + distance])).collect();
        let mut next = vec![None; best.len()];
        let mut from = vec![Step::default(); best.len()];
        for (taken, found) in best.iter().enumerate() {
            let Some((Reverse(alone), sum)) = *found else { continue };
            let mut offer = |after: usize, distance: usize, offered: (Reverse<usize>, i128)| {
                if next[after >> 1].is_none_or(|known| known < offered) {
                    next[after >> 1] = Some(offered);
                    from[after >> 1] = Step { taken: taken as u16, distance: distance as u8 };
                }
            };
            if taken & 1 != 0 {
                offer(taken, 0, (Reverse(alone), sum));
                continue;
            }
            offer(taken, 0, (Reverse(alone + 1), sum));
            for (distance, weight) in (1..).zip(&weights) {
                if taken >> distance & 1 == 0 {
                    offer(taken | 1 << distance, distance, (Reverse(alone), sum + weight));
                }
            }
        }
        best = next;
        steps.push(from);
    }
    let (mut pairs, mut taken) = (Vec::new(), 0);
    for (place, from) in steps.iter().enumerate().rev() {
        let step = from[taken];
        if step.distance > 0 {
            pairs.push([place, place + usize::from(step.distance)]);
        }
        taken = step.taken.into();
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
pub(crate) mod tests {
    use arena_rules::Rng;

    use super::*;

    /// The number of pairs in the best matching, and the sum of its weights, by trying every choice.
    pub(crate) fn best_of_all(vertices: usize, edges: &[Edge]) -> (usize, i128) {
        fn best(free: u32, edges: &[Edge]) -> (usize, i128) {
            let Some(one) = (free != 0).then(|| free.trailing_zeros() as usize) else { return (0, 0) };
            let rest = free & !(1 << one);
            let with = edges.iter().filter(|edge| edge.ends.contains(&one)).filter_map(|edge| {
                let [a, b] = edge.ends;
                let other = a + b - one;
                let (pairs, sum) = (rest >> other & 1 == 1).then(|| best(rest & !(1 << other), edges))?;
                Some((pairs + 1, sum + edge.weight))
            });
            with.chain([best(rest, edges)]).max().unwrap_or_default()
        }
        best((1 << vertices) - 1, edges)
    }

    /// The same for a given matching.
    pub(crate) fn worth(edges: &[Edge], pairs: &[[usize; 2]]) -> (usize, i128) {
        let weight = |pair: &[usize; 2]| {
            let edge = edges.iter().find(|edge| edge.ends == *pair || edge.ends == [pair[1], pair[0]]);
            edge.expect("only candidates are chosen").weight
        };
        (pairs.len(), pairs.iter().map(weight).sum())
    }

    #[test]
    fn no_other_choice_is_heavier() {
        for number in 0..300 {
            let mut rng = Rng::new(&[9; 32], number);
            let vertices = 1 + rng.below(9) as usize;
            let two = (0..vertices).flat_map(|one| (one + 1..vertices).map(move |other| [one, other]));
            let weighed = two.map(|ends| Edge { ends, weight: i128::from(rng.below(1_500)) - 500 });
            // A third of the pairs are no edges.
            let edges: Vec<Edge> = weighed.filter(|edge| edge.weight > 0).collect();
            assert_eq!(worth(&edges, &heaviest(vertices, &edges)), best_of_all(vertices, &edges), "{number}");
        }
    }

    #[test]
    fn in_a_line_both_find_the_same_pairs() {
        for number in 0..200 {
            let mut rng = Rng::new(&[7; 32], number);
            let (places, reach) = (1 + rng.below(12) as usize, 1 + rng.below(5) as usize);
            let weights: Vec<Vec<i128>> =
                (0..places).map(|_| (0..=reach).map(|_| i128::from(rng.word())).collect()).collect();
            let weight = |[one, other]: [usize; 2]| weights[one][other - one];
            let near = |place: usize| place + 1..places.min(place + 1 + reach);
            let ends = (0..places).flat_map(|place| near(place).map(move |other| [place, other]));
            let edges: Vec<Edge> = ends.map(|ends| Edge { ends, weight: weight(ends) }).collect();
            assert_eq!(heaviest_in_line(places, reach, weight), heaviest(places, &edges), "{places} {reach} {number}");
        }
    }
}
