//! The second pass: writes a function with its changes. All bytes between them are copied.

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{BlockType, Function, InstructionSink, ValType};
use wasmparser::BinaryReaderError;

use crate::float::Float;
use crate::marks::{Change, Reached};
use crate::prices::{ENTRY, FUEL_CALL_FUEL, LOG_BYTE_FUEL, LOG_CALL_FUEL};
use crate::scan::{Body, Import};
use crate::{Checks, OUT_OF_FUEL, TOO_DEEP};

/// Writes types as they are.
pub(crate) struct Same;

impl Reencode for Same {
    type Error = BinaryReaderError;
}

/// What no module has before, and where it is.
#[derive(Clone, Copy)]
pub(crate) struct Added {
    /// The global with the fuel that is left.
    pub(crate) fuel: u32,
    /// The global with the units of the stack that are left.
    pub(crate) stack: u32,
    /// The function that stands for the first of the imported ones; those for the others follow.
    pub(crate) imports: u32,
    /// The global with the fuel that is withheld, in the form that has it.
    pub(crate) withheld: Option<u32>,
    pub(crate) checks: Checks,
}

/// The locals that a function has besides its own, and what it counts.
struct Locals {
    /// The fuel that is left.
    fuel: u32,
    /// The operand of a bulk operator.
    length: u32,
    /// A number that may be a NaN, by its type.
    floats: Vec<(ValType, u32)>,
    /// The units that a call of it takes of the stack, if it is counted.
    units: Option<u32>,
}

/// Writes a function. `result` is the type of a block with its results; `units` are those it takes of the stack if it
/// is counted.
pub(crate) fn metered(
    module: &[u8],
    body: &Body<'_>,
    added: &Added,
    result: BlockType,
    units: Option<u32>,
) -> Result<Function, Error<BinaryReaderError>> {
    let mut types = Vec::new();
    for group in body.body.get_locals_reader()? {
        let (count, ty) = group?;
        types.push((count, Same.val_type(ty)?));
    }
    let locals = Locals::add(body, units, &mut types);
    let mut function = Function::new(types);
    let mut code = function.instructions();
    if units.is_some() {
        code.block(BlockType::Empty);
    }
    // A branch out of the first block ends for want of fuel, out of the second as usual.
    code.block(BlockType::Empty).block(result);
    if let Some(units) = units {
        let units = units.cast_signed();
        code.global_get(added.stack).i32_const(-units).i32_add().global_set(added.stack);
        code.global_get(added.stack).i32_const(0).i32_lt_s().br_if(2);
    }
    let range = body.body.get_operators_reader()?.original_position()..body.body.range().end;
    let mut copied = range.start;
    for mark in &body.marks {
        function.raw(module[copied..mark.bytes.start].iter().copied());
        copied = mark.bytes.end;
        change(&mut function.instructions(), &mark.change, &locals, added);
    }
    // The last operator is the function's `end`, which ends the block with its results.
    function.raw(module[copied..range.end].iter().copied());
    let mut code = function.instructions();
    leave(&mut code, &locals, added);
    code.return_().end().i64_const(OUT_OF_FUEL).global_set(added.fuel).unreachable().end();
    if units.is_some() {
        code.i64_const(TOO_DEEP).global_set(added.fuel).unreachable().end();
    }
    Ok(function)
}

impl Locals {
    fn add(body: &Body<'_>, units: Option<u32>, types: &mut Vec<(u32, ValType)>) -> Locals {
        let mut next = body.locals;
        let mut local = |ty: ValType| {
            types.push((1, ty));
            next += 1;
            next - 1
        };
        let fuel = local(ValType::I64);
        let mut locals = Locals { fuel, length: fuel, floats: Vec::new(), units };
        for mark in &body.marks {
            match &mark.change {
                Change::Bulk { .. } if locals.length == fuel => locals.length = local(ValType::I32),
                Change::Canonical(float) if locals.of(*float).is_none() => {
                    locals.floats.push((float.ty(), local(float.ty())));
                }
                _ => {}
            }
        }
        locals
    }

    fn of(&self, float: Float) -> Option<u32> {
        self.floats.iter().find_map(|(ty, local)| (*ty == float.ty()).then_some(*local))
    }
}

/// Writes the fuel back, and gives the stack back.
fn leave(code: &mut InstructionSink<'_>, locals: &Locals, added: &Added) {
    code.local_get(locals.fuel).global_set(added.fuel);
    if let Some(units) = locals.units {
        code.global_get(added.stack).i32_const(units.cast_signed()).i32_add().global_set(added.stack);
    }
}

fn change(code: &mut InstructionSink<'_>, change: &Change, locals: &Locals, added: &Added) {
    match change {
        Change::Charge { fuel, reached, depth } => charge(code, *fuel, *reached, *depth, locals, added),
        Change::Bulk { each, depth } => {
            code.local_tee(locals.length).local_get(locals.length).i64_extend_i32_u().i64_const(-each).i64_mul();
            code.local_get(locals.fuel).i64_add().local_tee(locals.fuel).i64_const(1).i64_lt_s().br_if(depth + 1);
        }
        Change::Return => leave(code, locals, added),
        Change::Call => {
            code.local_get(locals.fuel).global_set(added.fuel);
        }
        Change::Import(function) => {
            code.local_get(locals.fuel).global_set(added.fuel).call(added.imports + function);
        }
        Change::ImportReference(function) => {
            code.ref_func(added.imports + function);
        }
        Change::Canonical(float) => {
            if let Some(local) = locals.of(*float) {
                float.canonical(code, local);
            }
        }
    }
}

/// Charges a piece. Additions of negative numbers, since the compiler's time is quadratic in subtractions.
fn charge(code: &mut InstructionSink<'_>, fuel: i64, reached: Reached, depth: u32, locals: &Locals, added: &Added) {
    match reached {
        Reached::Entry | Reached::Call => code.global_get(added.fuel),
        Reached::Round | Reached::Plain => code.local_get(locals.fuel),
    };
    if fuel > 0 {
        code.i64_const(-fuel).i64_add();
    }
    // What must be left after the charge, so that something was left where it is checked.
    let least = match (added.checks, reached) {
        (Checks::Everywhere, _) => 1,
        (Checks::ByRule, Reached::Entry) => 1 - (fuel - ENTRY),
        (Checks::ByRule, Reached::Round) => 1 - fuel,
        (Checks::ByRule, Reached::Call) if locals.units.is_some() => 1 - fuel,
        (Checks::ByRule, Reached::Call | Reached::Plain) => {
            code.local_set(locals.fuel);
            return;
        }
    };
    if fuel > 0 || reached == Reached::Call {
        code.local_tee(locals.fuel);
    }
    code.i64_const(least).i64_lt_s().br_if(depth + 1);
}

/// The function that stands for an imported one.
pub(crate) fn stand_in(import: Import, function: u32, added: &Added) -> Function {
    match import {
        Import::Log => log_function(function, added),
        Import::Fuel => fuel_function(added),
    }
}

/// Charges for the call and each byte, and calls the log if that was left.
fn log_function(log: u32, added: &Added) -> Function {
    const ADDRESS: u32 = 0;
    const LENGTH: u32 = 1;
    const LEFT: u32 = 2;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.block(BlockType::Empty);
    code.local_get(LENGTH).i64_extend_i32_u().i64_const(-LOG_BYTE_FUEL.cast_signed()).i64_mul();
    code.global_get(added.fuel).i64_const(-LOG_CALL_FUEL.cast_signed()).i64_add().i64_add().local_tee(LEFT);
    code.i64_const(0).i64_lt_s().br_if(0);
    code.local_get(LEFT).global_set(added.fuel).local_get(ADDRESS).local_get(LENGTH).call(log).return_().end();
    code.i64_const(OUT_OF_FUEL).global_set(added.fuel).unreachable().end();
    function
}

/// Charges for the call, and returns what may be used after that: one unit less than is left.
fn fuel_function(added: &Added) -> Function {
    const LEFT: u32 = 0;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.block(BlockType::Empty);
    code.global_get(added.fuel).i64_const(-FUEL_CALL_FUEL.cast_signed()).i64_add().local_tee(LEFT);
    code.i64_const(1).i64_lt_s().br_if(0);
    code.local_get(LEFT).global_set(added.fuel).local_get(LEFT).i64_const(-1).i64_add();
    if let Some(withheld) = added.withheld {
        code.global_get(withheld).i64_add();
    }
    code.return_().end().i64_const(OUT_OF_FUEL).global_set(added.fuel).unreachable().end();
    function
}
