//! Which functions are counted on the stack, and for how many units.
//!
//! A function that cannot call itself, directly or indirectly, need not be counted: its caller pays for the
//! deepest chain of such functions below.

use std::collections::HashMap;

use wasmparser::FuncType;

use crate::UNCOUNTED_UNITS_MAX;
use crate::facts::Facts;

/// The units that a call of each defined function takes, `None` where they are not counted.
pub(crate) fn counted(facts: &Facts<'_>) -> Vec<Option<u32>> {
    let graph = Graph::new(facts);
    let functions = facts.functions.len();
    // Of each function and type, the deepest chain of functions that are not counted, itself included.
    let mut chains = vec![0; graph.edges.len()];
    let mut counted = vec![None; functions];
    for component in graph.components() {
        let recurs = component.len() > 1 || component.iter().any(|node| graph.edges[*node].contains(node));
        let (defined, other): (Vec<usize>, Vec<usize>) =
            component.into_iter().partition(|node| (facts.imports.len()..functions).contains(node));
        let below = |chains: &[u32], node: usize| graph.edges[node].iter().map(|to| chains[*to]).max().unwrap_or(0);
        // A chain through a type of this component leads to functions that are counted, or leaves it.
        for node in other {
            chains[node] = below(&chains, node);
        }
        for node in defined {
            let units = facts.bodies[node - facts.imports.len()].units + below(&chains, node);
            if recurs || units > UNCOUNTED_UNITS_MAX {
                counted[node] = Some(units);
            } else {
                chains[node] = units;
            }
        }
    }
    counted.split_off(facts.imports.len())
}

/// Who calls whom: functions, then types, which stand for all functions of which there are references.
struct Graph {
    edges: Vec<Vec<usize>>,
}

impl Graph {
    fn new(facts: &Facts<'_>) -> Graph {
        // Equal types are one, whatever their indices.
        let mut first: HashMap<&FuncType, usize> = HashMap::new();
        let canonical: Vec<usize> =
            facts.types.iter().enumerate().map(|(index, ty)| *first.entry(ty).or_insert(index)).collect();
        let node_of = |ty: u32| facts.functions.len() + canonical[ty as usize];
        let mut edges = vec![Vec::new(); facts.functions.len() + facts.types.len()];
        for (index, body) in facts.bodies.iter().enumerate() {
            let calls = body.calls.iter().map(|function| *function as usize);
            let indirect = body.indirect.iter().map(|ty| node_of(*ty));
            edges[facts.imports.len() + index] = calls.chain(indirect).collect();
        }
        for function in &facts.taken {
            edges[node_of(facts.functions[*function as usize])].push(*function as usize);
        }
        Graph { edges }
    }

    /// The strongly connected components, each after those that it leads to (Tarjan's algorithm, without recursion).
    fn components(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        const DONE: usize = usize::MAX - 1;
        let mut lowest = vec![UNSEEN; self.edges.len()];
        let (mut waiting, mut path, mut found) = (Vec::new(), Vec::new(), Vec::new());
        let mut next = 0;
        for root in 0..self.edges.len() {
            if lowest[root] != UNSEEN {
                continue;
            }
            path.push((root, next, 0));
            while let Some((node, number, edge)) = path.pop() {
                if edge == 0 {
                    lowest[node] = number;
                    next += 1;
                    waiting.push(node);
                }
                if let Some(to) = self.edges[node].get(edge).copied() {
                    path.push((node, number, edge + 1));
                    if lowest[to] == UNSEEN {
                        path.push((to, next, 0));
                    } else if lowest[to] != DONE {
                        lowest[node] = lowest[node].min(lowest[to]);
                    }
                    continue;
                }
                if lowest[node] == number {
                    let first = waiting.iter().rposition(|waiting| *waiting == node).unwrap_or(0);
                    let component: Vec<usize> = waiting.split_off(first);
                    component.iter().for_each(|node| lowest[*node] = DONE);
                    found.push(component);
                } else if let Some((above, ..)) = path.last() {
                    lowest[*above] = lowest[*above].min(lowest[node]);
                }
            }
        }
        found
    }
}
