//! The proof for one function: walks its operators once, with the fuel that is charged and not yet used, or used and
//! not yet charged. Where fuel can be seen it is neither.

use std::collections::BTreeSet;

use wasmparser::{BlockType, FunctionBody, Operator, ValType};

use arena_meter::{FRAME_UNITS, FUEL_CALL_FUEL, LOG_BYTE_FUEL, LOG_CALL_FUEL};

use super::{Added, ENTRY, SMALL_BULK_FUEL, each, price};

/// The place of the operator at which the proof fails.
type Proof<T> = Result<T, usize>;

use Operator as Op;

macro_rules! operators {
    ($($name:ident $({ $field:ident: $value:expr })?),* $(,)?) => { [$(Op::$name $({ $field: $value })?),*] };
}

struct Walk<'a, 'b> {
    operators: &'a [Operator<'b>],
    at: usize,
    added: Added,
    /// What calls of functions cost that do not charge it themselves, their entry included.
    straight: &'a [Option<i64>],
    /// Such a function is called next: that is charged and checked.
    is_entered: bool,
    /// The meter's own locals, and how many of the first are the bot's at least.
    own: BTreeSet<u32>,
    bots: u32,
    /// The local that has the fuel, once it is known.
    local: Option<u32>,
    /// Units of the stack, if it is counted.
    units: Option<u32>,
    /// Fuel that is charged and not yet used. In code that is not reached there is none.
    credit: Option<i64>,
    /// The fuel is in the local, not in the global.
    is_local: bool,
    /// A check is next, of what was left before a charge but for so much.
    unchecked: Option<i64>,
    /// A branch out of all blocks ends for want of fuel, and one out of the bot's code leads to the end of a block.
    is_checked_again: bool,
    is_within: bool,
    open: Vec<Open>,
    /// Units of the operands on the stack after each operator, and the most after one of the bot's.
    operands: &'a [u32],
    most: u32,
}

/// An open block. Its end is reached with this credit by branches, and the other code of a condition begins with that.
struct Open {
    is_loop: bool,
    credit: Option<i64>,
    otherwise: Option<i64>,
}

/// What a function takes of the stack.
#[derive(Clone)]
pub(super) struct Stack {
    /// Units that it counts, if it does.
    pub(super) counted: Option<u32>,
    /// Units of its frame alone.
    pub(super) frame: u32,
}

/// A function of the module.
#[derive(Clone, Copy)]
pub(super) struct Function<'a, 'b> {
    pub(super) operators: &'a [Operator<'b>],
    /// Units of the operands on the stack after each operator.
    pub(super) operands: &'a [u32],
    pub(super) params: &'a [ValType],
    pub(super) body: &'a FunctionBody<'b>,
}

impl<'a, 'b> Function<'a, 'b> {
    fn walk(self, added: Added, straight: &'a [Option<i64>]) -> Walk<'a, 'b> {
        Walk {
            operators: self.operators,
            at: 0,
            added,
            straight,
            is_entered: false,
            own: BTreeSet::new(),
            bots: self.params.len() as u32,
            local: None,
            units: None,
            credit: Some(-ENTRY),
            is_local: false,
            unchecked: None,
            is_checked_again: false,
            is_within: false,
            // Where a branch out of all blocks of the bot's leads.
            open: vec![Open { is_loop: false, credit: None, otherwise: None }],
            operands: self.operands,
            most: 0,
        }
    }

    fn stack(self, walk: &Walk<'_, '_>) -> Proof<Stack> {
        let locals = locals(self.params, self.body).ok_or(0_usize)?;
        // The meter's locals are the last.
        let bots = locals.len() - walk.own.len();
        let is_last = walk.own.iter().all(|own| *own as usize >= bots) && walk.bots as usize <= bots;
        let is_wide = walk.local.is_none_or(|local| locals.get(local as usize) == Some(&ValType::I64));
        if !is_last || !is_wide {
            return Err(0);
        }
        Ok(Stack {
            counted: walk.units,
            frame: FRAME_UNITS + locals[..bots].iter().map(width).sum::<u32>() + walk.most,
        })
    }
}

/// Proves a function.
pub(super) fn function(function: Function<'_, '_>, added: Added, straight: &[Option<i64>]) -> Proof<Stack> {
    let mut walk = function.walk(added, straight);
    walk.unchecked = Some(ENTRY);
    walk.prologue()?;
    while !walk.epilogue()? {
        walk.step()?;
    }
    function.stack(&walk)
}

/// What a call of a function costs, its entry included, if it runs from its beginning to its end and charges nothing.
pub(super) fn straight(function: Function<'_, '_>, added: Added) -> Proof<(i64, Stack)> {
    let mut walk = function.walk(added, &[]);
    while !matches!(walk.rest(), [Op::End] | [Op::Return, Op::End]) {
        walk.expect(!is_control(&walk.operators[walk.at]))?;
        walk.own(&walk.operators[walk.at].clone())?;
    }
    walk.measure(walk.operators.len() - 1);
    let fuel = walk.credit.and_then(i64::checked_neg).ok_or(walk.at)?;
    Ok((fuel, function.stack(&walk)?))
}

/// Whether an operator may lead elsewhere than to the next, but by a trap.
fn is_control(operator: &Op<'_>) -> bool {
    matches!(
        operator,
        Op::Block { .. }
            | Op::Loop { .. }
            | Op::If { .. }
            | Op::Else
            | Op::End
            | Op::Br { .. }
            | Op::BrIf { .. }
            | Op::BrTable { .. }
            | Op::Return
            | Op::Unreachable
            | Op::Call { .. }
            | Op::CallIndirect { .. }
    ) || each(operator).is_some()
}

/// The types of parameters and locals.
fn locals(params: &[ValType], body: &FunctionBody<'_>) -> Option<Vec<ValType>> {
    let mut all = params.to_vec();
    for group in body.get_locals_reader().ok()? {
        let (count, ty) = group.ok()?;
        all.extend((0..count).map(|_| ty));
    }
    Some(all)
}

pub(super) fn width(ty: &ValType) -> u32 {
    match ty {
        ValType::V128 | ValType::F64 | ValType::F32 => 2,
        ValType::I32 | ValType::I64 | ValType::Ref(_) => 1,
    }
}

impl<'b> Walk<'_, 'b> {
    fn rest(&self) -> &[Operator<'b>] {
        self.operators.get(self.at..).unwrap_or_default()
    }

    /// Measures the operands after this operator of the bot's.
    fn measure(&mut self, at: usize) {
        self.most = self.operands.get(at).copied().unwrap_or(u32::MAX).max(self.most);
    }

    fn expect(&self, holds: bool) -> Proof<()> {
        if holds { Ok(()) } else { Err(self.at) }
    }

    /// Takes exactly these operators.
    fn take(&mut self, wanted: &[Operator<'_>]) -> Proof<()> {
        self.expect(self.rest().starts_with(wanted))?;
        self.at += wanted.len();
        Ok(())
    }

    /// The call ends in this function, if the condition on the stack holds.
    fn end_if(&mut self, function: u32) -> Proof<()> {
        self.take(&operators![If { blockty: BlockType::Empty }, Call { function_index: function }, Unreachable, End])
    }

    /// Adds to the units of the stack that are left.
    fn units(&mut self, value: i32) -> Proof<()> {
        self.take(&units_given(self.added.fuel + 1, value))
    }

    /// The stack's count, blocks, and the charge for entering.
    fn prologue(&mut self) -> Proof<()> {
        let (fuel, stack) = (self.added.fuel, self.added.fuel + 1);
        if let [Op::GlobalGet { global_index }, Op::I32Const { value }, ..] = *self.rest()
            && global_index == stack
        {
            let too_deep = self.added.too_deep.ok_or(self.at)?;
            self.expect(value < 0)?;
            self.units(value)?;
            self.take(&operators![GlobalGet { global_index: stack }, I32Const { value: 0 }, I32LtS])?;
            self.end_if(too_deep)?;
            self.units = Some(value.unsigned_abs());
        }
        let blocks = self.rest().iter().take_while(|operator| matches!(operator, Op::Block { .. })).count();
        let charge = &self.rest()[blocks..];
        let check = charge.iter().position(|operator| *operator == Op::I64LtS).ok_or(self.at)?;
        self.is_checked_again = matches!(charge.get(check + 1), Some(Op::BrIf { .. }));
        let is_outer = |operator: &Op<'_>| *operator == Op::Block { blockty: BlockType::Empty };
        self.expect(!self.is_checked_again || self.rest().first().is_some_and(is_outer))?;
        let within = blocks.checked_sub(usize::from(self.is_checked_again)).ok_or(self.at)?;
        self.expect(within < 2)?;
        self.is_within = within == 1;
        self.at += blocks;
        self.take(&operators![GlobalGet { global_index: fuel }])?;
        self.charge()
    }

    /// The rest of a charge whose counter is on the stack, and of its check.
    fn charge(&mut self) -> Proof<()> {
        let mut least = 1 + self.unchecked.unwrap_or(0);
        let (local, fuel) = (self.local, Op::GlobalSet { global_index: self.added.fuel });
        let mut is_charged = false;
        if let [Op::I64Const { value }, Op::I64Add, ..] = *self.rest() {
            let credit = self.credit.ok_or(self.at)?;
            self.credit = Some(credit.checked_sub(value).ok_or(self.at)?);
            least = least.checked_add(value).ok_or(self.at)?;
            is_charged = true;
            self.at += 2;
        }
        match *self.rest() {
            [Op::LocalSet { local_index }, ..] if self.unchecked.is_none() => self.keep(local_index)?,
            [Op::LocalTee { local_index }, ..] if self.unchecked.is_some() => self.keep(local_index)?,
            [ref set, Op::GlobalGet { global_index }, ..]
                if *set == fuel && self.unchecked.is_some() && global_index == self.added.fuel =>
            {
                self.is_local = false;
                self.at += 2;
            }
            [ref set, ..] if *set == fuel && self.unchecked.is_none() => {
                self.is_local = false;
                self.at += 1;
            }
            _ => self.expect(self.unchecked.is_some() && !is_charged)?,
        }
        self.expect(local.is_none() || local == self.local)?;
        if self.unchecked.take().is_some() { self.check(least) } else { Ok(()) }
    }

    /// The fuel is in this local from here on.
    fn keep(&mut self, local: u32) -> Proof<()> {
        self.local = Some(local);
        self.own.insert(local);
        self.is_local = true;
        self.at += 1;
        Ok(())
    }

    /// A check that so much is left.
    fn check(&mut self, least: i64) -> Proof<()> {
        self.take(&operators![I64Const { value: least }, I64LtS])?;
        if !self.is_checked_again {
            return self.end_if(self.added.out_of_fuel);
        }
        let outer = self.open.len() as u32 - 1 + u32::from(self.is_within);
        self.take(&operators![BrIf { relative_depth: outer }])
    }

    /// What ends the function, if the bot's code is over.
    fn epilogue(&mut self) -> Proof<bool> {
        let [function] = &self.open[..] else { return Ok(false) };
        let (is_joined, returns) = (function.credit.is_some(), function.credit.or(self.credit).is_some());
        let Added { fuel, out_of_fuel, .. } = self.added;
        let mut ends = Vec::new();
        if self.is_within {
            ends.push(Op::End);
        }
        if let Some(local) = self.local.filter(|_| returns && self.is_within) {
            ends.extend(operators![LocalGet { local_index: local }, GlobalSet { global_index: fuel }]);
        }
        if let Some(units) = self.units.filter(|_| returns) {
            ends.extend(units_given(fuel + 1, units.cast_signed()));
        }
        if self.is_checked_again {
            ends.extend(operators![Return, End, Call { function_index: out_of_fuel }, Unreachable]);
        }
        ends.push(Op::End);
        if self.rest() != ends {
            return Ok(false);
        }
        // Its results are left, whether or not its end is reached.
        self.measure(self.operators.len() - 1);
        let is_seen = self.credit.is_none_or(|credit| credit == 0 && self.is_local == self.is_within);
        self.expect(is_seen && self.unchecked.is_none() && (self.is_within || !is_joined))?;
        self.expect(!returns || !self.is_within || self.local.is_some())?;
        self.at += ends.len();
        Ok(true)
    }

    /// Takes the next of the meter's changes, or an operator of the bot's.
    fn step(&mut self) -> Proof<()> {
        let (fuel, stack) = (self.added.fuel, self.added.fuel + 1);
        match *self.rest() {
            // What is never reached may be anything: it never runs.
            [ref operator, ..] if self.credit.is_none() => self.own(&operator.clone()),
            [Op::GlobalGet { global_index }, ..] if global_index == fuel => {
                self.expect(!self.is_local)?;
                self.at += 1;
                self.charge()
            }
            [Op::LocalGet { local_index }, ..] if Some(local_index) == self.local => {
                self.expect(self.is_local)?;
                if self.unchecked.is_none() && self.enters() {
                    self.expect(!self.is_entered)?;
                    // What is left then, besides what is charged already for what comes after.
                    self.pay(price(&Op::Call { function_index: 0 }))?;
                    self.pay(Some(ENTRY))?;
                    (self.unchecked, self.is_entered) = (self.credit.and_then(i64::checked_neg), true);
                }
                self.at += 1;
                self.charge()
            }
            _ if self.unchecked.is_some() => Err(self.at),
            [Op::Call { function_index }, ..] if self.is_entered => {
                let fuel = self.straight.get(function_index as usize).copied().flatten().ok_or(self.at)?;
                self.is_entered = false;
                self.pay(Some(fuel - ENTRY))?;
                self.measure(self.at);
                self.at += 1;
                self.unchecked = self.units.map(|_| 0);
                self.expect(self.units.is_none() || self.credit == Some(0))
            }
            _ if self.is_entered => Err(self.at),
            [Op::GlobalGet { global_index }, ..] if global_index == stack => {
                let units = self.units.ok_or(self.at)?;
                self.units(units.cast_signed())?;
                self.expect(matches!(self.rest(), [Op::Return, ..]))?;
                self.leave()
            }
            [Op::Return, ..] => {
                self.expect(self.units.is_none())?;
                self.leave()
            }
            [Op::LocalTee { local_index: length }, Op::LocalGet { local_index }, Op::I64ExtendI32U, ..]
                if length == local_index && self.is_bulk() =>
            {
                self.bulk(length)
            }
            [Op::If { .. }, Op::I64Const { .. }, Op::LocalGet { local_index }, Op::I64Add, ..]
                if Some(local_index) == self.local =>
            {
                self.exit()
            }
            [ref operator, ..] => self.own(&operator.clone()),
            [] => Err(self.at),
        }
    }

    /// A branch out of a loop, which charges if its condition holds: it costs what one without a charge does.
    fn exit(&mut self) -> Proof<()> {
        let [_, Op::I64Const { value }, _, _, _, Op::Br { relative_depth }, ..] = *self.rest() else {
            return Err(self.at);
        };
        let local_index = self.local.ok_or(self.at)?;
        self.measure(self.at);
        self.take(&operators![If { blockty: BlockType::Empty }, I64Const { value: value }])?;
        self.take(&operators![LocalGet { local_index: local_index }, I64Add, LocalSet { local_index: local_index }])?;
        self.take(&operators![Br { relative_depth: relative_depth }, End])?;
        let relative_depth = relative_depth.checked_sub(1).ok_or(self.at)?;
        self.pay(price(&Op::BrIf { relative_depth }))?;
        let paid = self.credit;
        self.credit = paid.and_then(|credit| credit.checked_sub(value));
        self.reach(relative_depth)?;
        self.credit = paid;
        Ok(())
    }

    /// Whether a check follows, and then the call of a function that charges nothing.
    fn enters(&self) -> bool {
        let check = self.rest().iter().take(6).position(|operator| *operator == Op::I64LtS);
        let called = check.map(|check| check + if self.is_checked_again { 2 } else { 5 });
        let Some(Op::Call { function_index }) = called.and_then(|at| self.rest().get(at)) else { return false };
        self.straight.get(*function_index as usize).is_some_and(Option::is_some)
    }

    /// A return, before which the stack was given back.
    fn leave(&mut self) -> Proof<()> {
        self.expect(self.credit == Some(0) && !self.is_local)?;
        self.own(&Op::Return)
    }

    /// Whether a bulk operator follows that is charged by its length.
    fn is_bulk(&self) -> bool {
        let is_added = self.rest().get(6) == Some(&Op::I64Add);
        is_added && self.rest().get(3..5).is_some_and(|two| matches!(two, [Op::I64Const { .. }, Op::I64Mul]))
    }

    /// A bulk operator that is charged by its length.
    fn bulk(&mut self, length: u32) -> Proof<()> {
        let local = self.local.filter(|_| self.is_local).ok_or(self.at)?;
        let after = self.at + 8 + if self.is_checked_again { 3 } else { 6 };
        let operator = self.operators.get(after).ok_or(self.at)?.clone();
        let each = each(&operator).ok_or(self.at)?;
        self.take(&operators![LocalTee { local_index: length }, LocalGet { local_index: length }, I64ExtendI32U])?;
        self.take(&operators![I64Const { value: -each }, I64Mul, LocalGet { local_index: local }, I64Add])?;
        self.take(&operators![LocalTee { local_index: local }])?;
        self.check(1)?;
        self.own.insert(length);
        self.measure(self.at);
        self.at += 1;
        self.pay(price(&operator))?;
        self.expect(self.credit == Some(0))
    }

    /// Uses what an operator costs, if it is reached.
    fn pay(&mut self, price: Option<i64>) -> Proof<()> {
        let price = price.ok_or(self.at)?;
        if let Some(credit) = self.credit {
            self.credit = Some(credit.checked_sub(price).ok_or(self.at)?);
        }
        Ok(())
    }

    /// An operator of the bot's.
    fn own(&mut self, operator: &Operator<'b>) -> Proof<()> {
        self.pay(price(operator))?;
        if let Some(each) = each(operator).filter(|_| self.credit.is_some()) {
            // A small one, whose length is a constant, is paid for with the code around it.
            let before = self.at.checked_sub(1).and_then(|at| self.operators.get(at));
            let Some(Op::I32Const { value }) = before else { return Err(self.at) };
            let fuel = each * i64::from(value.cast_unsigned());
            self.expect(fuel <= SMALL_BULK_FUEL)?;
            self.pay(Some(fuel))?;
        }
        match operator {
            Op::LocalGet { local_index } | Op::LocalSet { local_index } | Op::LocalTee { local_index } => {
                self.bots = self.bots.max(local_index + 1);
            }
            Op::GlobalGet { global_index } | Op::GlobalSet { global_index } => {
                self.expect(*global_index < self.added.fuel)?;
            }
            Op::Call { function_index } if *function_index >= self.added.out_of_fuel => return Err(self.at),
            Op::Call { .. } | Op::CallIndirect { .. } if self.credit.is_some() => {
                let is_straight = matches!(operator, Op::Call { function_index }
                    if self.straight.get(*function_index as usize).is_some_and(Option::is_some));
                self.expect(self.credit == Some(0) && !self.is_local && !is_straight)?;
                self.unchecked = self.units.map(|_| 0);
            }
            Op::Block { .. } => self.open.push(Open { is_loop: false, credit: None, otherwise: None }),
            Op::Loop { .. } => {
                self.expect(self.credit.is_none_or(|credit| credit == 0 && self.is_local))?;
                self.unchecked = self.credit.map(|_| 0);
                self.open.push(Open { is_loop: true, credit: None, otherwise: None });
            }
            Op::If { .. } => {
                self.expect(self.credit.is_none() || self.is_local)?;
                self.open.push(Open { is_loop: false, credit: None, otherwise: self.credit });
            }
            Op::Else => {
                self.reach(0)?;
                self.credit = self.open.last_mut().and_then(|open| open.otherwise.take());
                self.is_local = true;
            }
            Op::Return | Op::Unreachable => self.credit = None,
            Op::End => self.close()?,
            Op::Br { relative_depth } => {
                self.reach(*relative_depth)?;
                self.credit = None;
            }
            Op::BrIf { relative_depth } => self.reach(*relative_depth)?,
            Op::BrTable { targets } => {
                self.reach(targets.default())?;
                for target in targets.targets() {
                    self.reach(target.map_err(|_| self.at)?)?;
                }
                self.credit = None;
            }
            _ => {}
        }
        self.measure(self.at);
        self.at += 1;
        self.canonical(operator)
    }

    /// A branch, from which its target has the credit, as from all others: a round of a loop has none.
    fn reach(&mut self, depth: u32) -> Proof<()> {
        let Some(credit) = self.credit else { return Ok(()) };
        self.expect(self.is_local)?;
        let at = (self.open.len() - 1).checked_sub(depth as usize).ok_or(self.at)?;
        let open = &mut self.open[at];
        let wanted = if open.is_loop || at == 0 { 0 } else { open.credit.unwrap_or(credit) };
        open.credit = Some(credit);
        self.expect(credit == wanted)
    }

    /// A block ends, which may have been reached by branches.
    fn close(&mut self) -> Proof<()> {
        self.expect(self.open.len() > 1)?;
        if let Some(credit) = self.open.last().and_then(|open| open.otherwise) {
            // As if there were other code, which is empty.
            let before = self.credit.replace(credit);
            let is_local = std::mem::replace(&mut self.is_local, true);
            self.reach(0)?;
            (self.credit, self.is_local) = (before, is_local);
        }
        let is_joined = self.open.last().is_some_and(|open| !open.is_loop && open.credit.is_some());
        if is_joined {
            self.reach(0)?;
        }
        let open = self.open.pop().ok_or(self.at)?;
        if is_joined {
            (self.credit, self.is_local) = (open.credit, true);
        }
        Ok(())
    }

    /// What follows an operator whose NaNs differ between machines.
    fn canonical(&mut self, operator: &Operator<'_>) -> Proof<()> {
        let (nan, equal, choose) = match operator {
            Op::F32Add
            | Op::F32Sub
            | Op::F32Mul
            | Op::F32Div
            | Op::F32Min
            | Op::F32Max
            | Op::F32Sqrt
            | Op::F32Ceil
            | Op::F32Floor
            | Op::F32Trunc
            | Op::F32Nearest
            | Op::F32DemoteF64 => (Op::F32Const { value: f32::from_bits(0x7fc0_0000).into() }, Op::F32Eq, Op::Select),
            Op::F64Add
            | Op::F64Sub
            | Op::F64Mul
            | Op::F64Div
            | Op::F64Min
            | Op::F64Max
            | Op::F64Sqrt
            | Op::F64Ceil
            | Op::F64Floor
            | Op::F64Trunc
            | Op::F64Nearest
            | Op::F64PromoteF32 => (Op::F64Const { value: f64::from_bits(0x7ff8 << 48).into() }, Op::F64Eq, Op::Select),
            Op::F32x4Add
            | Op::F32x4Sub
            | Op::F32x4Mul
            | Op::F32x4Div
            | Op::F32x4Min
            | Op::F32x4Max
            | Op::F32x4Sqrt
            | Op::F32x4Ceil
            | Op::F32x4Floor
            | Op::F32x4Trunc
            | Op::F32x4Nearest
            | Op::F32x4DemoteF64x2Zero => (vector(&0x7fc0_0000_u32.to_le_bytes()), Op::F32x4Eq, Op::V128Bitselect),
            Op::F64x2Add
            | Op::F64x2Sub
            | Op::F64x2Mul
            | Op::F64x2Div
            | Op::F64x2Min
            | Op::F64x2Max
            | Op::F64x2Sqrt
            | Op::F64x2Ceil
            | Op::F64x2Floor
            | Op::F64x2Trunc
            | Op::F64x2Nearest
            | Op::F64x2PromoteLowF32x4 => (vector(&(0x7ff8_u64 << 48).to_le_bytes()), Op::F64x2Eq, Op::V128Bitselect),
            _ => return Ok(()),
        };
        let Some(Op::LocalTee { local_index }) = self.rest().first() else { return Err(self.at) };
        let local = *local_index;
        self.expect(Some(local) != self.local)?;
        self.own.insert(local);
        let get = || Op::LocalGet { local_index: local };
        self.take(&[Op::LocalTee { local_index: local }, nan, get(), get(), equal, choose])
    }
}

/// Adds to the units that are left in this global.
fn units_given(stack: u32, value: i32) -> [Operator<'static>; 4] {
    operators![GlobalGet { global_index: stack }, I32Const { value: value }, I32Add, GlobalSet { global_index: stack }]
}

/// A constant vector of equal numbers.
fn vector(number: &[u8]) -> Operator<'static> {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(number.iter().cycle()).for_each(|(byte, of)| *byte = *of);
    Op::V128Const { value: i128::from_le_bytes(bytes).into() }
}

/// Proves the function in which calls end for this reason.
pub(super) fn ending(operators: &[Operator<'_>], reason: i64, fuel: u32) -> Proof<()> {
    let wanted = operators![I64Const { value: reason }, GlobalSet { global_index: fuel }, Unreachable, End];
    if operators == wanted { Ok(()) } else { Err(0) }
}

/// Proves the function that stands for an imported one of this name.
pub(super) fn stand_in(operators: &[Operator<'_>], name: &str, import: u32, added: Added) -> Proof<()> {
    let wanted = if name == "fuel" { fuel_left(added) } else { log(import, added) };
    if operators == wanted { Ok(()) } else { Err(0) }
}

/// It charges for the call, checks, and returns one unit less than is left.
fn fuel_left(Added { fuel, out_of_fuel, .. }: Added) -> Vec<Operator<'static>> {
    let price = -FUEL_CALL_FUEL.cast_signed();
    [
        &operators![GlobalGet { global_index: fuel }, I64Const { value: price }, I64Add][..],
        &operators![LocalTee { local_index: 0 }, I64Const { value: 1 }, I64LtS],
        &operators![If { blockty: BlockType::Empty }, Call { function_index: out_of_fuel }, Unreachable, End],
        &operators![LocalGet { local_index: 0 }, GlobalSet { global_index: fuel }],
        &operators![LocalGet { local_index: 0 }, I64Const { value: -1 }, I64Add, End],
    ]
    .concat()
}

/// It charges for the call and each byte, checks, and calls the log.
fn log(import: u32, Added { fuel, out_of_fuel, .. }: Added) -> Vec<Operator<'static>> {
    let at = |local_index| Op::LocalGet { local_index };
    let (call, byte) = (-LOG_CALL_FUEL.cast_signed(), -LOG_BYTE_FUEL.cast_signed());
    [
        &[at(1)][..],
        &operators![I64ExtendI32U, I64Const { value: byte }, I64Mul, GlobalGet { global_index: fuel }],
        &operators![I64Const { value: call }, I64Add, I64Add, LocalTee { local_index: 2 }],
        &operators![I64Const { value: 0 }, I64LtS],
        &operators![If { blockty: BlockType::Empty }, Call { function_index: out_of_fuel }, Unreachable, End],
        &[at(2)],
        &operators![GlobalSet { global_index: fuel }],
        &[at(0), at(1)],
        &operators![Call { function_index: import }, End],
    ]
    .concat()
}
