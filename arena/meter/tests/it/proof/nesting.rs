//! The proof that the stack is bounded: without the functions that are counted on it no call leads back, and each of
//! these counts itself and the deepest of the others below it.

use wasmparser::Operator;

use arena_meter::UNCOUNTED_UNITS_MAX;

use super::code::Stack;
use super::{Read, Unproven};

/// `stacks` has what each function with a body takes, but for those that stand for imports.
pub(super) fn prove(read: &Read<'_>, stacks: &[Stack]) -> Result<(), Unproven> {
    let calls = calls(read, stacks.len())?;
    let first = read.imported as usize;
    let stack = |node: usize| node.checked_sub(first).and_then(|index| stacks.get(index));
    let is_counted = |node: usize| stack(node).is_some_and(|stack| stack.counted.is_some());
    // Units of the deepest chain of functions that are not counted, from each on: of those whose calls are known.
    let mut chains = vec![0; calls.len()];
    let below = |chains: &[u32], node: usize| calls[node].iter().map(|to| chains[*to]).max().unwrap_or(0);
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for (from, to) in calls.iter().enumerate().filter(|(from, _)| !is_counted(*from)) {
        to.iter().for_each(|to| callers[*to].push(from));
    }
    let mut left: Vec<usize> =
        (0..calls.len()).map(|node| if is_counted(node) { 0 } else { calls[node].len() }).collect();
    let mut free: Vec<usize> = (0..left.len()).filter(|node| left[*node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = free.pop() {
        taken += 1;
        if !is_counted(node) {
            chains[node] = stack(node).map_or(0, |stack| stack.frame) + below(&chains, node);
        }
        for caller in &callers[node] {
            left[*caller] -= 1;
            if left[*caller] == 0 {
                free.push(*caller);
            }
        }
    }
    if taken != calls.len() {
        return Err(Unproven::Recursion);
    }
    for (index, Stack { counted, frame }) in stacks.iter().enumerate() {
        let node = first + index;
        let chain = frame + below(&chains, node);
        let holds = match counted {
            None => chain <= UNCOUNTED_UNITS_MAX,
            Some(units) => *units == chain && (chain > UNCOUNTED_UNITS_MAX || recurs(&calls, node)),
        };
        if !holds {
            return Err(Unproven::Stack { function: node as u32 });
        }
    }
    Ok(())
}

/// Whom each function may call. After the functions come types, which stand for every function of theirs to which
/// something refers.
fn calls(read: &Read<'_>, metered: usize) -> Result<Vec<Vec<usize>>, Unproven> {
    let functions = read.functions.len();
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); functions + read.types.len()];
    let place = |ty: u32| {
        let wanted = read.types.get(ty as usize);
        functions + read.types.iter().position(|ty| Some(ty) == wanted).unwrap_or(0)
    };
    for (index, body) in read.bodies.iter().enumerate().take(metered) {
        let from = read.imported as usize + index;
        for operator in body.get_operators_reader().map_err(|_| Unproven::Invalid)? {
            match operator.map_err(|_| Unproven::Invalid)? {
                Operator::Call { function_index } => calls[from].push(function_index as usize),
                Operator::CallIndirect { type_index, .. } => calls[from].push(place(type_index)),
                _ => {}
            }
        }
    }
    for function in &read.named {
        if let Some(ty) = read.functions.get(*function as usize) {
            calls[place(*ty)].push(*function as usize);
        }
    }
    for calls in &mut calls {
        calls.sort_unstable();
        calls.dedup();
    }
    Ok(calls)
}

/// Whether calls of a function lead back to it.
fn recurs(calls: &[Vec<usize>], function: usize) -> bool {
    let mut seen = vec![false; calls.len()];
    let mut open = calls[function].clone();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&calls[node]);
        }
    }
    seen[function]
}
