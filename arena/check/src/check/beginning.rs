//! What functions do first, which tells what linkers wrapped from what authors wrote, whatever an optimiser inlined.

use std::collections::BTreeMap;

use wasmparser::{FunctionBody, Operator};

/// What a function reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// Memory at this address.
    Memory(u64),
    Global(u32),
}

/// What is known of a value without running the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Unknown,
    /// A parameter of the function.
    Argument,
    Constant(u64),
    /// It was calculated from constants alone, as a loop's counter is.
    Calculated,
    /// It was read there, and perhaps calculated with.
    Read(Place),
}

/// What a function does, in the order of its text.
#[derive(Debug)]
pub(super) enum Event {
    /// It looks at its arguments.
    Argument,
    Reads(Place),
    /// It writes a value of so many bytes; to an unknown place, as to the stack, without one.
    Writes(Option<Place>, u64, Value),
    /// It goes one of two ways, by what it read there; `None` if that is unknown. How often a loop runs is no question
    /// where constants decide it.
    Asks(Option<Place>),
    /// It calls this function, with what is known of the arguments.
    Calls(u32, Vec<Value>),
}

macro_rules! arity {
    (arity custom) => {
        None
    };
    (arity $takes:literal -> $gives:literal) => {
        Some(($takes, $gives))
    };
}

macro_rules! arities {
    ($(@$proposal:ident $op:ident $({ $($argument:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
        /// How many operands an operator takes and gives; `None` if that depends on more than its name.
        fn arity(operator: &Operator<'_>) -> Option<(usize, usize)> {
            match operator {
                $(Operator::$op { .. } => arity!($($arity)*),)*
                _ => None,
            }
        }
    };
}

wasmparser::for_each_operator!(arities);

/// What a function with so many parameters does, as far as it can be read. `arity_of` has the number of parameters and
/// results of the functions that it calls.
pub(super) fn events(
    body: &FunctionBody<'_>,
    params: usize,
    arity_of: impl Fn(u32) -> Option<(usize, usize)>,
) -> Vec<Event> {
    let mut walk = Walk { params, ..Walk::default() };
    for operator in body.get_operators_reader().into_iter().flatten().map_while(Result::ok) {
        walk.step(&operator, &arity_of);
    }
    walk.events
}

#[derive(Default)]
struct Walk {
    params: usize,
    /// The known operands. Those that wait outside of a block are forgotten, and unknown when they are taken.
    operands: Vec<Value>,
    /// The locals that were set.
    locals: BTreeMap<u32, Value>,
    events: Vec<Event>,
}

impl Walk {
    fn step(&mut self, operator: &Operator<'_>, arity_of: impl Fn(u32) -> Option<(usize, usize)>) {
        use Operator as O;
        match operator {
            O::I32Const { value } => self.operands.push(Value::Constant(u64::from(value.cast_unsigned()))),
            O::LocalGet { local_index } => {
                let is_parameter = (*local_index as usize) < self.params;
                let unset = if is_parameter { Value::Argument } else { Value::Calculated };
                let value = *self.locals.get(local_index).unwrap_or(&unset);
                if value == Value::Argument {
                    self.events.push(Event::Argument);
                }
                self.operands.push(value);
            }
            O::LocalSet { local_index } | O::LocalTee { local_index } => {
                let value = self.take();
                self.locals.insert(*local_index, value);
                if let O::LocalTee { .. } = operator {
                    self.operands.push(value);
                }
            }
            O::GlobalGet { global_index } => self.reads(Some(Place::Global(*global_index))),
            O::GlobalSet { global_index } => {
                let value = self.take();
                self.events.push(Event::Writes(Some(Place::Global(*global_index)), 1, value));
            }
            O::I32Load { memarg }
            | O::I32Load8S { memarg }
            | O::I32Load8U { memarg }
            | O::I32Load16S { memarg }
            | O::I32Load16U { memarg }
            | O::I64Load { memarg }
            | O::I64Load8S { memarg }
            | O::I64Load8U { memarg }
            | O::I64Load16S { memarg }
            | O::I64Load16U { memarg }
            | O::I64Load32S { memarg }
            | O::V128Load { memarg }
            | O::I64Load32U { memarg }
            | O::F32Load { memarg }
            | O::F64Load { memarg } => {
                let place = place(self.take(), memarg.offset);
                self.reads(place);
            }
            O::I32Store { memarg }
            | O::I32Store8 { memarg }
            | O::I32Store16 { memarg }
            | O::I64Store { memarg }
            | O::I64Store8 { memarg }
            | O::I64Store16 { memarg }
            | O::I64Store32 { memarg }
            | O::F32Store { memarg }
            | O::F64Store { memarg }
            | O::V128Store { memarg } => {
                let (value, at) = (self.take(), self.take());
                self.events.push(Event::Writes(place(at, memarg.offset), 1 << memarg.max_align, value));
            }
            O::MemoryFill { .. } | O::MemoryCopy { .. } | O::MemoryInit { .. } => {
                let (bytes, value, at) = (self.take(), self.take(), self.take());
                let bytes = if let Value::Constant(bytes) = bytes { bytes } else { u64::MAX };
                self.events.push(Event::Writes(place(at, 0), bytes, value));
            }
            O::If { .. } | O::BrIf { .. } | O::BrTable { .. } => {
                match self.take() {
                    Value::Constant(_) | Value::Calculated => {}
                    Value::Read(place) => self.events.push(Event::Asks(Some(place))),
                    Value::Argument | Value::Unknown => self.events.push(Event::Asks(None)),
                }
                self.operands.clear();
            }
            O::Else | O::End => {
                self.operands.clear();
                for value in self.locals.values_mut() {
                    *value = match *value {
                        Value::Constant(_) | Value::Calculated => Value::Calculated,
                        Value::Argument => Value::Argument,
                        Value::Read(_) | Value::Unknown => Value::Unknown,
                    };
                }
            }
            _ => self.calculate(operator, arity_of),
        }
    }

    /// What only takes operands and gives others.
    fn calculate(&mut self, operator: &Operator<'_>, arity_of: impl Fn(u32) -> Option<(usize, usize)>) {
        match operator {
            Operator::Call { function_index } => {
                let (takes, gives) = arity_of(*function_index).unwrap_or((self.operands.len(), 0));
                let arguments = (0..takes).map(|_| self.take()).collect();
                self.events.push(Event::Calls(*function_index, arguments));
                self.operands.extend((0..gives).map(|_| Value::Unknown));
            }
            _ => match arity(operator) {
                Some((takes, gives)) => {
                    let taken: Vec<Value> = (0..takes).map(|_| self.take()).collect();
                    let is_known = |value: &Value| matches!(value, Value::Constant(_) | Value::Calculated);
                    let value = match taken.iter().find(|value| matches!(value, Value::Read(_))) {
                        Some(read) => *read,
                        None if counts(operator) && taken.iter().all(is_known) => Value::Calculated,
                        None => Value::Unknown,
                    };
                    self.operands.extend((0..gives).map(|_| value));
                }
                None => self.operands.clear(),
            },
        }
    }

    fn take(&mut self) -> Value {
        self.operands.pop().unwrap_or(Value::Unknown)
    }

    fn reads(&mut self, place: Option<Place>) {
        self.events.extend(place.map(Event::Reads));
        self.operands.push(place.map_or(Value::Unknown, Value::Read));
    }
}

/// Whether an operator counts and compares, as loops do, by its operands alone.
fn counts(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::I32Add
            | O::I32Sub
            | O::I32Mul
            | O::I32Shl
            | O::I32ShrS
            | O::I32ShrU
            | O::I32And
            | O::I32Or
            | O::I32Xor
            | O::I32Eqz
            | O::I32Eq
            | O::I32Ne
            | O::I32LtS
            | O::I32LtU
            | O::I32GtS
            | O::I32GtU
            | O::I32LeS
            | O::I32LeU
            | O::I32GeS
            | O::I32GeU
    )
}

/// Memory at an operand's address.
fn place(at: Value, offset: u64) -> Option<Place> {
    if let Value::Constant(at) = at { Some(Place::Memory(at.saturating_add(offset))) } else { None }
}
