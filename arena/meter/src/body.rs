//! The second pass: writes a function with its changes. All bytes between them are copied.

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{BlockType, Function, InstructionSink, ValType};
use wasmparser::BinaryReaderError;

use crate::Checks;
use crate::counters::Counters;
use crate::facts::{Body, Import};
use crate::float::Float;
use crate::marks::{Change, Charge, Kept, Reached};
use crate::prices::{ENTRY, FUEL_CALL_FUEL, LOG_BYTE_FUEL, LOG_CALL_FUEL};

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
    /// The global with the units of the stack that are left, in modules that have it.
    pub(crate) stack: u32,
    /// The function that stands for the first of the imported ones; those for the others follow.
    pub(crate) imports: u32,
    /// The function in which a call ends that has used its fuel up.
    pub(crate) out_of_fuel: u32,
    /// The function in which a call ends that is nested too deeply, in modules that have it.
    pub(crate) too_deep: u32,
    /// The global with the fuel that is withheld, in the form that has it.
    pub(crate) withheld: Option<u32>,
    /// The first of the globals that say what functions use, in the form that has them.
    pub(crate) counters: Option<u32>,
    pub(crate) checks: Checks,
}

impl Added {
    /// Where a function counts what it uses, if it does.
    pub(crate) fn used(&self, function: u32) -> Option<Counters> {
        self.counters.map(|first| Counters::of(function, first, self.fuel))
    }
}

/// What a function has besides its own.
struct Frame<'a> {
    added: &'a Added,
    /// The local with the fuel that is left.
    fuel: u32,
    /// The local with the operand of a bulk operator.
    length: u32,
    /// The locals with a number that may be a NaN, by its type.
    floats: Vec<(ValType, u32)>,
    /// The units that a call of it takes of the stack, if it is counted.
    units: Option<u32>,
    /// Where it counts what it uses.
    used: Option<Counters>,
    /// Branches lead out of all of its own blocks: there is one more around them, which has its results.
    is_within: bool,
    /// It is checked several times: a branch out of all blocks ends for want of fuel.
    is_checked_again: bool,
}

/// Writes a function. `result` is the type of a block with its results; `units` are those it takes of the stack if it
/// is counted; `used` is where it counts what it uses.
pub(crate) fn metered(
    module: &[u8],
    body: &Body<'_>,
    added: &Added,
    result: BlockType,
    units: Option<u32>,
    used: Option<Counters>,
) -> Result<Function, Error<BinaryReaderError>> {
    let mut types = Vec::new();
    for group in body.body.get_locals_reader()? {
        let (count, ty) = group?;
        types.push((count, Same.val_type(ty)?));
    }
    let frame = Frame::add(body, units, used, added, &mut types);
    let mut function = Function::new(types);
    let mut code = function.instructions();
    if let Some(units) = units {
        take(&mut code, added.stack, -units.cast_signed());
        code.global_get(added.stack).i32_const(0).i32_lt_s();
        end_if(&mut code, added.too_deep);
    }
    if let Some(used) = used {
        used.enter(&mut code);
    }
    if frame.is_checked_again {
        code.block(BlockType::Empty);
    }
    if frame.is_within {
        code.block(result);
    }
    let mut copied = body.body.get_operators_reader()?.original_position();
    for mark in &body.marked.marks {
        function.raw(module[copied..mark.bytes.start].iter().copied());
        copied = mark.bytes.end;
        frame.change(&mut function.instructions(), &mark.change);
    }
    // Without its `end`, which has one byte.
    function.raw(module[copied..body.body.range().end - 1].iter().copied());
    let mut code = function.instructions();
    if frame.is_within {
        code.end();
    }
    if body.marked.returns {
        if frame.is_within {
            code.local_get(frame.fuel).global_set(added.fuel);
        }
        frame.leave(&mut code);
    }
    if frame.is_checked_again {
        code.return_().end().call(added.out_of_fuel).unreachable();
    }
    code.end();
    Ok(function)
}

impl Frame<'_> {
    fn add<'a>(
        body: &Body<'_>,
        units: Option<u32>,
        used: Option<Counters>,
        added: &'a Added,
        types: &mut Vec<(u32, ValType)>,
    ) -> Frame<'a> {
        let mut next = body.locals;
        let mut local = |ty: ValType| {
            match types.last_mut() {
                Some((count, last)) if *last == ty => *count += 1,
                _ => types.push((1, ty)),
            }
            next += 1;
            next - 1
        };
        let is_within = body.marked.branches_out;
        let (fuel, length, floats) = (u32::MAX, u32::MAX, Vec::new());
        let mut frame = Frame { added, fuel, length, floats, units, used, is_within, is_checked_again: false };
        let mut checks = 0;
        for mark in &body.marked.marks {
            match &mark.change {
                Change::Charge(charge) => {
                    checks += u32::from(frame.least(charge).is_some());
                    if charge.kept == Kept::Local && frame.fuel == u32::MAX {
                        frame.fuel = local(ValType::I64);
                    }
                }
                Change::Bulk { .. } => {
                    checks += 1;
                    if frame.length == u32::MAX {
                        frame.length = local(ValType::I32);
                    }
                }
                Change::Canonical(float) if frame.of(*float).is_none() => {
                    frame.floats.push((float.ty(), local(float.ty())));
                }
                _ => {}
            }
        }
        frame.is_checked_again = checks > 1;
        frame
    }

    fn of(&self, float: Float) -> Option<u32> {
        self.floats.iter().find_map(|(ty, local)| (*ty == float.ty()).then_some(*local))
    }

    /// Gives the stack back.
    fn leave(&self, code: &mut InstructionSink<'_>) {
        if let Some(used) = self.used {
            used.leave(code);
        }
        if let Some(units) = self.units {
            take(code, self.added.stack, units.cast_signed());
        }
    }

    fn change(&self, code: &mut InstructionSink<'_>, change: &Change) {
        match change {
            Change::Charge(charge) => self.charge(code, charge),
            Change::Bulk { each, depth } => {
                code.local_tee(self.length).local_get(self.length).i64_extend_i32_u().i64_const(-each).i64_mul();
                code.local_get(self.fuel).i64_add().local_tee(self.fuel);
                self.check(code, 1, *depth);
                if let Some(used) = self.used {
                    used.charge_each(code, self.length, *each);
                }
            }
            Change::Return => self.leave(code),
            Change::Import(function) => {
                code.call(self.added.imports + function);
            }
            Change::ImportReference(function) => {
                code.ref_func(self.added.imports + function);
            }
            Change::Canonical(float) => {
                if let Some(local) = self.of(*float) {
                    float.canonical(code, local);
                }
            }
        }
    }

    /// What must be left after a charge if it is checked, so that something was left where it is checked.
    fn least(&self, charge: &Charge) -> Option<i64> {
        match (self.added.checks, charge.reached) {
            (_, Reached::Exit { .. }) => None,
            (Checks::Everywhere, Reached::Plain) if charge.fuel == 0 => None,
            (Checks::Everywhere, _) => Some(1),
            (Checks::ByRule, Reached::Entry | Reached::Straight) => Some(1 - (charge.advance + charge.fuel - ENTRY)),
            (Checks::ByRule, Reached::Round) => Some(1 - charge.fuel),
            (Checks::ByRule, Reached::Call | Reached::Back) if self.units.is_some() => Some(1 - charge.fuel),
            (Checks::ByRule, Reached::Call | Reached::Back | Reached::Plain) => None,
        }
    }

    /// Charges a piece. Additions of negative numbers, since the compiler's time is quadratic in subtractions.
    fn charge(&self, code: &mut InstructionSink<'_>, charge: &Charge) {
        let Charge { fuel, reached, kept, depth, .. } = *charge;
        if let Reached::Exit { label } = reached {
            return self.exit(code, fuel, label);
        }
        let from = if matches!(reached, Reached::Entry | Reached::Call) { Kept::Global } else { Kept::Local };
        let (least, is_changed) = (self.least(charge), fuel != 0 || from != kept);
        if least.is_none() && (!is_changed || kept == Kept::Nowhere) {
            return;
        }
        match from {
            Kept::Global => code.global_get(self.added.fuel),
            _ => code.local_get(self.fuel),
        };
        if fuel != 0 {
            code.i64_const(-fuel).i64_add();
        }
        match (kept, least.filter(|_| is_changed)) {
            (Kept::Local, Some(_)) => code.local_tee(self.fuel),
            (Kept::Global, Some(_)) => code.global_set(self.added.fuel).global_get(self.added.fuel),
            (Kept::Local, None) if least.is_none() => code.local_set(self.fuel),
            (Kept::Global, None) if least.is_none() => code.global_set(self.added.fuel),
            _ => code,
        };
        if let Some(least) = least {
            self.check(code, least, depth);
        }
        if let Some(used) = self.used.filter(|_| fuel != 0) {
            used.charge(code, fuel);
        }
    }

    /// Leaves a loop if the condition on top of the stack holds, and charges only then. No other charge begins with its
    /// constant: so the proof tells it from a condition of the bot's.
    fn exit(&self, code: &mut InstructionSink<'_>, fuel: i64, label: u32) {
        if fuel == 0 {
            code.br_if(label);
            return;
        }
        code.if_(BlockType::Empty).i64_const(-fuel).local_get(self.fuel).i64_add().local_set(self.fuel);
        code.br(label + 1).end();
    }

    /// Ends the call unless so much is left.
    fn check(&self, code: &mut InstructionSink<'_>, least: i64, depth: u32) {
        code.i64_const(least).i64_lt_s();
        if self.is_checked_again {
            code.br_if(depth + u32::from(self.is_within));
        } else {
            end_if(code, self.added.out_of_fuel);
        }
    }
}

/// Adds to the units of the stack that are left.
fn take(code: &mut InstructionSink<'_>, stack: u32, units: i32) {
    code.global_get(stack).i32_const(units).i32_add().global_set(stack);
}

/// Ends the call, if the condition on the stack holds, in the function that says why.
fn end_if(code: &mut InstructionSink<'_>, why: u32) {
    code.if_(BlockType::Empty).call(why).unreachable().end();
}

/// The function in which a call ends for this reason.
pub(crate) fn ending(reason: i64, added: &Added) -> Function {
    let mut function = Function::new([]);
    function.instructions().i64_const(reason).global_set(added.fuel).unreachable().end();
    function
}

/// The function that stands for an imported one.
pub(crate) fn stand_in(import: Import, function: u32, added: &Added) -> Function {
    match import {
        Import::Log => log_function(function, added),
        Import::Fuel => fuel_function(function, added),
    }
}

/// Charges for the call and each byte, and calls the log if that was left.
fn log_function(log: u32, added: &Added) -> Function {
    const ADDRESS: u32 = 0;
    const LENGTH: u32 = 1;
    const LEFT: u32 = 2;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.local_get(LENGTH).i64_extend_i32_u().i64_const(-LOG_BYTE_FUEL.cast_signed()).i64_mul();
    code.global_get(added.fuel).i64_const(-LOG_CALL_FUEL.cast_signed()).i64_add().i64_add().local_tee(LEFT);
    code.i64_const(0).i64_lt_s();
    end_if(&mut code, added.out_of_fuel);
    if let Some(used) = added.used(log) {
        used.leave_over(&mut code, LEFT);
    }
    code.local_get(LEFT).global_set(added.fuel).local_get(ADDRESS).local_get(LENGTH).call(log).end();
    function
}

/// Charges for the call, and returns what may be used after that: one unit less than is left.
fn fuel_function(fuel: u32, added: &Added) -> Function {
    const LEFT: u32 = 0;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.global_get(added.fuel).i64_const(-FUEL_CALL_FUEL.cast_signed()).i64_add().local_tee(LEFT);
    code.i64_const(1).i64_lt_s();
    end_if(&mut code, added.out_of_fuel);
    if let Some(used) = added.used(fuel) {
        used.leave_over(&mut code, LEFT);
    }
    code.local_get(LEFT).global_set(added.fuel).local_get(LEFT).i64_const(-1).i64_add();
    if let Some(withheld) = added.withheld {
        code.global_get(withheld).i64_add();
    }
    code.end();
    function
}
