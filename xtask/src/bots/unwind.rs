//! Takes exceptions out of a module: what throws sets a global and returns, and after each call that may throw the
//! global is asked.
//!
//! Clang makes longjmp an exception of WebAssembly, which modules here do not have. All exceptions are those of one
//! tag, with one number.

use std::collections::HashSet;

use anyhow::{Context as _, Result, bail, ensure};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ExportSection, Function, GlobalSection, GlobalType, Instruction, Module,
    RawSection, ValType,
};
use wasmparser::{CompositeInnerType, ElementItems, FuncType, FunctionBody, Operator, Parser, Payload, TypeRef};

/// The exports that a bot has; others are for the linker.
const EXPORTS: [&str; 6] = ["memory", "_initialize", "arena_observation", "arena_turn", "arena_script", "arena_lines"];

/// What of a module decides which functions throw.
#[derive(Default)]
struct Shape<'a> {
    types: Vec<FuncType>,
    /// The type of each function, those that are imported first.
    functions: Vec<u32>,
    imported: usize,
    globals: u32,
    /// The functions that can be called through the table.
    table: HashSet<u32>,
    bodies: Vec<FunctionBody<'a>>,
}

/// The module without exceptions, without custom sections, and with a bot's exports alone.
///
/// # Errors
/// If it is no module, or has exceptions of a kind that this does not know.
pub(super) fn without_exceptions(module: &[u8]) -> Result<Vec<u8>> {
    let shape = Shape::read(module)?;
    ensure!(shape.globals > 0, "a module without globals");
    let throwing = shape.throwing()?;
    let flags = Flags { thrown: shape.globals, value: shape.globals + 1 };
    let mut code = CodeSection::new();
    for (index, body) in shape.bodies.iter().enumerate() {
        let rewriter = Rewriter {
            shape: &shape,
            throwing: &throwing,
            flags,
            function: shape.imported + index,
            tries: tries(body)?.into_iter(),
            blocks: vec![Thrown::Passes],
            levels: vec![0],
            open: 1,
        };
        code.function(&rewriter.function(body)?);
    }
    let mut written = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TagSection(_) | Payload::CustomSection(_) => {}
            Payload::GlobalSection(section) => {
                let mut globals = GlobalSection::new();
                RoundtripReencoder.parse_global_section(&mut globals, section)?;
                let flag = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
                globals.global(flag, &ConstExpr::i32_const(0));
                globals.global(flag, &ConstExpr::i32_const(0));
                written.section(&globals);
            }
            Payload::ExportSection(section) => {
                let mut exports = ExportSection::new();
                for export in section {
                    let export = export?;
                    if EXPORTS.contains(&export.name) {
                        exports.export(export.name, RoundtripReencoder.export_kind(export.kind)?, export.index);
                    }
                }
                written.section(&exports);
            }
            Payload::CodeSectionStart { .. } => {
                written.section(&code);
            }
            Payload::CodeSectionEntry(_) => {}
            payload => {
                if let Some((id, range)) = payload.as_section() {
                    written.section(&RawSection { id, data: &module[range] });
                }
            }
        }
    }
    Ok(written.finish())
}

impl<'a> Shape<'a> {
    fn read(module: &'a [u8]) -> Result<Shape<'a>> {
        let mut shape = Shape::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(groups) => {
                    for group in groups {
                        for of in group?.into_types() {
                            let CompositeInnerType::Func(of) = of.composite_type.inner else {
                                bail!("a type of no function")
                            };
                            shape.types.push(of);
                        }
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        match import?.ty {
                            TypeRef::Func(of) => shape.functions.push(of),
                            TypeRef::Global(_) => shape.globals += 1,
                            _ => {}
                        }
                    }
                    shape.imported = shape.functions.len();
                }
                Payload::FunctionSection(functions) => {
                    for of in functions {
                        shape.functions.push(of?);
                    }
                }
                Payload::GlobalSection(globals) => shape.globals += globals.count(),
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let ElementItems::Functions(functions) = element?.items else {
                            bail!("elements that are computed")
                        };
                        for function in functions {
                            shape.table.insert(function?);
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => shape.bodies.push(body),
                _ => {}
            }
        }
        Ok(shape)
    }

    fn of(&self, function: usize) -> &FuncType {
        &self.types[self.functions[function] as usize]
    }

    /// The functions that may throw: to those that call them outside of a `try`, too.
    fn throwing(&self) -> Result<Throwing> {
        let mut throwing =
            Throwing { functions: vec![false; self.functions.len()], types: vec![false; self.types.len()] };
        let mut calls = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let mut found = Vec::new();
            throwing.functions[self.imported + index] = outside_of_try(body, &mut found)?;
            calls.push(found);
        }
        loop {
            for function in &self.table {
                if throwing.functions[*function as usize] {
                    // Types that are equal are one to a call.
                    let of = self.of(*function as usize);
                    for (index, other) in self.types.iter().enumerate() {
                        throwing.types[index] |= other == of;
                    }
                }
            }
            let mut changed = false;
            for (index, calls) in calls.iter().enumerate() {
                let function = self.imported + index;
                if !throwing.functions[function] && calls.iter().any(|call| throwing.may(*call)) {
                    throwing.functions[function] = true;
                    changed = true;
                }
            }
            if !changed {
                return Ok(throwing);
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Call {
    Direct(u32),
    Indirect(u32),
}

struct Throwing {
    functions: Vec<bool>,
    types: Vec<bool>,
}

impl Throwing {
    fn may(&self, call: Call) -> bool {
        match call {
            Call::Direct(function) => self.functions[function as usize],
            Call::Indirect(of) => self.types[of as usize],
        }
    }
}

/// What a block does with what is thrown in it.
#[derive(Clone, Copy, PartialEq)]
enum Thrown {
    /// Leaves it to the block around it.
    Passes,
    Caught,
    /// Leaves it to the block that is so far outside of it.
    Delegated(u32),
}

/// The block that catches what is thrown in the innermost one; `None` if the function throws it.
fn catcher(blocks: &[Thrown]) -> Option<usize> {
    let mut blocks = blocks;
    loop {
        let (innermost, around) = blocks.split_last()?;
        blocks = match innermost {
            Thrown::Caught => return Some(around.len()),
            Thrown::Passes => around,
            Thrown::Delegated(depth) => &around[..around.len().checked_sub(*depth as usize)?],
        };
    }
}

/// What each `try` of a function does, in the order in which they begin.
fn tries(body: &FunctionBody<'_>) -> Result<Vec<Thrown>> {
    let (mut open, mut found) = (vec![None], Vec::new());
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Try { .. } => {
                open.push(Some(found.len()));
                found.push(Thrown::Caught);
            }
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open.push(None),
            Operator::End => drop(open.pop()),
            Operator::Delegate { relative_depth } => {
                let of = open.pop().flatten().context("a delegate without a try")?;
                found[of] = Thrown::Delegated(relative_depth);
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether something is thrown outside of a `try`, and what is called there.
fn outside_of_try(body: &FunctionBody<'_>, calls: &mut Vec<Call>) -> Result<bool> {
    let mut tries = tries(body)?.into_iter();
    let (mut blocks, mut throws) = (vec![Thrown::Passes], false);
    for operator in body.get_operators_reader()? {
        let escapes = catcher(&blocks).is_none();
        match operator? {
            Operator::Try { .. } => blocks.push(tries.next().context("a try")?),
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => blocks.push(Thrown::Passes),
            Operator::Catch { .. } | Operator::CatchAll => {
                *blocks.last_mut().context("a catch without a try")? = Thrown::Passes
            }
            Operator::End | Operator::Delegate { .. } => drop(blocks.pop()),
            Operator::Throw { .. } | Operator::Rethrow { .. } if escapes => throws = true,
            Operator::Call { function_index } if escapes => calls.push(Call::Direct(function_index)),
            Operator::CallIndirect { type_index, .. } if escapes => calls.push(Call::Indirect(type_index)),
            _ => {}
        }
    }
    Ok(throws)
}

/// The globals: whether something is thrown, and what.
#[derive(Clone, Copy)]
struct Flags {
    thrown: u32,
    value: u32,
}

struct Rewriter<'a> {
    shape: &'a Shape<'a>,
    throwing: &'a Throwing,
    flags: Flags,
    function: usize,
    tries: std::vec::IntoIter<Thrown>,
    /// The blocks of the old function that are open: what is thrown there, and how many blocks of the new one are
    /// around each.
    blocks: Vec<Thrown>,
    levels: Vec<u32>,
    /// How many blocks are open in the new function, its body included.
    open: u32,
}

impl<'a> Rewriter<'a> {
    /// The function with a block around its body, which what is thrown leaves, and then results of no meaning.
    fn function(mut self, body: &FunctionBody<'_>) -> Result<Function> {
        let mut written = RoundtripReencoder.new_function_with_parsed_locals(body)?;
        let throws = self.throwing.functions[self.function];
        if throws {
            written.instruction(&Instruction::Block(BlockType::Empty));
            self.open += 1;
        }
        for operator in body.get_operators_reader()? {
            self.operator(&mut written, operator?, throws)?;
        }
        Ok(written)
    }

    /// How far a branch is that leaves so many blocks of the old function.
    fn branch(&self, depth: u32) -> Result<u32> {
        let level = self.levels.iter().rev().nth(depth as usize).context("a branch to no block")?;
        Ok(self.open - 1 - level)
    }

    /// How far it is to what catches: the block within that of a `try`, or the one around the body.
    fn catcher(&self) -> u32 {
        self.open - 1 - catcher(&self.blocks).map_or(1, |block| self.levels[block] + 1)
    }

    /// Opens a block, which is so many of the new function.
    fn begin(&mut self, thrown: Thrown, count: u32) {
        self.blocks.push(thrown);
        self.levels.push(self.open);
        self.open += count;
    }

    fn end(&mut self, written: &mut Function, throws: bool) -> Result<()> {
        let (block, level) = self.blocks.pop().zip(self.levels.pop()).context("an end of no block")?;
        ensure!(block != Thrown::Caught, "a try without a catch");
        if self.blocks.is_empty() && throws {
            written.instruction(&Instruction::Return).instruction(&Instruction::End);
            for result in self.shape.of(self.function).results() {
                written.instruction(&match result {
                    wasmparser::ValType::I32 => Instruction::I32Const(0),
                    wasmparser::ValType::I64 => Instruction::I64Const(0),
                    wasmparser::ValType::F32 => Instruction::F32Const(0.0.into()),
                    wasmparser::ValType::F64 => Instruction::F64Const(0.0.into()),
                    other => bail!("a result of type {other}"),
                });
            }
        }
        self.open = level;
        written.instruction(&Instruction::End);
        Ok(())
    }

    fn operator(&mut self, written: &mut Function, operator: Operator<'_>, throws: bool) -> Result<()> {
        let Flags { thrown, value } = self.flags;
        let call = match operator {
            Operator::Call { function_index } => Some(Call::Direct(function_index)),
            Operator::CallIndirect { type_index, .. } => Some(Call::Indirect(type_index)),
            _ => None,
        };
        match operator {
            Operator::Try { blockty } => {
                let of = RoundtripReencoder.block_type(blockty)?;
                ensure!(!matches!(of, BlockType::FunctionType(_)), "a try with parameters");
                let thrown = self.tries.next().context("a try")?;
                written.instruction(&Instruction::Block(of));
                if thrown == Thrown::Caught {
                    written.instruction(&Instruction::Block(BlockType::Empty));
                    self.begin(thrown, 2);
                } else {
                    self.begin(thrown, 1);
                }
            }
            Operator::Catch { .. } | Operator::CatchAll => {
                let block =
                    self.blocks.last_mut().filter(|block| **block == Thrown::Caught).context("a second catch")?;
                *block = Thrown::Passes;
                self.open -= 1;
                written.instruction(&Instruction::Br(1)).instruction(&Instruction::End);
                written.instruction(&Instruction::I32Const(0)).instruction(&Instruction::GlobalSet(thrown));
                if matches!(operator, Operator::Catch { .. }) {
                    written.instruction(&Instruction::GlobalGet(value));
                }
            }
            Operator::Throw { .. } | Operator::Rethrow { .. } => {
                if matches!(operator, Operator::Throw { .. }) {
                    written.instruction(&Instruction::GlobalSet(value));
                }
                written.instruction(&Instruction::I32Const(1)).instruction(&Instruction::GlobalSet(thrown));
                written.instruction(&Instruction::Br(self.catcher()));
            }
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                written.instruction(&RoundtripReencoder.instruction(operator)?);
                self.begin(Thrown::Passes, 1);
            }
            Operator::End | Operator::Delegate { .. } => self.end(written, throws)?,
            Operator::Br { relative_depth } => {
                written.instruction(&Instruction::Br(self.branch(relative_depth)?));
            }
            Operator::BrIf { relative_depth } => {
                written.instruction(&Instruction::BrIf(self.branch(relative_depth)?));
            }
            Operator::BrTable { targets } => {
                let far = targets.targets().map(|depth| self.branch(depth?)).collect::<Result<Vec<_>>>()?;
                written.instruction(&Instruction::BrTable(far.into(), self.branch(targets.default())?));
            }
            operator => {
                written.instruction(&RoundtripReencoder.instruction(operator)?);
            }
        }
        if call.is_some_and(|call| self.throwing.may(call)) {
            written.instruction(&Instruction::GlobalGet(thrown)).instruction(&Instruction::BrIf(self.catcher()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module whose `throw` throws, `through` calls it, and `catch` gives what was thrown, or 7.
    const TEXT: &str = r#"(module
        (tag $t (param i32))
        (global (mut i32) (i32.const 0))
        (table funcref (elem $throw))
        (func $throw (param i32) (result i32)
            (if (local.get 0) (then (throw $t (local.get 0))))
            (i32.const 7))
        (func $through (param i32) (result i32)
            (i32.add (i32.const 1) (call_indirect (param i32) (result i32) (local.get 0) (i32.const 0))))
        (func (export "arena_turn") (param i32) (result i32)
            (block $out (result i32)
                try (result i32)
                    (block (br_if 0 (i32.eqz (local.get 0))) (br $out (call $through (local.get 0))))
                    (call $through (i32.const 0))
                catch $t
                end)))"#;

    #[test]
    fn what_is_thrown_is_caught_without_exceptions() {
        let plain = without_exceptions(&wat::parse_str(TEXT).expect("a module")).expect("it can be changed");
        let text = format!("{:?}", Parser::new(0).parse_all(&plain).collect::<Result<Vec<_>, _>>().expect("a module"));
        assert!(!text.contains("TagSection"));
        let shape = Shape::read(&plain).expect("a module");
        for body in &shape.bodies {
            for operator in body.get_operators_reader().expect("operators") {
                let operator = operator.expect("an operator");
                assert!(!matches!(operator, Operator::Try { .. } | Operator::Throw { .. } | Operator::Catch { .. }));
            }
        }
        assert_eq!(shape.globals, 3);
    }
}
