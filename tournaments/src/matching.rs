//! The best pairs of a graph: a maximum-weight matching.

use std::convert::Infallible;

use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::{EdgeReference, NodeIndex, UnGraph};

/// Two who may be paired, and how much that is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) ends: [usize; 2],
    pub(crate) weight: i128,
}

/// The most pairs that there can be, and of all such choices the one whose weights have the largest sum. Each pair has the
/// smaller index first; pairs are in order. The best choice is taken to be the only one: callers add a drawn term to each weight.
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
