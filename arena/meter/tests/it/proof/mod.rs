//! An independent check of what the meter wrote, from its bytes alone: every path through it is charged, every round
//! and call is checked, the units of each frame are counted or bounded, and nothing of the bot's reaches the counters.
//! It shares the price table with the meter, and nothing else. Tests of the sandbox and a target of `fuzz` include it.

mod code;
mod nesting;

use wasmparser::{
    ExternalKind, FuncType, FuncValidatorAllocations, FunctionBody, GlobalType, Operator, Parser, Payload, TypeRef,
    ValType, ValidPayload, Validator,
};

use self::code::Function;
use arena_meter::{FUEL, Maxima, OUT_OF_FUEL, STACK, STACK_UNITS_MAX, START, TOO_DEEP, features};

/// Fuel for entering a function.
const ENTRY: i64 = 1;
/// A bulk operator whose length is a constant before it, and which costs no more than this for its length, is not
/// checked.
const SMALL_BULK_FUEL: i64 = 128;

macro_rules! table {
    (
        priced { $($price:literal: $($operator:ident)*;)* }
        usual { $($usual:literal: $($other:ident)*;)* }
        bulk { $($each:literal: $bulk:ident $name:ident;)* }
    ) => {
        /// The price of an operator.
        fn price(operator: &Operator<'_>) -> Option<i64> {
            match operator {
                $($(Operator::$operator { .. } => Some($price),)*)*
                $($(Operator::$other { .. } => Some($usual),)*)*
                _ => None,
            }
        }

        /// What it costs besides for each unit of its length.
        fn each(operator: &Operator<'_>) -> Option<i64> {
            match operator {
                $(Operator::$bulk { .. } => Some($each),)*
                _ => None,
            }
        }
    };
}

arena_meter::for_each_price!(table);

/// Why a module is not proven to be metered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unproven {
    /// It is not valid.
    #[error("it is not valid")]
    Invalid,
    /// Its globals for fuel and stack are not the last two, or have other types or values, or it has a start function.
    #[error("its counters are not as they should be")]
    Counters,
    /// It imports or exports what it should not.
    #[error("it imports or exports something else")]
    Outside,
    /// A memory or a table may grow further than the game allows.
    #[error("its memory or a table has no bound")]
    Sizes,
    /// Something besides the function for it names an import, or that function has another type.
    #[error("an import is named where it is not charged")]
    Import,
    /// Code that is not charged or not checked, or touches a counter.
    #[error("function {function} is not metered at operator {operator}")]
    Code {
        /// The function, by its index.
        function: u32,
        /// The place of the operator in it, from 0.
        operator: usize,
    },
    /// Functions that are not counted on the stack call each other in a circle.
    #[error("a recursion is not counted")]
    Recursion,
    /// A function does not count the units that the rule says, or is not counted though it may take many.
    #[error("function {function} takes other units of the stack than it counts")]
    Stack {
        /// The function, by its index.
        function: u32,
    },
}

/// What the meter appended, and where.
#[derive(Clone, Copy)]
struct Added {
    /// The global with the fuel; that with the stack's units is the next, if there is one.
    fuel: u32,
    /// The function in which calls end for want of fuel.
    out_of_fuel: u32,
    /// The one in which calls end that are nested too deeply, if functions are counted.
    too_deep: Option<u32>,
}

/// A metered module as the proof sees it.
#[derive(Default)]
struct Read<'a> {
    types: Vec<FuncType>,
    functions: Vec<u32>,
    imported: u32,
    /// The names of the imports.
    imports: Vec<&'a str>,
    globals: Vec<GlobalType>,
    /// The initial values.
    values: Vec<Vec<Operator<'a>>>,
    exports: Vec<(&'a str, ExternalKind, u32)>,
    /// Functions that segments and code refer to.
    named: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    starts: bool,
    /// The least size of each, and the most.
    memories: Vec<(u64, Option<u64>)>,
    tables: Vec<(u64, Option<u64>)>,
}

/// Proves that a module is metered. It holds for what the meter wrote.
///
/// # Errors
/// The first thing that keeps it from being proven.
pub(crate) fn prove(metered: &[u8], maxima: Maxima) -> Result<(), Unproven> {
    Validator::new_with_features(features()).validate_all(metered).map_err(|_| Unproven::Invalid)?;
    let mut read = Read::default();
    for payload in Parser::new(0).parse_all(metered) {
        let payload = payload.map_err(|_| Unproven::Invalid)?;
        read.section(payload).map_err(|_| Unproven::Invalid)?;
    }
    // What there was from the start may be more.
    let within =
        |bound: u64| move |(least, most): &(u64, Option<u64>)| most.is_some_and(|most| most <= bound.max(*least));
    let memories_are = read.memories.iter().all(within(maxima.memory_pages));
    if !memories_are || !read.tables.iter().all(within(maxima.table_elements)) {
        return Err(Unproven::Sizes);
    }
    let added = read.added()?;
    read.outside(added)?;
    let operands = operands(metered).map_err(|_| Unproven::Invalid)?;
    let (mut stacks, mut codes) = (Vec::new(), Vec::new());
    let imports = added.out_of_fuel - read.imported;
    let bodies = read.bodies.clone();
    for body in &bodies {
        let reader = body.get_operators_reader().map_err(|_| Unproven::Invalid)?;
        let operators: Vec<Operator<'_>> =
            reader.into_iter().collect::<Result<_, _>>().map_err(|_| Unproven::Invalid)?;
        read.note(&operators);
        codes.push(operators);
    }
    let function_of = |function: u32, index: usize| {
        let params = read.ty(function).ok_or(Unproven::Invalid)?.params();
        Ok(Function { operators: &codes[index], operands: &operands[index], params, body: &bodies[index] })
    };
    // What can be called by its number alone may leave it to its callers to charge.
    let mut straight = vec![None; read.functions.len()];
    for (function, index) in (read.imported..imports).zip(0..) {
        let is_exported = |(_, kind, at): &(&str, ExternalKind, u32)| *kind == ExternalKind::Func && *at == function;
        if !read.named.contains(&function) && !read.exports.iter().any(is_exported) {
            straight[function as usize] = code::straight(function_of(function, index)?, added).ok();
        }
    }
    let calls: Vec<Option<i64>> = straight.iter().map(|straight| straight.as_ref().map(|(fuel, _)| *fuel)).collect();
    for (function, index) in (read.imported..).zip(0..bodies.len()) {
        let unproven = |operator| Unproven::Code { function, operator };
        let operators = &codes[index];
        if function >= added.out_of_fuel {
            let reason = if function == added.out_of_fuel { OUT_OF_FUEL } else { TOO_DEEP };
            code::ending(operators, reason, added.fuel).map_err(unproven)?;
        } else if let Some(import) = function.checked_sub(imports) {
            if read.ty(import) != read.ty(function) {
                return Err(Unproven::Import);
            }
            code::stand_in(operators, read.imports[import as usize], import, added).map_err(unproven)?;
        } else {
            read.refers(operators)?;
            stacks.push(match straight[function as usize].take() {
                Some((_, stack)) => stack,
                None => code::function(function_of(function, index)?, added, &calls).map_err(unproven)?,
            });
        }
    }
    let is_own = |function: u32| (read.imported..added.out_of_fuel).contains(&function);
    if !read.named.iter().all(|function| is_own(*function)) {
        return Err(Unproven::Import);
    }
    nesting::prove(&read, &stacks)
}

/// Units of the operands on the stack after each operator of each function.
fn operands(metered: &[u8]) -> wasmparser::Result<Vec<Vec<u32>>> {
    let (mut validator, mut all) = (Validator::new_with_features(features()), Vec::new());
    for payload in Parser::new(0).parse_all(metered) {
        let ValidPayload::Func(function, body) = validator.payload(&payload?)? else { continue };
        let mut function = function.into_validator(FuncValidatorAllocations::default());
        function.read_locals(&mut body.get_binary_reader())?;
        let (mut operators, mut units) = (body.get_operators_reader()?, Vec::new());
        while !operators.eof() {
            let (operator, at) = operators.read_with_offset()?;
            function.op(at, &operator)?;
            let width = |depth| function.get_operand_type(depth).flatten().map_or(1, |ty| code::width(&ty));
            units.push((0..function.operand_stack_height() as usize).map(width).sum());
        }
        all.push(units);
    }
    Ok(all)
}

impl<'a> Read<'a> {
    fn section(&mut self, payload: Payload<'a>) -> wasmparser::Result<()> {
        match payload {
            Payload::TypeSection(groups) => {
                for group in groups {
                    self.types.extend(group?.into_types().map(|ty| ty.unwrap_func().clone()));
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    if let TypeRef::Func(ty) = import.ty {
                        self.functions.push(ty);
                    }
                    self.imported += 1;
                    self.imports.push(import.name);
                    if import.module != "arena" || !["log", "fuel"].contains(&import.name) {
                        self.exports.push((import.name, ExternalKind::Tag, 0));
                    }
                }
            }
            Payload::FunctionSection(types) => {
                for ty in types {
                    self.functions.push(ty?);
                }
            }
            Payload::GlobalSection(globals) => {
                for global in globals {
                    let global = global?;
                    self.globals.push(global.ty);
                    let value: Vec<Operator<'a>> =
                        global.init_expr.get_operators_reader().into_iter().collect::<Result<_, _>>()?;
                    self.note(&value);
                    self.values.push(value);
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    self.exports.push((export.name, export.kind, export.index));
                }
            }
            Payload::StartSection { .. } => self.starts = true,
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let memory = memory?;
                    self.memories.push((memory.initial, memory.maximum));
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    let table = table?.ty;
                    self.tables.push((table.initial, table.maximum));
                }
            }
            Payload::ElementSection(elements) => {
                for element in elements {
                    let element = element?;
                    match element.items {
                        // It holds nothing; what it declares is noted where code refers to it.
                        _ if matches!(element.kind, wasmparser::ElementKind::Declared) => {}
                        wasmparser::ElementItems::Functions(functions) => {
                            for function in functions {
                                self.named.push(function?);
                            }
                        }
                        wasmparser::ElementItems::Expressions(_, expressions) => {
                            for expression in expressions {
                                let operators = expression?.get_operators_reader().into_iter();
                                self.note(&operators.collect::<Result<Vec<_>, _>>()?);
                            }
                        }
                    }
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            _ => {}
        }
        Ok(())
    }

    /// The type of a function.
    fn ty(&self, function: u32) -> Option<&FuncType> {
        self.functions.get(function as usize).and_then(|ty| self.types.get(*ty as usize))
    }

    fn note(&mut self, operators: &[Operator<'_>]) {
        self.named.extend(operators.iter().filter_map(|operator| match operator {
            Operator::RefFunc { function_index } => Some(*function_index),
            _ => None,
        }));
    }

    /// Calls of imports are those of the functions that charge for them.
    fn refers(&self, operators: &[Operator<'_>]) -> Result<(), Unproven> {
        let imported = self.imported;
        let calls_import = |operator: &Operator<'_>| {
            let Operator::Call { function_index } = operator else { return false };
            *function_index < imported
        };
        if operators.iter().any(calls_import) { Err(Unproven::Import) } else { Ok(()) }
    }

    /// What was appended: the last globals and functions. The stack's units are counted if they are exported.
    fn added(&self) -> Result<Added, Unproven> {
        let has_stack = self.exports.iter().any(|(name, ..)| *name == STACK);
        let last = 1 + usize::from(has_stack);
        let fuel = self.globals.len().checked_sub(last).ok_or(Unproven::Counters)?;
        let mutable = |content_type| GlobalType { content_type, mutable: true, shared: false };
        let is_none = matches!(self.values[fuel][..], [Operator::I64Const { value: 0 }, Operator::End]);
        let is_room = |value: &Vec<Operator<'_>>| {
            matches!(value[..], [Operator::I32Const { value }, Operator::End]
                if value == STACK_UNITS_MAX.cast_signed())
        };
        let is_stack = self.globals[fuel + 1..].iter().all(|ty| *ty == mutable(ValType::I32));
        let are_so = self.globals[fuel] == mutable(ValType::I64) && is_stack;
        let room = self.values[fuel + 1..].iter().all(is_room);
        // After those of the bot and of its imports.
        let out_of_fuel = self.functions.len().checked_sub(last).ok_or(Unproven::Counters)? as u32;
        let are_there = out_of_fuel >= 2 * self.imported;
        if !is_none || !are_so || !room || !are_there || self.starts {
            return Err(Unproven::Counters);
        }
        Ok(Added { fuel: fuel as u32, out_of_fuel, too_deep: has_stack.then_some(out_of_fuel + 1) })
    }

    /// Only the contract's exports, the start and the counters leave the module; only the log and the fuel come in.
    fn outside(&self, Added { fuel, out_of_fuel, too_deep }: Added) -> Result<(), Unproven> {
        let (is_own, mut counters) = (|index: u32| (self.imported..out_of_fuel).contains(&index), 0);
        for (name, kind, index) in &self.exports {
            match (*name, kind) {
                ("memory", ExternalKind::Memory) => {}
                ("arena_observation" | "arena_turn" | "_initialize", ExternalKind::Func) if is_own(*index) => {}
                (START, ExternalKind::Func) if is_own(*index) => {}
                (FUEL, ExternalKind::Global) if *index == fuel => counters += 1,
                (STACK, ExternalKind::Global) if *index == fuel + 1 => counters += 1,
                _ => return Err(Unproven::Outside),
            }
        }
        if counters == 1 + u32::from(too_deep.is_some()) { Ok(()) } else { Err(Unproven::Outside) }
    }
}
