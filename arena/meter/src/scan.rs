//! The first pass: validates the module, and notes where its code is to be changed.

use std::collections::BTreeSet;

use wasmparser::{
    BinaryReaderError, ConstExpr, Data, DataKind, Element, ElementItems, ElementKind, ExternalKind, FuncToValidate,
    FuncValidatorAllocations, FunctionBody, Operator, Parser, Payload, TypeRef, ValType, ValidPayload, Validator,
    ValidatorResources,
};

use crate::facts::{Body, Facts, Import};
use crate::marks::{Marked, Marks};
use crate::prices::{ENTRY, each, price};
use crate::stack::counted;
use crate::{Checks, FRAME_UNITS, LINES, MeterError, features};

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
            allocations = facts.body(function, body, allocations)?;
        }
        facts.units = counted(&facts);
        let straight = if checks == Checks::ByRule { facts.straight() } else { vec![None; facts.functions.len()] };
        let own = straight.iter().skip(facts.imports.len());
        for ((body, units), is_straight) in facts.bodies.iter_mut().zip(&facts.units).zip(own.map(Option::is_some)) {
            let mut marks = Marks::new(facts.imports.len() as u32, &straight, units.is_some());
            let mut operators = body.body.get_operators_reader()?;
            while !operators.eof() {
                let (operator, at) = operators.read_with_offset()?;
                marks.take(&operator, at..operators.original_position())?;
            }
            body.marked = if is_straight { marks.of_straight() } else { marks.finish(checks) };
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
                    self.taken.extend(references(&global?.init_expr)?);
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    self.counts &= export.name != LINES;
                    self.named.extend((export.kind == ExternalKind::Func).then_some(export.index));
                }
            }
            Payload::StartSection { func, .. } => {
                self.start = Some(func);
                self.named.insert(func);
            }
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

    fn element(&mut self, element: Element<'_>) -> Result<(), MeterError> {
        let mut functions = Vec::new();
        match element.items {
            ElementItems::Functions(named) => {
                for function in named {
                    functions.push(function?);
                }
            }
            ElementItems::Expressions(_, expressions) => {
                for expression in expressions {
                    functions.extend(references(&expression?)?);
                }
            }
        }
        // A declared segment holds nothing; what it declares is taken where code makes references to it.
        let is_declared = matches!(element.kind, ElementKind::Declared);
        if is_declared { &mut self.named } else { &mut self.taken }.extend(functions);
        Ok(())
    }

    fn body(
        &mut self,
        function: FuncToValidate<ValidatorResources>,
        body: FunctionBody<'a>,
        allocations: FuncValidatorAllocations,
    ) -> Result<FuncValidatorAllocations, MeterError> {
        let mut validator = function.into_validator(allocations);
        validator.read_locals(&mut body.get_binary_reader())?;
        let locals = validator.len_locals();
        let slots: u32 = (0..locals).filter_map(|local| validator.get_local_type(local)).map(width).sum();
        let (mut operands, mut fuel, mut is_over) = (Operands::default(), Some(ENTRY), false);
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
            // Behind a return nothing is paid for.
            let runs = !is_over || matches!(operator, Operator::End);
            fuel = fuel.zip(steady(&operator)).filter(|_| runs).map(|(fuel, price)| fuel + price);
            is_over |= matches!(operator, Operator::Return);
        }
        operators.finish()?;
        let units = FRAME_UNITS + slots + operands.most;
        self.bodies.push(Body { body, marked: Marked::default(), locals, units, fuel, calls, indirect });
        Ok(validator.into_allocations())
    }
}

/// What an operator always costs, if no other code can follow it than the next or the end.
fn steady(operator: &Operator<'_>) -> Option<i64> {
    match operator {
        Operator::Block { .. }
        | Operator::Loop { .. }
        | Operator::If { .. }
        | Operator::Br { .. }
        | Operator::BrIf { .. }
        | Operator::BrTable { .. }
        | Operator::Unreachable
        | Operator::Call { .. }
        | Operator::CallIndirect { .. } => None,
        operator => price(operator).filter(|_| each(operator).is_none()),
    }
}

/// The functions of which a constant expression makes references.
fn references(expression: &ConstExpr<'_>) -> Result<Vec<u32>, BinaryReaderError> {
    let function = |operator| match operator {
        Ok(Operator::RefFunc { function_index }) => Some(Ok(function_index)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    };
    expression.get_operators_reader().into_iter().filter_map(function).collect()
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
