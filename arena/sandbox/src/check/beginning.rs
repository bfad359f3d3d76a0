//! How functions begin, which tells what linkers wrapped from what authors wrote.

use wasmparser::Operator;

/// How a function begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    /// With its end.
    Nothing,
    /// With a call of this function.
    Call(u32),
    /// With a condition, before it writes or calls anything: it asks whether it has anything to do.
    Question,
    /// With what decides nothing yet, so far.
    Open,
    Other,
}

impl Beginning {
    /// How a function begins with this operator.
    pub(super) fn with(operator: &Operator<'_>) -> Beginning {
        match operator {
            Operator::End => Beginning::Nothing,
            Operator::Call { function_index } => Beginning::Call(*function_index),
            _ => Beginning::Open,
        }
    }

    /// How it begins if this operator is the next, or the first.
    pub(super) fn follow(&mut self, operator: &Operator<'_>) {
        use Operator as O;
        if *self == Beginning::Open {
            *self = match operator {
                O::If { .. } | O::BrIf { .. } | O::BrTable { .. } => Beginning::Question,
                O::Call { .. } | O::CallIndirect { .. } => Beginning::Other,
                O::MemoryFill { .. } | O::MemoryCopy { .. } | O::MemoryInit { .. } => Beginning::Other,
                O::I32Store { .. } | O::I32Store8 { .. } | O::I32Store16 { .. } => Beginning::Other,
                O::I64Store { .. } | O::I64Store8 { .. } | O::I64Store16 { .. } => Beginning::Other,
                O::I64Store32 { .. } | O::V128Store { .. } => Beginning::Other,
                O::F32Store { .. } | O::F64Store { .. } => Beginning::Other,
                _ => Beginning::Open,
            };
        }
    }
}
