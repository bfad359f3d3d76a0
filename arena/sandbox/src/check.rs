//! The static check: what can be said about a module without compiling it, in time linear in its size.

use arena_record::Budgets;
use wasmparser::{
    CompositeInnerType, ExternalKind, FuncType, FunctionBody, Operator, Parser, Payload, TypeRef, ValType, Validator,
    WasmFeatures,
};

use crate::refusal::{Refusal, RefusalCode as Code};
use crate::*;

/// What bots may be made of; everything newer is refused.
pub(crate) fn allowed_features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::SIMD
        | WasmFeatures::FLOATS
}

/// Checks a module against everything that is known before compiling.
///
/// # Errors
/// The first reason why it is not a bot.
pub fn check(bytes: &[u8], budgets: &Budgets) -> Result<(), Refusal> {
    if bytes.len() as u64 > budgets.module_bytes {
        let message = format!("the file has {} bytes; {} are allowed", bytes.len(), budgets.module_bytes);
        return Err(Refusal::new(Code::TooLarge, message));
    }
    if !bytes.starts_with(b"\0asm") {
        return Err(Refusal::new(Code::NotWasm, "this is not a WebAssembly file: it does not begin with \\0asm"));
    }
    // A file that is cut within its header is left to the parser, which says so.
    if bytes.get(4..8).is_some_and(|version| version != [1, 0, 0, 0]) {
        let message = "this is not a core WebAssembly module of version 1; components are not accepted";
        return Err(Refusal::new(Code::FeatureNotAllowed, message));
    }
    // Counts first, so that no later step works on absurd numbers.
    let mut survey = Survey::default();
    for payload in Parser::new(0).parse_all(bytes) {
        survey.read(payload.map_err(broken)?, budgets)?;
    }
    if let Err(error) = Validator::new_with_features(allowed_features()).validate_all(bytes) {
        let with_everything = Validator::new_with_features(WasmFeatures::all()).validate_all(bytes);
        return Err(match with_everything {
            Ok(_) => {
                Refusal::new(Code::FeatureNotAllowed, format!("a feature that bots may not use: {}", error.message()))
                    .at(error.offset())
            }
            Err(_) => broken(error),
        });
    }
    survey.exports_of_the_contract()
}

fn broken(error: wasmparser::BinaryReaderError) -> Refusal {
    Refusal::new(Code::InvalidModule, format!("broken WebAssembly: {}", error.message())).at(error.offset())
}

/// What a first pass over the module sees.
#[derive(Default)]
struct Survey {
    types: Vec<Option<FuncType>>,
    /// The type of every function, imported ones first.
    functions: Vec<u32>,
    exports: Vec<(String, ExternalKind, u32)>,
    next_body: usize,
    imported_functions: usize,
    custom_bytes: usize,
    locals: u64,
    branch_targets: u64,
    locals_by_control: u64,
}

impl Survey {
    fn read(&mut self, payload: Payload<'_>, budgets: &Budgets) -> Result<(), Refusal> {
        match payload {
            Payload::TypeSection(types) => {
                at_most("types", types.count(), TYPES_MAX)?;
                for group in types {
                    self.types.extend(group.map_err(broken)?.types().map(|ty| match &ty.composite_type.inner {
                        CompositeInnerType::Func(func) => Some(func.clone()),
                        _ => None,
                    }));
                }
            }
            Payload::ImportSection(imports) => {
                at_most("imports", imports.count(), IMPORTS_MAX)?;
                for import in imports.into_imports() {
                    self.import(&import.map_err(broken)?)?;
                }
            }
            Payload::FunctionSection(functions) => {
                at_most("functions", functions.count(), FUNCTIONS_MAX)?;
                for function in functions {
                    self.functions.push(function.map_err(broken)?);
                }
            }
            Payload::TableSection(tables) => {
                at_most("tables", tables.count(), TABLES_MAX)?;
                for table in tables {
                    let initial = table.map_err(broken)?.ty.initial;
                    if initial > TABLE_ELEMENTS_MAX {
                        let message = format!("a table of {initial} elements; {TABLE_ELEMENTS_MAX} are allowed");
                        return Err(Refusal::new(Code::TableTooLarge, message));
                    }
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let memory = memory.map_err(broken)?;
                    let bytes = memory.initial.saturating_mul(64 << 10);
                    if bytes > budgets.memory_bytes {
                        let message =
                            format!("a memory of {bytes} bytes at the start; {} are allowed", budgets.memory_bytes);
                        return Err(Refusal::new(Code::MemoryTooLarge, message));
                    }
                }
            }
            Payload::GlobalSection(globals) => at_most("globals", globals.count(), GLOBALS_MAX)?,
            Payload::ElementSection(elements) => at_most("element segments", elements.count(), SEGMENTS_MAX)?,
            Payload::DataSection(data) => at_most("data segments", data.count(), SEGMENTS_MAX)?,
            Payload::ExportSection(exports) => {
                at_most("exports", exports.count(), EXPORTS_MAX)?;
                for export in exports {
                    let export = export.map_err(broken)?;
                    self.exports.push((export.name.into(), export.kind, export.index));
                }
            }
            Payload::CustomSection(section) => {
                self.custom_bytes += section.data().len();
                if self.custom_bytes > CUSTOM_BYTES_MAX {
                    let message = format!("more than {CUSTOM_BYTES_MAX} bytes of custom sections");
                    return Err(Refusal::new(Code::TooMany, message));
                }
            }
            Payload::CodeSectionEntry(body) => self.body(&body)?,
            _ => {}
        }
        Ok(())
    }

    fn import(&mut self, import: &wasmparser::Import<'_>) -> Result<(), Refusal> {
        let name = format!("{}::{}", import.module.escape_debug(), import.name.escape_debug());
        let unknown = |why: &str| {
            let message =
                format!("the import {name:.100} {why}; a bot may import arena::log (i32, i32) and nothing else");
            Refusal::new(Code::UnknownImport, message)
        };
        if (import.module, import.name) != ("arena", "log") {
            return Err(unknown("does not exist here"));
        }
        let TypeRef::Func(ty) = import.ty else { return Err(unknown("is a function")) };
        let wanted = FuncType::new([ValType::I32, ValType::I32], []);
        if self.types.get(ty as usize).and_then(Option::as_ref) != Some(&wanted) {
            return Err(unknown("has another type"));
        }
        self.functions.push(ty);
        self.imported_functions += 1;
        Ok(())
    }

    /// Bounds what compiling a function costs.
    fn body(&mut self, body: &FunctionBody<'_>) -> Result<(), Refusal> {
        let offset = body.range().start;
        let complex = |message: String| Err(Refusal::new(Code::TooComplex, message).at(offset));
        let bytes = body.range().end - offset;
        if bytes > BODY_BYTES_MAX {
            return complex(format!("a function of {bytes} bytes; {BODY_BYTES_MAX} are allowed"));
        }
        let ty = self.functions.get(self.imported_functions + self.next_body).copied().unwrap_or(u32::MAX);
        self.next_body += 1;
        let params = self.types.get(ty as usize).and_then(Option::as_ref).map_or(0, |ty| ty.params().len() as u64);
        let mut locals = params;
        for group in body.get_locals_reader().map_err(broken)? {
            locals = locals.saturating_add(group.map_err(broken)?.0.into());
        }
        self.locals = self.locals.saturating_add(locals);
        if locals > LOCALS_MAX || self.locals > LOCALS_TOTAL_MAX {
            let message = format!(
                "{locals} locals in a function, {} up to here; {LOCALS_MAX} and {LOCALS_TOTAL_MAX} are allowed",
                self.locals
            );
            return complex(message);
        }
        let (mut control, mut depth) = (0_u64, 0_usize);
        for operator in body.get_operators_reader().map_err(broken)? {
            match operator.map_err(broken)? {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                    control += 1;
                    depth += 1;
                    if depth > NESTING_MAX {
                        return complex(format!("blocks nested more than {NESTING_MAX} deep"));
                    }
                }
                Operator::End => depth = depth.saturating_sub(1),
                Operator::Else | Operator::Br { .. } | Operator::BrIf { .. } | Operator::Return => control += 1,
                Operator::BrTable { targets } => {
                    control += u64::from(targets.len()) + 1;
                    self.branch_targets += u64::from(targets.len());
                }
                _ => {}
            }
        }
        if self.branch_targets > BRANCH_TARGETS_MAX {
            return complex(format!("more than {BRANCH_TARGETS_MAX} targets of branch tables"));
        }
        let work = locals * control;
        self.locals_by_control += work;
        if work > LOCALS_BY_CONTROL_MAX || self.locals_by_control > LOCALS_BY_CONTROL_TOTAL_MAX {
            return complex(format!(
                "a function with {locals} locals and {control} branches, which takes too long to compile"
            ));
        }
        Ok(())
    }

    fn exports_of_the_contract(&self) -> Result<(), Refusal> {
        let missing = |what: String| Err(Refusal::new(Code::MissingExport, what));
        if !self.exports.iter().any(|(name, kind, _)| name == "memory" && *kind == ExternalKind::Memory) {
            return missing("the export `memory` is missing".into());
        }
        for (name, result) in [("arena_observation", ValType::I32), ("arena_turn", ValType::I64)] {
            let found = self.exports.iter().find(|(export, ..)| export == name);
            let Some((_, kind, index)) = found else { return missing(format!("the export `{name}` is missing")) };
            let ty = self.functions.get(*index as usize).and_then(|ty| self.types.get(*ty as usize)?.as_ref());
            if *kind != ExternalKind::Func || ty != Some(&FuncType::new([ValType::I32], [result])) {
                return missing(format!("the export `{name}` is not a function (i32) -> {result}"));
            }
        }
        Ok(())
    }
}

fn at_most(what: &str, count: u32, most: u32) -> Result<(), Refusal> {
    if count <= most {
        return Ok(());
    }
    Err(Refusal::new(Code::TooMany, format!("{count} {what}; {most} are allowed")))
}
