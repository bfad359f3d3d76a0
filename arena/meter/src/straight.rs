//! Straight functions: their code runs from its beginning to its end, so that each call costs the same. The caller
//! charges it, and they have no code for fuel. Small functions of compilers are so.

use wasmparser::{FunctionBody, Operator};

use crate::UNCOUNTED_UNITS_MAX;
use crate::facts::Facts;
use crate::prices::{ENTRY, each, price};

/// Parameters, locals and operators of a straight function, together. Each is at most two units of the stack, so it
/// is never counted there.
const PLACES_MAX: u32 = UNCOUNTED_UNITS_MAX / 4;

/// The fuel that a call of each function takes, its entry included, if it is straight. Whatever can be called
/// otherwise than by its number is not.
pub(crate) fn straight<'a>(facts: &Facts<'_>, bodies: impl Iterator<Item = &'a FunctionBody<'a>>) -> Vec<Option<i64>> {
    let imported = facts.imports.iter().map(|_| None);
    let defined = (facts.imported()..).zip(bodies).map(|(function, body)| {
        let is_called_otherwise = facts.taken.contains(&function) || facts.named.contains(&function);
        let ty = facts.types.get(*facts.functions.get(function as usize)? as usize)?;
        if is_called_otherwise { None } else { fuel(body, ty.params().len() as u32) }
    });
    imported.chain(defined).collect()
}

fn fuel(body: &FunctionBody<'_>, params: u32) -> Option<i64> {
    let (mut places, mut fuel, mut is_over) = (params, ENTRY, false);
    for group in body.get_locals_reader().ok()? {
        places = places.checked_add(group.ok()?.0)?;
    }
    let mut operators = body.get_operators_reader().ok()?;
    loop {
        places = places.checked_add(1)?;
        let operator = operators.read().ok()?;
        match operator {
            Operator::End => return Some(fuel),
            Operator::Return if !is_over => is_over = true,
            Operator::Block { .. }
            | Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. }
            | Operator::Unreachable
            | Operator::Call { .. }
            | Operator::CallIndirect { .. } => return None,
            _ if is_over || each(&operator).is_some() || places > PLACES_MAX => return None,
            operator => fuel += price(&operator)?,
        }
    }
}
