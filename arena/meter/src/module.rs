//! The metered module, section by section.

use std::collections::BTreeSet;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, DataCountSection, DataSection, ElementSection, Elements,
    ExportKind, ExportSection, FunctionSection, GlobalSection, GlobalType, ImportSection, MemorySection, Module,
    Section, TableSection, TypeSection, ValType,
};
use wasmparser::{BinaryReaderError, Parser, Payload};

use crate::body::{Added, Same, ending, metered, stand_in};
use crate::counters::Counters;
use crate::facts::Facts;
use crate::{
    Checks, FUEL, KEPT, LINES, Maxima, OUT_OF_FUEL, STACK, STACK_UNITS_MAX, START, TOO_DEEP, USED, USED_WITH_CALLS,
    WITHHELD,
};

type Written<T> = Result<T, Error<BinaryReaderError>>;

/// Writes all that names functions, with the places of imported ones taken.
struct Writer {
    imported: u32,
    added: Added,
}

impl Reencode for Writer {
    type Error = BinaryReaderError;

    fn function_index(&mut self, function: u32) -> Written<u32> {
        Ok(if function < self.imported { self.added.imports + function } else { function })
    }
}

/// The sections whose content changes, in the order of the format.
#[derive(Default)]
struct Sections {
    types: TypeSection,
    imports: ImportSection,
    functions: FunctionSection,
    tables: TableSection,
    memories: MemorySection,
    globals: GlobalSection,
    exports: ExportSection,
    elements: ElementSection,
    data_count: Option<u32>,
    data: DataSection,
    names: Option<Vec<u8>>,
}

/// Writes the metered form of a module.
pub(crate) fn write(module: &[u8], facts: &Facts<'_>, maxima: Maxima, checks: Checks) -> Written<Vec<u8>> {
    let has_stack = facts.units.iter().any(Option::is_some);
    let (fuel, imports) = (facts.globals, facts.functions.len() as u32);
    let withheld = (checks == Checks::Everywhere).then_some(fuel + 1 + u32::from(has_stack));
    let out_of_fuel = imports + facts.imported();
    let counters = withheld.filter(|_| facts.counts).map(|withheld| withheld + 1);
    let (stack, too_deep) = (fuel + 1, out_of_fuel + 1);
    let added = Added { fuel, stack, imports, out_of_fuel, too_deep, withheld, counters, checks };
    let mut writer = Writer { imported: facts.imported(), added };
    let mut sections = Sections::default();
    for payload in Parser::new(0).parse_all(module) {
        writer.section(&mut sections, payload?, maxima)?;
    }
    let results = results(facts, &mut sections.types);
    let mut code = CodeSection::new();
    let defined = facts.functions[facts.imports.len()..].iter();
    for (((body, ty), units), function) in facts.bodies.iter().zip(defined).zip(&facts.units).zip(facts.imported()..) {
        let used = added.used(function);
        code.function(&metered(module, body, &added, results[*ty as usize], *units, used)?);
    }
    for (function, (import, ty)) in (0..).zip(facts.imports.iter().zip(&facts.functions)) {
        sections.functions.function(*ty);
        code.function(&stand_in(*import, function, &added));
    }
    let plain = plain(facts, &mut sections.types);
    for reason in [OUT_OF_FUEL].into_iter().chain(has_stack.then_some(TOO_DEEP)) {
        sections.functions.function(plain);
        code.function(&ending(reason, &added));
    }
    append(facts, &mut sections, &mut writer, has_stack)?;
    Ok(sections.finish(&code))
}

impl Writer {
    fn section(&mut self, sections: &mut Sections, payload: Payload<'_>, maxima: Maxima) -> Written<()> {
        match payload {
            Payload::TypeSection(types) => self.parse_type_section(&mut sections.types, types)?,
            Payload::ImportSection(imports) => self.parse_import_section(&mut sections.imports, imports)?,
            Payload::FunctionSection(functions) => self.parse_function_section(&mut sections.functions, functions)?,
            Payload::TableSection(tables) => {
                for table in tables {
                    let mut ty = self.table_type(table?.ty)?;
                    ty.maximum = Some(ty.maximum.unwrap_or(u64::MAX).min(maxima.table_elements).max(ty.minimum));
                    sections.tables.table(ty);
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let mut ty = self.memory_type(memory?)?;
                    ty.maximum = Some(ty.maximum.unwrap_or(u64::MAX).min(maxima.memory_pages).max(ty.minimum));
                    sections.memories.memory(ty);
                }
            }
            Payload::GlobalSection(globals) => self.parse_global_section(&mut sections.globals, globals)?,
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    let has_lines = self.added.withheld.is_some() && export.name == LINES;
                    if KEPT.contains(&export.name) || has_lines {
                        let index = self.external_index(export.kind, export.index)?;
                        sections.exports.export(export.name, self.export_kind(export.kind)?, index);
                    }
                }
            }
            Payload::ElementSection(elements) => self.parse_element_section(&mut sections.elements, elements)?,
            Payload::DataCountSection { count, .. } => sections.data_count = Some(count),
            Payload::DataSection(data) => self.parse_data_section(&mut sections.data, data)?,
            Payload::CustomSection(custom) if custom.name() == "name" => sections.names = Some(custom.data().into()),
            _ => {}
        }
        Ok(())
    }
}

/// For each type, that of a block with its results. Several need a type of their own, which is appended.
fn results(facts: &Facts<'_>, types: &mut TypeSection) -> Vec<BlockType> {
    let mut block = |ty: &wasmparser::FuncType| -> Written<BlockType> {
        Ok(match ty.results() {
            [] => BlockType::Empty,
            [one] => BlockType::Result(Same.val_type(*one)?),
            several => {
                let several = several.iter().map(|ty| Same.val_type(*ty)).collect::<Written<Vec<ValType>>>()?;
                types.ty().function([], several);
                BlockType::FunctionType(types.len() - 1)
            }
        })
    };
    facts.types.iter().map(|ty| block(ty).unwrap_or(BlockType::Empty)).collect()
}

/// The type of a function without parameters and results, which is appended if there was none.
fn plain(facts: &Facts<'_>, types: &mut TypeSection) -> u32 {
    let is_plain = |ty: &wasmparser::FuncType| ty.params().is_empty() && ty.results().is_empty();
    facts.types.iter().position(is_plain).map_or_else(
        || {
            types.ty().function([], []);
            types.len() - 1
        },
        |ty| ty as u32,
    )
}

/// Appends globals, exports and the references that exports no longer declare.
fn append(facts: &Facts<'_>, sections: &mut Sections, writer: &mut Writer, has_stack: bool) -> Written<()> {
    let (none, room) = (ConstExpr::i64_const(0), ConstExpr::i32_const(STACK_UNITS_MAX.cast_signed()));
    let Added { fuel, stack, withheld, .. } = writer.added;
    let stack = has_stack.then_some((STACK, stack, ValType::I32, &room));
    let withheld = withheld.map(|global| (WITHHELD, global, ValType::I64, &none));
    for (name, global, val_type, value) in [(FUEL, fuel, ValType::I64, &none)].into_iter().chain(stack).chain(withheld)
    {
        sections.globals.global(GlobalType { val_type, mutable: true, shared: false }, value);
        sections.exports.export(name, ExportKind::Global, global);
    }
    for function in 0..facts.functions.len() as u32 {
        let Some(used) = writer.added.used(function) else { break };
        let all = if function < facts.imported() { used.alone } else { used.with_calls };
        for _ in 0..Counters::GLOBALS {
            let ty = GlobalType { val_type: ValType::I64, mutable: true, shared: false };
            sections.globals.global(ty, &none);
        }
        sections.exports.export(&format!("{USED}{function}"), ExportKind::Global, used.alone);
        sections.exports.export(&format!("{USED_WITH_CALLS}{function}"), ExportKind::Global, all);
    }
    if let Some(start) = facts.start {
        sections.exports.export(START, ExportKind::Func, start);
    }
    if !facts.taken.is_empty() {
        let taken = facts.taken.iter().map(|function| writer.function_index(*function));
        let taken: BTreeSet<u32> = taken.collect::<Written<_>>()?;
        sections.elements.declared(Elements::Functions(taken.into_iter().collect()));
    }
    Ok(())
}

impl Sections {
    fn finish(&self, code: &CodeSection) -> Vec<u8> {
        let mut module = Module::new();
        add(&mut module, &self.types);
        add(&mut module, &self.imports);
        add(&mut module, &self.functions);
        add(&mut module, &self.tables);
        add(&mut module, &self.memories);
        add(&mut module, &self.globals);
        add(&mut module, &self.exports);
        add(&mut module, &self.elements);
        if let Some(count) = self.data_count {
            module.section(&DataCountSection { count });
        }
        add(&mut module, code);
        add(&mut module, &self.data);
        if let Some(names) = &self.names {
            module.section(&CustomSection { name: "name".into(), data: names.into() });
        }
        module.finish()
    }
}

/// Adds a section, unless it is empty.
fn add(module: &mut Module, section: &impl Section) {
    // The size, and the number of what is in it.
    const EMPTY: [u8; 2] = [1, 0];
    let mut bytes = Vec::new();
    section.encode(&mut bytes);
    if bytes != EMPTY {
        module.section(section);
    }
}
