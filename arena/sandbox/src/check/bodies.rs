//! The second pass: validation, and what can be measured only with types: the depth of the operand stack, the number of values that
//! blocks and calls carry, and how many are alive across branches.

use wasmparser::{
    BinaryReaderError, BlockType, CompositeInnerType, FuncToValidate, FuncValidatorAllocations, FunctionBody, Operator,
    Parser, Payload, ValidPayload, Validator, ValidatorResources, WasmModuleResources,
};

use super::{Code, allowed_features};
use crate::refusal::Refusal;
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

/// Validates the module under the allowed features.
///
/// # Errors
/// The first fault; faults of the whole module come before those of a function.
pub(super) fn validate(bytes: &[u8]) -> Result<(), Fault> {
    let mut validator = Validator::new_with_features(allowed_features());
    // Some proposals are recognised only while bytes are decoded.
    let mut parser = Parser::new(0);
    parser.set_features(allowed_features());
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
    Ok(())
}

/// Measures that determine the time of compiling, summed over the module.
#[derive(Default)]
struct Work {
    weight: u64,
    carried: u64,
    alive_by_control: u64,
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
    let (before, lighter) = (all.alive_by_control, all.weight);
    while !operators.eof() {
        let (operator, offset) = operators.read_with_offset()?;
        let complex = |message: String| Err(Fault::TooComplex(Refusal::new(Code::TooComplex, message).at(offset)));
        let (popped, pushed) = operator.operator_arity(&validator.visitor(offset)).unwrap_or_default();
        validator.op(offset, &operator)?;

        all.weight += module.get(offset).map_or(0, |opcode| weight(*opcode));
        if all.weight - lighter > COMPILE_WEIGHT_MAX || all.weight > COMPILE_WEIGHT_TOTAL_MAX {
            return complex(format!(
                "operators that weigh more than {COMPILE_WEIGHT_MAX} in a function, or {COMPILE_WEIGHT_TOTAL_MAX} in all"
            ));
        }

        let operands = validator.operand_stack_height();
        if operands > OPERANDS_MAX {
            return complex(format!("more than {OPERANDS_MAX} operands on the stack"));
        }
        if let Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } = operator {
            let values = values_of(blockty, validator.resources());
            if values > CARRIED_MAX {
                return complex(format!("a block with {values} parameters and results; {CARRIED_MAX} are allowed"));
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
            return complex(format!("more than {CARRIED_TOTAL_MAX} values carried by blocks, branches and calls"));
        }
        let alive = u64::from(validator.len_locals()) + u64::from(operands);
        all.alive_by_control += alive * branches(&operator);
        if all.alive_by_control - before > ALIVE_BY_CONTROL_MAX || all.alive_by_control > ALIVE_BY_CONTROL_TOTAL_MAX {
            return complex(format!(
                "a function with {alive} locals and operands across so many branches that it takes too long to compile"
            ));
        }
    }
    operators.finish()?;
    Ok(validator.into_allocations())
}

/// The weight of all operators of a module, as far as it can be read: about the time of compiling it, relative to that of a
/// constant. At most [`COMPILE_WEIGHT_TOTAL_MAX`] for a module that passes [`check`](crate::check).
pub fn compile_weight(module: &[u8]) -> u64 {
    let mut parser = Parser::new(0);
    parser.set_features(allowed_features());
    let bodies = parser.parse_all(module).map_while(Result::ok).filter_map(|payload| match payload {
        Payload::CodeSectionEntry(body) => body.get_operators_reader().ok(),
        _ => None,
    });
    let offsets = bodies.flat_map(|body| body.into_iter_with_offsets().map_while(Result::ok));
    offsets.filter_map(|(_, offset)| module.get(offset)).map(|opcode| weight(*opcode)).sum()
}

/// The longest time of compiling an operator, relative to that of a constant, measured with modules full of it. Checks of bounds
/// and of NaNs, calls and branches become many instructions, however short their encoding is.
fn weight(opcode: u8) -> u64 {
    match opcode {
        // loop
        0x03 => 200,
        // if, else, br, br_if, br_table
        0x04 | 0x05 | 0x0c..=0x0e => 40,
        // bulk memory and tables, and conversions that do not trap
        0xfc => 30,
        // call, call_indirect, table.get, table.set
        0x10 | 0x11 | 0x25 | 0x26 => 20,
        // loads
        0x28..=0x35 => 16,
        // stores, memory.size, memory.grow
        0x36..=0x40 => 8,
        // block; division and remainder; arithmetic of floats, and conversions from and to them
        0x02 | 0x6d..=0x70 | 0x7f..=0x82 | 0x8b..=0xa6 | 0xa8..=0xab | 0xae..=0xbb => 12,
        // references
        0xd0..=0xd2 => 8,
        // vectors
        0xfd => 4,
        _ => 1,
    }
}

/// The number of control-flow edges that an operator creates.
fn branches(operator: &Operator<'_>) -> u64 {
    match operator {
        Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } | Operator::Else => 1,
        Operator::Br { .. } | Operator::BrIf { .. } | Operator::Return => 1,
        Operator::BrTable { targets } => u64::from(targets.len()) + 1,
        _ => 0,
    }
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
