//! The second pass: validation, and what can be measured only with types: the depth of the operand stack, the number of
//! values that blocks and calls carry, and the weight, which is about the time of compiling.

use std::fmt::Display;

use arena_meter::features;
use arena_record::Said;
use wasmparser::{
    BinaryReaderError, BlockType, CompositeInnerType, FromReader, FuncToValidate, FuncValidatorAllocations,
    FunctionBody, Operator, Parser, Payload, SectionLimited, ValidPayload, Validator, ValidatorResources, WasmFeatures,
    WasmModuleResources,
};

use super::Code;
use super::lengths::readable;
use crate::refusal::Refusal;
use crate::sentences::*;
use crate::*;

/// Why a module fails the pass.
pub(super) enum Fault {
    /// It is invalid, or uses features that bots may not use.
    Invalid(BinaryReaderError),
    /// It would take too long to compile.
    TooComplex(Refusal),
}

impl From<BinaryReaderError> for Fault {
    fn from(error: BinaryReaderError) -> Fault {
        Fault::Invalid(error)
    }
}

/// Validates the module under the allowed features; returns the weight of all its functions.
///
/// # Errors
/// The first fault; faults of the whole module come before those of a function.
pub(super) fn validate(bytes: &[u8]) -> Result<u64, Fault> {
    let mut validator = Validator::new_with_features(features());
    // Some proposals are recognised only while bytes are decoded.
    let mut parser = Parser::new(0);
    parser.set_features(features());
    let mut bodies = Vec::new();
    for payload in parser.parse_all(bytes) {
        if let ValidPayload::Func(function, body) = validator.payload(&payload?)? {
            bodies.push((function, body));
        }
    }
    let mut allocations = FuncValidatorAllocations::default();
    let mut all = Work::default();
    for (function, body) in bodies {
        allocations = validate_body(bytes, function, &body, allocations, &mut all)?;
    }
    Ok(all.weight)
}

/// The weight of a module: about the time of compiling it, relative to that of a constant. It is 0 for what is no valid
/// module, and is not compiled; and more than [`COMPILE_WEIGHT_TOTAL_MAX`] for one that is too complex.
pub fn compile_weight(module: &[u8]) -> u64 {
    match validate(module) {
        Ok(weight) => weight,
        Err(Fault::TooComplex(_)) => COMPILE_WEIGHT_TOTAL_MAX + 1,
        Err(Fault::Invalid(_)) => 0,
    }
}

/// Why bytes are no valid module, whatever features it uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// What is wrong, in words.
    pub message: String,
    /// Where, as far as is known.
    pub place: Option<Place>,
}

/// A place in a module. All numbers are from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// An operator of a function, which is counted among those that the module defines.
    Operator {
        /// The function.
        function: usize,
        /// The operator in it; one more than there are at its end.
        operator: usize,
    },
    /// An entry of a section, by its id in the binary format.
    Entry {
        /// The section.
        section: u8,
        /// The entry.
        at: usize,
    },
}

/// Where a module is invalid: for an author who wrote it by hand.
pub fn invalid(bytes: &[u8]) -> Option<Invalid> {
    let bytes = readable(bytes);
    let error = Validator::new_with_features(WasmFeatures::all()).validate_all(bytes).err()?;
    let bodies = Parser::new(0).parse_all(bytes).map_while(Result::ok).filter_map(|payload| match payload {
        Payload::CodeSectionEntry(body) => Some(body),
        _ => None,
    });
    let mut operators = bodies.enumerate().filter_map(|(function, body)| {
        let offsets = body.get_operators_reader().ok()?.into_iter_with_offsets().map_while(Result::ok);
        let operator = body
            .range()
            .contains(&error.offset())
            .then(|| offsets.take_while(|(_, at)| *at < error.offset()).count())?;
        Some(Place::Operator { function, operator })
    });
    let place = operators.next().or_else(|| entry(bytes, error.offset()));
    Some(Invalid { message: error.message().into(), place })
}

/// The entry of a section at an offset.
fn entry(bytes: &[u8], offset: usize) -> Option<Place> {
    fn last<'a, T: FromReader<'a>>(section: u8, reader: SectionLimited<'a, T>, offset: usize) -> Option<Place> {
        let is_here = reader.range().contains(&offset);
        let entries = reader.into_iter_with_offsets().map_while(Result::ok);
        let before = entries.take_while(|(at, _)| *at <= offset).count();
        is_here.then(|| Place::Entry { section, at: before.saturating_sub(1) })
    }
    Parser::new(0).parse_all(bytes).map_while(Result::ok).find_map(|payload| match payload {
        Payload::ImportSection(reader) => last(2, reader, offset),
        Payload::FunctionSection(reader) => last(3, reader, offset),
        Payload::TableSection(reader) => last(4, reader, offset),
        Payload::MemorySection(reader) => last(5, reader, offset),
        Payload::GlobalSection(reader) => last(6, reader, offset),
        Payload::ExportSection(reader) => last(7, reader, offset),
        Payload::ElementSection(reader) => last(9, reader, offset),
        Payload::DataSection(reader) => last(11, reader, offset),
        _ => None,
    })
}

/// Measures that determine the time of compiling, summed over the module.
#[derive(Default)]
struct Work {
    weight: u64,
    carried: u64,
}

/// Weighs a function, operator by operator.
struct Weigher {
    operators: u64,
    /// Locals and waiting operands, summed over the ways that the control flow may take.
    alive: u64,
    /// Values that are merged, for each way that leads to where they are.
    merged: u64,
    /// The same of each local, and the sum of their squares.
    merged_of: Vec<u64>,
    squares: u64,
    /// The open blocks, the function's body first.
    open: Vec<Block>,
}

#[derive(Default)]
struct Block {
    /// The locals that are set in it, a bit each: no function has more than a thousand.
    set: [u64; LOCALS_MAX.div_ceil(64) as usize],
    is_loop: bool,
    /// Ways that meet at its label: branches, and code that runs on. A single one merges nothing.
    ways: u64,
}

impl Weigher {
    fn new() -> Weigher {
        Weigher { operators: 0, alive: 0, merged: 0, merged_of: Vec::new(), squares: 0, open: vec![Block::default()] }
    }

    /// Takes the next operator, the code that begins with it, and the number of locals and waiting operands; `runs_on`
    /// if the code before it may run on to it.
    fn take(
        &mut self,
        operator: &Operator<'_>,
        code: &[u8],
        alive: u64,
        runs_on: bool,
    ) -> Result<(), BinaryReaderError> {
        self.operators += weight(code);
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                self.alive += alive;
                let is_loop = matches!(operator, Operator::Loop { .. });
                // A loop is entered, and an if is passed by, unless there is an else.
                let ways = u64::from(is_loop || matches!(operator, Operator::If { .. }));
                self.open.push(Block { is_loop, ways, ..Block::default() });
            }
            Operator::Else => {
                self.alive += alive;
                if let Some(block) = self.open.last_mut() {
                    block.ways = block.ways.saturating_sub(1) + u64::from(runs_on);
                }
            }
            Operator::Return => self.alive += alive,
            // What is alive across a call waits in memory.
            Operator::Call { .. } | Operator::CallIndirect { .. } => self.operators += alive / COMPILE_ALIVE_DIVISOR,
            Operator::MemoryGrow { .. } | Operator::MemoryFill { .. } | Operator::MemoryCopy { .. } => {
                self.operators += alive / COMPILE_ALIVE_DIVISOR;
            }
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => self.branch(*relative_depth, alive),
            Operator::BrTable { targets } => {
                self.branch(targets.default(), alive);
                for target in targets.targets() {
                    self.branch(target?, alive);
                }
            }
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                let word = self.open.last_mut().and_then(|block| block.set.get_mut(*local_index as usize / 64));
                if let Some(word) = word {
                    *word |= 1 << (local_index % 64);
                }
            }
            Operator::End => {
                let Some(closed) = self.open.pop() else { return Ok(()) };
                let Some(around) = self.open.last_mut() else { return Ok(()) };
                around.set.iter_mut().zip(closed.set).for_each(|(around, closed)| *around |= closed);
                let ways = closed.ways + u64::from(runs_on && !closed.is_loop);
                for (number, word) in (0..).step_by(64).zip(closed.set).filter(|_| ways > 1) {
                    self.merge(number, word, ways);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn branch(&mut self, depth: u32, alive: u64) {
        self.alive += alive;
        let at = self.open.len().checked_sub(1 + depth as usize);
        if let Some(block) = at.and_then(|at| self.open.get_mut(at)) {
            block.ways += 1;
        }
    }

    /// Merges the locals of a word, the first of which has this number, for each of so many ways.
    fn merge(&mut self, first: usize, mut word: u64, ways: u64) {
        while word != 0 {
            let local = first + word.trailing_zeros() as usize;
            word &= word - 1;
            if local >= self.merged_of.len() {
                self.merged_of.resize(local + 1, 0);
            }
            let merged = &mut self.merged_of[local];
            self.squares += ways * (2 * *merged + ways);
            *merged += ways;
            self.merged += ways;
        }
    }

    /// The weight of what was taken.
    fn weight(&self) -> u64 {
        let merged = self.merged
            + self.merged.saturating_mul(self.merged) / COMPILE_MERGED_DIVISOR
            + self.squares / COMPILE_MERGED_OFTEN_DIVISOR;
        COMPILE_WEIGHT_OF_FUNCTION + self.operators + COMPILE_WEIGHT_OF_ALIVE * self.alive + merged
    }
}

fn validate_body(
    module: &[u8],
    function: FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
    allocations: FuncValidatorAllocations,
    all: &mut Work,
) -> Result<FuncValidatorAllocations, Fault> {
    let mut validator = function.into_validator(allocations);
    validator.read_locals(&mut body.get_binary_reader())?;
    let mut operators = body.get_operators_reader()?;
    let (lighter, mut weigher) = (all.weight, Weigher::new());
    while !operators.eof() {
        let (operator, offset) = operators.read_with_offset()?;
        let complex = |message: Said| Err(Fault::TooComplex(Refusal::new(Code::TooComplex, message).at(offset)));
        let (popped, pushed) = operator.operator_arity(&validator.visitor(offset)).unwrap_or_default();
        let runs_on = validator.get_control_frame(0).is_some_and(|frame| !frame.unreachable);
        validator.op(offset, &operator)?;

        let operands = validator.operand_stack_height();
        if operands > OPERANDS_MAX {
            return complex(OPERANDS.with(&[("most", &OPERANDS_MAX)]));
        }
        if let Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } = operator {
            let values = values_of(blockty, validator.resources());
            if values > CARRIED_MAX {
                return complex(BLOCK_VALUES.with(&[("values", &values), ("most", &CARRIED_MAX)]));
            }
            all.carried += values as u64;
        }
        all.carried += match &operator {
            Operator::Br { .. } | Operator::Return => popped.into(),
            Operator::BrIf { .. } => pushed.into(),
            // The index is not carried; the default target is one more.
            Operator::BrTable { targets } => u64::from(popped.saturating_sub(1)) * (u64::from(targets.len()) + 1),
            // A single result stays in a register.
            Operator::Call { .. } | Operator::CallIndirect { .. } => pushed.saturating_sub(1).into(),
            _ => 0,
        };
        if all.carried > CARRIED_TOTAL_MAX {
            return complex(CARRIED.with(&[("most", &CARRIED_TOTAL_MAX)]));
        }
        let alive = u64::from(validator.len_locals()) + u64::from(operands);
        weigher.take(&operator, module.get(offset..).unwrap_or_default(), alive, runs_on)?;
        let weight = weigher.weight();
        all.weight = lighter + weight;
        if weight > COMPILE_WEIGHT_MAX || all.weight > COMPILE_WEIGHT_TOTAL_MAX {
            let most: [(&str, &dyn Display); 2] =
                [("most", &COMPILE_WEIGHT_MAX), ("most_in_all", &COMPILE_WEIGHT_TOTAL_MAX)];
            return complex(COMPILE_WEIGHT.with(&most));
        }
    }
    operators.finish()?;
    Ok(validator.into_allocations())
}

/// The version of the weights below, increased with each change: what is accepted depends on them.
pub(crate) const WEIGHTS: u64 = 3;
/// Offsets of memory accesses from which the engine compares each address with the memory's end: no bot's memory is as
/// large.
const FAR: u64 = 16 << 20;
/// The weight of such an access.
const FAR_WEIGHT: u64 = 60;

/// The longest time of compiling the operator with which this code begins, relative to that of a constant. Checks of
/// bounds and of NaNs, calls and branches become many instructions, however short their encoding is, and so do vectors
/// for which processors have no instruction. `tests/it/night/costly.rs` looks for what weighs too little.
fn weight(code: &[u8]) -> u64 {
    let Some((opcode, rest)) = code.split_first() else { return 0 };
    match *opcode {
        // loop
        0x03 => 200,
        // memory.grow
        0x40 => 100,
        // call_indirect, table.get
        0x11 | 0x25 => 80,
        // if, else, br, br_if, br_table
        0x04 | 0x05 | 0x0c..=0x0e => 40,
        0xfc => match number(rest).0 {
            // conversions that do not trap, table.size
            0..=7 | 16 => 30,
            // table.grow
            15 => 100,
            // other bulk memory and tables
            _ => 80,
        },
        // call, table.set
        0x10 | 0x26 => 25,
        0x28..=0x35 => access(rest, 16),
        0x36..=0x3e => access(rest, 8),
        // ceil, floor, trunc and nearest
        0x8d..=0x90 | 0x9b..=0x9e => 20,
        // block; division and remainder; arithmetic of floats, and conversions from and to them
        0x02 | 0x6d..=0x70 | 0x7f..=0x82 | 0x8b..=0xa6 | 0xa8..=0xab | 0xae..=0xbb => 12,
        // memory.size; references; clz, ctz and popcnt
        0x3f | 0xd0..=0xd2 | 0x67..=0x69 | 0x79..=0x7b => 8,
        // select
        0x1b | 0x1c => 5,
        // comparisons
        0x45..=0x66 => 2,
        0xfd => vector(rest),
        _ => 1,
    }
}

/// The same for an operator on vectors, without its first byte.
fn vector(code: &[u8]) -> u64 {
    let (opcode, rest) = number(code);
    match opcode {
        // loads, and loads of a lane
        0..=10 | 84..=87 | 92 | 93 => access(rest, 16),
        // stores
        11 | 88..=91 => access(rest, 8),
        // constants
        12 => 2,
        // popcnt, q15mulr_sat, abs and mul of i64x2; min and max of floats; conversions from and to floats
        98 | 130 | 192 | 213 | 232 | 233 | 244 | 245 | 94 | 95 | 248..=255 => 24,
        // other arithmetic of floats, and rounding
        103..=106 | 116 | 117 | 122 | 148 | 224..=247 => 12,
        _ => 8,
    }
}

/// The weight of an access to memory, by its address beyond the operand.
fn access(code: &[u8], near: u64) -> u64 {
    let (align, rest) = number(code);
    // A number of a memory stands between them where there are several, which the validator refuses.
    let (offset, _) = number(rest);
    if align < 64 && offset < FAR { near } else { FAR_WEIGHT }
}

/// The number with which this code begins, and what follows it.
fn number(code: &[u8]) -> (u64, &[u8]) {
    let length = code.iter().position(|byte| byte & 0x80 == 0).map_or(code.len(), |last| last + 1);
    let (bytes, rest) = code.split_at(length.min(10));
    let number = bytes.iter().rev().fold(0, |number: u64, byte| number << 7 | u64::from(byte & 0x7f));
    (number, rest)
}

/// Parameters and results of a block.
fn values_of(block: BlockType, resources: &ValidatorResources) -> usize {
    match block {
        BlockType::Empty => 0,
        BlockType::Type(_) => 1,
        BlockType::FuncType(index) => match resources.sub_type_at(index).map(|ty| &ty.composite_type.inner) {
            Some(CompositeInnerType::Func(ty)) => ty.params().len() + ty.results().len(),
            _ => 0,
        },
    }
}
