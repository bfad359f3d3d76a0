//! The proof for one function: walks its operators once, with the fuel that is paid for and not yet used.

use wasmparser::{FunctionBody, Operator, ValType};

use arena_meter::{FRAME_UNITS, FUEL_CALL_FUEL, LOG_BYTE_FUEL, LOG_CALL_FUEL, OUT_OF_FUEL, TOO_DEEP};

use super::{ENTRY, SMALL_BULK_FUEL, each, price};

/// The place of the operator at which the proof fails.
type Proof<T> = Result<T, usize>;

use Operator as Op;

macro_rules! operators {
    ($($name:ident $({ $field:ident: $value:expr })?),* $(,)?) => { [$(Op::$name $({ $field: $value })?),*] };
}

struct Walk<'a, 'b> {
    operators: &'a [Operator<'b>],
    at: usize,
    /// The global with the fuel, and the local that stands for it.
    global: u32,
    local: u32,
    /// Units of the stack, if it is counted.
    units: Option<u32>,
    /// Fuel that is charged and not yet used.
    credit: i64,
    /// The local has another value than the global: a call has changed that.
    stale: bool,
    /// A loop has begun, or a call has returned in a function that is counted, and its check is next.
    unchecked: bool,
    open: Vec<Open>,
    /// Units of the operands on the stack after each operator, and the most after one of the bot's.
    operands: &'a [u32],
    most: u32,
}

struct Open {
    is_loop: bool,
    /// Its end is reached by other ways than through its code.
    is_joined: bool,
}

/// What a function takes of the stack.
pub(super) struct Stack {
    /// Units that it counts, if it does.
    pub(super) counted: Option<u32>,
    /// Units of its frame alone.
    pub(super) frame: u32,
}

/// Proves a function. `operands` has the units of the operands on the stack after each of its operators.
pub(super) fn function(
    operators: &[Operator<'_>],
    operands: &[u32],
    params: &[ValType],
    body: &FunctionBody<'_>,
    global: u32,
) -> Proof<Stack> {
    let mut walk = Walk {
        operators,
        at: 0,
        global,
        local: u32::MAX,
        units: None,
        credit: 0,
        stale: false,
        unchecked: false,
        open: Vec::new(),
        operands,
        most: 0,
    };
    let locals = locals(params, body).ok_or(0_usize)?;
    walk.prologue()?;
    if locals.get(walk.local as usize) != Some(&ValType::I64) || (walk.local as usize) < params.len() {
        return Err(0);
    }
    while !(walk.open.is_empty() && matches!(walk.next(), Some(Op::End))) {
        walk.step()?;
    }
    walk.expect(walk.credit == 0 && !walk.stale && !walk.unchecked)?;
    walk.epilogue()?;
    let slots: u32 = locals.iter().take(walk.local as usize).map(width).sum();
    Ok(Stack { counted: walk.units, frame: FRAME_UNITS + slots + walk.most })
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
    fn next(&self) -> Option<&Operator<'b>> {
        self.operators.get(self.at)
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
        let found = self.operators.get(self.at..self.at + wanted.len());
        self.expect(found == Some(wanted))?;
        self.at += wanted.len();
        Ok(())
    }

    /// Blocks, the stack's count and the charge for entering.
    fn prologue(&mut self) -> Proof<()> {
        let blocks = self.operators.iter().take_while(|operator| matches!(operator, Op::Block { .. })).count();
        let outer = self.operators.iter().take(blocks.saturating_sub(1));
        let empty = outer.filter(|operator| matches!(operator, Op::Block { blockty: wasmparser::BlockType::Empty }));
        self.expect(empty.count() + 1 == blocks && (blocks == 2 || blocks == 3))?;
        self.at = blocks;
        if blocks == 3 {
            let stack = self.global + 1;
            let Some(Op::I32Const { value }) = self.operators.get(self.at + 1) else { return Err(self.at) };
            let (value, is_charge) = (*value, *value < 0);
            self.expect(is_charge)?;
            self.take(&operators![GlobalGet { global_index: stack }, I32Const { value: value }, I32Add])?;
            self.take(&operators![GlobalSet { global_index: stack }, GlobalGet { global_index: stack }])?;
            self.take(&operators![I32Const { value: 0 }, I32LtS, BrIf { relative_depth: 2 }])?;
            self.units = Some(value.unsigned_abs());
        }
        let Some(Op::LocalTee { local_index }) = self.operators.get(self.at + 3) else { return Err(self.at) };
        self.local = *local_index;
        let Some(Op::I64Const { value }) = self.operators.get(self.at + 1) else { return Err(self.at) };
        self.credit = value.checked_neg().ok_or(self.at)? - ENTRY;
        self.expect(self.credit >= 0)?;
        self.take(&operators![GlobalGet { global_index: self.global }, I64Const { value: *value }, I64Add])?;
        self.check(1 - self.credit)
    }

    /// A check that something was left before the last charge.
    fn check(&mut self, least: i64) -> Proof<()> {
        let exhausted = self.open.len() as u32 + 1;
        self.take(&operators![LocalTee { local_index: self.local }, I64Const { value: least }, I64LtS])?;
        self.take(&operators![BrIf { relative_depth: exhausted }])
    }

    /// The fuel is written back and the stack given back, before a return.
    fn leave(&mut self) -> Proof<()> {
        let (fuel, stack) = (self.global, self.global + 1);
        self.take(&operators![LocalGet { local_index: self.local }, GlobalSet { global_index: fuel }])?;
        if let Some(units) = self.units {
            let value = units.cast_signed();
            self.take(&operators![GlobalGet { global_index: stack }, I32Const { value: value }, I32Add])?;
            self.take(&operators![GlobalSet { global_index: stack }])?;
        }
        self.take(&operators![Return])
    }

    fn epilogue(&mut self) -> Proof<()> {
        let fuel = self.global;
        self.measure(self.at);
        self.take(&operators![End])?;
        self.leave()?;
        self.take(&operators![End, I64Const { value: OUT_OF_FUEL }, GlobalSet { global_index: fuel }])?;
        self.take(&operators![Unreachable, End])?;
        if self.units.is_some() {
            self.take(&operators![I64Const { value: TOO_DEEP }, GlobalSet { global_index: fuel }, Unreachable, End])?;
        }
        self.expect(self.at == self.operators.len())
    }

    /// Takes the next of the meter's changes, or an operator of the bot's.
    fn step(&mut self) -> Proof<()> {
        let (local, global) = (self.local, self.global);
        let rest = &self.operators[self.at..];
        match rest {
            [Op::GlobalGet { global_index }, ..] if *global_index == global => {
                self.expect(self.stale && !self.unchecked)?;
                self.stale = false;
                // Where a recursion returns, fuel is checked, too.
                self.unchecked = self.units.is_some();
                self.at += 1;
                self.charge()
            }
            _ if self.stale => Err(self.at),
            [Op::LocalGet { local_index }, Op::GlobalSet { global_index }, next, ..]
                if *local_index == local && *global_index == global =>
            {
                self.expect(!self.unchecked)?;
                if !matches!(next, Op::Call { .. } | Op::CallIndirect { .. }) {
                    self.expect(self.credit == 0)?;
                    return self.leave();
                }
                self.measure(self.at + 2);
                self.at += 3;
                self.stale = true;
                self.pay(price(next))?;
                self.expect(self.credit == 0)
            }
            [Op::LocalGet { local_index }, Op::I64Const { value: 1 }, Op::I64LtS, Op::BrIf { relative_depth }, ..]
                if *local_index == local =>
            {
                self.expect(self.unchecked && *relative_depth == self.open.len() as u32 + 1)?;
                self.unchecked = false;
                self.at += 4;
                Ok(())
            }
            [Op::LocalGet { local_index }, ..] if *local_index == local => {
                self.at += 1;
                self.charge()
            }
            _ if self.unchecked => Err(self.at),
            [Op::LocalTee { local_index: length }, Op::LocalGet { .. }, Op::I64ExtendI32U, ..] if *length > local => {
                self.bulk(*length)
            }
            [operator, ..] => self.own(operator),
            [] => Err(self.at),
        }
    }

    /// The rest of a charge whose counter is on the stack.
    fn charge(&mut self) -> Proof<()> {
        self.expect(self.credit == 0)?;
        if let Some(Op::I64Const { value }) = self.next() {
            let value = *value;
            self.credit = value.checked_neg().ok_or(self.at)?;
            self.expect(self.credit > 0)?;
            self.take(&operators![I64Const { value: value }, I64Add])?;
        }
        if std::mem::take(&mut self.unchecked) {
            return self.check(1 - self.credit);
        }
        self.take(&operators![LocalSet { local_index: self.local }])
    }

    /// A bulk operator that is charged by its length.
    fn bulk(&mut self, length: u32) -> Proof<()> {
        let Some(operator) = self.operators.get(self.at + 11) else { return Err(self.at) };
        let each = each(operator).ok_or(self.at)?;
        self.take(&operators![LocalTee { local_index: length }, LocalGet { local_index: length }, I64ExtendI32U])?;
        self.take(&operators![I64Const { value: -each }, I64Mul, LocalGet { local_index: self.local }, I64Add])?;
        self.check(1)?;
        self.at += 1;
        self.pay(price(operator))?;
        self.expect(self.credit == 0)
    }

    /// Uses what an operator costs.
    fn pay(&mut self, price: Option<i64>) -> Proof<()> {
        self.credit -= price.ok_or(self.at)?;
        self.expect(self.credit >= 0)
    }

    /// An operator of the bot's.
    fn own(&mut self, operator: &Operator<'b>) -> Proof<()> {
        self.pay(price(operator))?;
        if let Some(each) = each(operator) {
            // A small one, whose length is a constant, is paid for with the code around it.
            let before = self.at.checked_sub(1).and_then(|at| self.operators.get(at));
            let Some(Op::I32Const { value }) = before else { return Err(self.at) };
            let fuel = each * i64::from(value.cast_unsigned());
            self.expect(fuel <= SMALL_BULK_FUEL)?;
            self.pay(Some(fuel))?;
        }
        let depth = self.open.len() as u32;
        match operator {
            Op::LocalGet { local_index } | Op::LocalSet { local_index } | Op::LocalTee { local_index } => {
                self.expect(*local_index < self.local)?;
            }
            Op::GlobalGet { global_index } | Op::GlobalSet { global_index } => {
                self.expect(*global_index < self.global)?;
            }
            Op::Call { .. } | Op::CallIndirect { .. } | Op::Return => return Err(self.at),
            Op::Block { .. } => self.open.push(Open { is_loop: false, is_joined: false }),
            Op::Loop { .. } => {
                self.expect(self.credit == 0)?;
                self.unchecked = true;
                self.open.push(Open { is_loop: true, is_joined: false });
            }
            Op::If { .. } => {
                self.expect(self.credit == 0)?;
                self.open.push(Open { is_loop: false, is_joined: true });
            }
            Op::Else | Op::Unreachable => self.expect(self.credit == 0)?,
            Op::End => {
                let closed = self.open.pop().ok_or(self.at)?;
                self.expect(!closed.is_joined || closed.is_loop || self.credit == 0)?;
            }
            Op::Br { relative_depth } | Op::BrIf { relative_depth } => self.branch(*relative_depth, depth)?,
            Op::BrTable { targets } => {
                self.branch(targets.default(), depth)?;
                for target in targets.targets() {
                    self.branch(target.map_err(|_| self.at)?, depth)?;
                }
            }
            _ => {}
        }
        self.measure(self.at);
        self.at += 1;
        self.canonical(operator)
    }

    /// A branch: all that was charged is used, and it leads to a block of the bot's or out of its code.
    fn branch(&mut self, to: u32, depth: u32) -> Proof<()> {
        self.expect(self.credit == 0 && to <= depth)?;
        let at = (depth - to).checked_sub(1);
        if let Some(open) = at.and_then(|at| self.open.get_mut(at as usize)) {
            open.is_joined = true;
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
        let Some(Op::LocalTee { local_index }) = self.next() else { return Err(self.at) };
        let local = *local_index;
        self.expect(local > self.local)?;
        let get = || Op::LocalGet { local_index: local };
        self.take(&[Op::LocalTee { local_index: local }, nan, get(), get(), equal, choose])
    }
}

/// A constant vector of equal numbers.
fn vector(number: &[u8]) -> Operator<'static> {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(number.iter().cycle()).for_each(|(byte, of)| *byte = *of);
    Op::V128Const { value: i128::from_le_bytes(bytes).into() }
}

/// Proves the function that stands for an imported one of this name.
pub(super) fn stand_in(operators: &[Operator<'_>], name: &str, import: u32, fuel: u32) -> Proof<()> {
    let wanted = if name == "fuel" { fuel_left(fuel) } else { log(import, fuel) };
    if operators == wanted { Ok(()) } else { Err(0) }
}

/// It charges for the call, checks, and returns one unit less than is left.
fn fuel_left(fuel: u32) -> Vec<Operator<'static>> {
    let (empty, price) = (wasmparser::BlockType::Empty, -FUEL_CALL_FUEL.cast_signed());
    [
        &operators![Block { blockty: empty }, GlobalGet { global_index: fuel }, I64Const { value: price }, I64Add][..],
        &operators![LocalTee { local_index: 0 }, I64Const { value: 1 }, I64LtS, BrIf { relative_depth: 0 }],
        &operators![LocalGet { local_index: 0 }, GlobalSet { global_index: fuel }],
        &operators![LocalGet { local_index: 0 }, I64Const { value: -1 }, I64Add, Return, End],
        &operators![I64Const { value: OUT_OF_FUEL }, GlobalSet { global_index: fuel }, Unreachable, End],
    ]
    .concat()
}

/// It charges for the call and each byte, checks, and calls the log.
fn log(import: u32, fuel: u32) -> Vec<Operator<'static>> {
    let (empty, at) = (wasmparser::BlockType::Empty, |local_index| Op::LocalGet { local_index });
    let (call, byte) = (-LOG_CALL_FUEL.cast_signed(), -LOG_BYTE_FUEL.cast_signed());
    [
        &operators![Block { blockty: empty }][..],
        &[at(1)],
        &operators![I64ExtendI32U, I64Const { value: byte }, I64Mul, GlobalGet { global_index: fuel }],
        &operators![I64Const { value: call }, I64Add, I64Add, LocalTee { local_index: 2 }],
        &operators![I64Const { value: 0 }, I64LtS, BrIf { relative_depth: 0 }],
        &[at(2)],
        &operators![GlobalSet { global_index: fuel }],
        &[at(0), at(1)],
        &operators![Call { function_index: import }, Return, End, I64Const { value: OUT_OF_FUEL }],
        &operators![GlobalSet { global_index: fuel }, Unreachable, End],
    ]
    .concat()
}
