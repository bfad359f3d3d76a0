//! The first pass: validates the module, and notes where its code is to be changed.

use std::collections::BTreeSet;

use wasmparser::{
    BinaryReaderError, Data, DataKind, Element, ElementItems, ElementKind, FuncToValidate, FuncType,
    FuncValidatorAllocations, FunctionBody, Operator, Parser, Payload, TypeRef, ValType, ValidPayload, Validator,
    ValidatorResources,
};

use crate::marks::{Marked, Marks};
use crate::prices::ENTRY;
use crate::{Checks, FRAME_UNITS, LINES, MeterError, features};

/// A function that bots may import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Import {
    /// `arena.log`
    Log,
    /// `arena.fuel`
    Fuel,
}

impl Import {
    fn named(module: &str, name: &str) -> Option<Import> {
        match (module, name) {
            ("arena", "log") => Some(Import::Log),
            ("arena", "fuel") => Some(Import::Fuel),
            _ => None,
        }
    }

    fn ty(self) -> FuncType {
        match self {
            Import::Log => FuncType::new([ValType::I32, ValType::I32], []),
            Import::Fuel => FuncType::new([], [ValType::I64]),
        }
    }
}

/// The type of the function that bots may import by this name, if there is one.
pub fn import_type(module: &str, name: &str) -> Option<FuncType> {
    Import::named(module, name).map(Import::ty)
}

/// What is known of a module besides its bytes.
#[derive(Default)]
pub(crate) struct Facts<'a> {
    pub(crate) types: Vec<FuncType>,
    /// The type of each function, imported ones first.
    pub(crate) functions: Vec<u32>,
    pub(crate) imports: Vec<Import>,
    pub(crate) globals: u32,
    /// What each function uses is counted.
    pub(crate) counts: bool,
    /// The start function.
    pub(crate) start: Option<u32>,
    /// Functions of which there are references, so that any indirect call may call them.
    pub(crate) taken: BTreeSet<u32>,
    pub(crate) bodies: Vec<Body<'a>>,
    /// Fuel for active data segments.
    data_fuel: u64,
}

/// A function that the module defines.
pub(crate) struct Body<'a> {
    pub(crate) body: FunctionBody<'a>,
    /// Where its code is to be changed, in order.
    pub(crate) marked: Marked,
    /// Parameters and locals.
    pub(crate) locals: u32,
    /// Units of the stack for a call of it alone.
    pub(crate) units: u32,
    /// Functions that it calls.
    pub(crate) calls: BTreeSet<u32>,
    /// Types of which it calls functions indirectly.
    pub(crate) indirect: BTreeSet<u32>,
}

impl<'a> Facts<'a> {
    /// Reads a module.
    ///
    /// # Errors
    /// When it is not valid, or has what no bot may have.
    pub(crate) fn read(module: &'a [u8], checks: Checks) -> Result<Facts<'a>, MeterError> {
        let mut validator = Validator::new_with_features(features());
        let (mut facts, mut bodies) = (Facts::default(), Vec::new());
        facts.counts = checks == Checks::Everywhere;
        let mut parser = Parser::new(0);
        parser.set_features(features());
        for payload in parser.parse_all(module) {
            let payload = payload?;
            if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
                bodies.push((function, body));
            }
            facts.section(payload)?;
        }
        let mut allocations = FuncValidatorAllocations::default();
        for (function, body) in bodies {
            allocations = facts.body(function, body, allocations, checks)?;
        }
        Ok(facts)
    }

    fn section(&mut self, payload: Payload<'a>) -> Result<(), MeterError> {
        match payload {
            Payload::TypeSection(groups) => {
                for group in groups {
                    self.types.extend(group?.into_types().map(|ty| ty.unwrap_func().clone()));
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    self.import(import?)?;
                }
            }
            Payload::FunctionSection(types) => {
                for ty in types {
                    self.functions.push(ty?);
                }
            }
            Payload::GlobalSection(globals) => {
                self.globals = globals.count();
                for global in globals {
                    self.take(global?.init_expr.get_operators_reader().into_iter())?;
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    self.counts &= export?.name != LINES;
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(elements) => elements.into_iter().try_for_each(|element| self.element(element?))?,
            Payload::DataSection(segments) => {
                for segment in segments {
                    if let Data { kind: DataKind::Active { .. }, data, .. } = segment? {
                        self.data_fuel += 1 + data.len() as u64;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn import(&mut self, import: wasmparser::Import<'_>) -> Result<(), MeterError> {
        let TypeRef::Func(ty) = import.ty else { return Err(MeterError::Foreign) };
        let import = Import::named(import.module, import.name).ok_or(MeterError::Foreign)?;
        if self.types.get(ty as usize) != Some(&import.ty()) {
            return Err(MeterError::Foreign);
        }
        self.functions.push(ty);
        self.imports.push(import);
        Ok(())
    }

    /// The number of imported functions.
    pub(crate) fn imported(&self) -> u32 {
        self.imports.len() as u32
    }

    fn element(&mut self, element: Element<'_>) -> Result<(), MeterError> {
        match element.items {
            // A declared segment holds nothing; what it declares is taken where it is named.
            _ if matches!(element.kind, ElementKind::Declared) => {}
            ElementItems::Functions(functions) => {
                for function in functions {
                    self.taken.insert(function?);
                }
            }
            ElementItems::Expressions(_, expressions) => {
                for expression in expressions {
                    self.take(expression?.get_operators_reader().into_iter())?;
                }
            }
        }
        Ok(())
    }

    /// Notes the functions of which a constant expression makes references.
    fn take<'b>(
        &mut self,
        operators: impl Iterator<Item = Result<Operator<'b>, BinaryReaderError>>,
    ) -> Result<(), MeterError> {
        for operator in operators {
            if let Operator::RefFunc { function_index } = operator? {
                self.taken.insert(function_index);
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        function: FuncToValidate<ValidatorResources>,
        body: FunctionBody<'a>,
        allocations: FuncValidatorAllocations,
        checks: Checks,
    ) -> Result<FuncValidatorAllocations, MeterError> {
        let mut validator = function.into_validator(allocations);
        validator.read_locals(&mut body.get_binary_reader())?;
        let locals = validator.len_locals();
        let slots: u32 = (0..locals).filter_map(|local| validator.get_local_type(local)).map(width).sum();
        let (mut marks, mut operands) = (Marks::new(self.imported()), Operands::default());
        let (mut calls, mut indirect) = (BTreeSet::new(), BTreeSet::new());
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let (operator, at) = operators.read_with_offset()?;
            let (_, pushed) = operator.operator_arity(&validator.visitor(at)).ok_or(MeterError::Foreign)?;
            validator.op(at, &operator)?;
            operands.follow(validator.operand_stack_height(), pushed, |depth| {
                validator.get_operand_type(depth as usize).flatten().map_or(1, width)
            });
            match &operator {
                Operator::Call { function_index } => drop(calls.insert(*function_index)),
                Operator::CallIndirect { type_index, .. } => drop(indirect.insert(*type_index)),
                Operator::RefFunc { function_index } => drop(self.taken.insert(*function_index)),
                _ => {}
            }
            marks.take(&operator, at..operators.original_position())?;
        }
        operators.finish()?;
        let units = FRAME_UNITS + slots + operands.most;
        self.bodies.push(Body { body, marked: marks.finish(checks), locals, units, calls, indirect });
        Ok(validator.into_allocations())
    }

    /// Fuel that a game's start takes before any code of the bot runs.
    pub(crate) fn start_fuel(&self) -> u64 {
        let call = u64::from(self.start.is_some());
        let entry = if self.data_fuel + call > 0 { ENTRY.unsigned_abs() } else { 0 };
        entry + self.data_fuel + call
    }
}

/// The operand stack, measured in units.
#[derive(Default)]
struct Operands {
    /// What lies below each operand and in it.
    heights: Vec<u32>,
    most: u32,
}

impl Operands {
    /// Follows an operator that left so many operands and pushed the last of them; `width` is that of the operand at a
    /// depth.
    fn follow(&mut self, height: u32, pushed: u32, width: impl Fn(u32) -> u32) {
        let kept = height.saturating_sub(pushed).min(self.heights.len() as u32);
        self.heights.truncate(kept as usize);
        for depth in (0..height - kept).rev() {
            let below = self.heights.last().copied().unwrap_or(0);
            self.heights.push(below + width(depth));
        }
        self.most = self.heights.last().copied().unwrap_or(0).max(self.most);
    }
}

/// Units of the stack that a value takes. Compilers keep floats where they keep vectors.
pub(crate) fn width(ty: ValType) -> u32 {
    if matches!(ty, ValType::F32 | ValType::F64 | ValType::V128) { 2 } else { 1 }
}
