//! The proof that every recursion is counted on the stack: without the functions that are, no call leads back.

use wasmparser::Operator;

use super::{Read, Unproven};

/// `counted` says of each function with a body, but for that of the log, whether it is counted.
pub(super) fn prove(read: &Read<'_>, counted: &[bool]) -> Result<(), Unproven> {
    let functions = read.functions.len();
    // Functions, then types, which stand for every function of theirs to which something refers.
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); functions + read.types.len()];
    let place = |ty: u32| {
        let wanted = read.types.get(ty as usize);
        functions + read.types.iter().position(|ty| Some(ty) == wanted).unwrap_or(0)
    };
    for (index, body) in read.bodies.iter().enumerate().take(counted.len()) {
        if counted[index] {
            continue;
        }
        let from = read.imported as usize + index;
        for operator in body.get_operators_reader().map_err(|_| Unproven::Invalid)? {
            match operator.map_err(|_| Unproven::Invalid)? {
                Operator::Call { function_index } => calls[from].push(function_index as usize),
                Operator::CallIndirect { type_index, .. } => calls[from].push(place(type_index)),
                _ => {}
            }
        }
        calls[from].sort_unstable();
        calls[from].dedup();
    }
    for function in &read.named {
        if let Some(ty) = read.functions.get(*function as usize) {
            calls[place(*ty)].push(*function as usize);
        }
    }
    // Whatever calls nothing that is left is taken away, until nothing is left.
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for (from, to) in calls.iter().enumerate() {
        to.iter().for_each(|to| callers[*to].push(from));
    }
    let mut left: Vec<usize> = calls.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..left.len()).filter(|node| left[*node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = free.pop() {
        taken += 1;
        for caller in &callers[node] {
            left[*caller] -= 1;
            if left[*caller] == 0 {
                free.push(*caller);
            }
        }
    }
    if taken == calls.len() { Ok(()) } else { Err(Unproven::Recursion) }
}
