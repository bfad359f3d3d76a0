//! The first pass: counts, imports and exports.

use arena_record::Budgets;
use wasmparser::{CompositeInnerType, ExternalKind, FuncType, FunctionBody, Operator, Payload, TypeRef, ValType};

use super::{Code, broken, hints};
use crate::refusal::Refusal;
use crate::*;

/// The results of the first pass over a module.
#[derive(Default)]
pub(super) struct Survey {
    types: Vec<Option<FuncType>>,
    /// The type of every function, imported ones first.
    functions: Vec<u32>,
    exports: Vec<(String, ExternalKind, u32)>,
    next_body: usize,
    imported_functions: usize,
    custom_sections: u32,
    custom_bytes: u64,
    locals: u64,
    branch_targets: u64,
}

impl Survey {
    pub(super) fn read(&mut self, payload: Payload<'_>, budgets: &Budgets) -> Result<(), Refusal> {
        match payload {
            Payload::TypeSection(types) => {
                at_most("types", types.count(), TYPES_MAX)?;
                for group in types {
                    self.types.extend(group.map_err(broken)?.types().map(|ty| match &ty.composite_type.inner {
                        CompositeInnerType::Func(func) => Some(func.clone()),
                        _ => None,
                    }));
                }
                for ty in self.types.iter().flatten() {
                    let (params, results) = (ty.params().len(), ty.results().len());
                    if params > PARAMS_MAX || results > CARRIED_MAX {
                        let message = format!(
                            "a function type with {params} parameters and {results} results; {PARAMS_MAX} and {CARRIED_MAX} are \
                             allowed"
                        );
                        return Err(Refusal::new(Code::TooComplex, message));
                    }
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
                self.custom_sections += 1;
                at_most("custom sections", self.custom_sections, CUSTOM_SECTIONS_MAX)?;
                // The whole section, because its name may be of any length.
                self.custom_bytes += section.range().len() as u64;
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
            let refusal = unknown("does not exist here");
            return Err(match hints::of_import(import.module, import.name) {
                Some(hint) => refusal.with_hint(hint),
                None => refusal,
            });
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

    /// Limits the cost of compiling a function.
    fn body(&mut self, body: &FunctionBody<'_>) -> Result<(), Refusal> {
        let offset = body.range().start;
        let complex = |message: String| Err(Refusal::new(Code::TooComplex, message).at(offset));
        let bytes = body.range().len() as u64;
        if bytes > BODY_BYTES_MAX {
            return complex(format!("a function of {bytes} bytes; {BODY_BYTES_MAX} are allowed"));
        }
        let ty = self.functions.get(self.imported_functions + self.next_body).copied().unwrap_or(u32::MAX);
        self.next_body += 1;
        let params = self.types.get(ty as usize).and_then(Option::as_ref).map_or(&[][..], FuncType::params);
        let mut locals = params.iter().map(|ty| slots(*ty)).sum::<u64>();
        for group in body.get_locals_reader().map_err(broken)? {
            let (count, ty) = group.map_err(broken)?;
            locals = locals.saturating_add(slots(ty) * u64::from(count));
        }
        self.locals = self.locals.saturating_add(locals);
        if locals > LOCALS_MAX || self.locals > LOCALS_TOTAL_MAX {
            let message = format!(
                "{locals} locals in a function, {} up to here, a vector counting twice; {LOCALS_MAX} and {LOCALS_TOTAL_MAX} are \
                 allowed",
                self.locals
            );
            return complex(message);
        }
        let mut depth = 0_usize;
        for operator in body.get_operators_reader().map_err(broken)? {
            match operator.map_err(broken)? {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                    depth += 1;
                    if depth > NESTING_MAX {
                        return complex(format!("blocks nested more than {NESTING_MAX} deep"));
                    }
                }
                Operator::End => depth = depth.saturating_sub(1),
                Operator::BrTable { targets } => self.branch_targets += u64::from(targets.len()),
                _ => {}
            }
        }
        if self.branch_targets > BRANCH_TARGETS_MAX {
            return complex(format!("more than {BRANCH_TARGETS_MAX} targets of branch tables"));
        }
        Ok(())
    }

    pub(super) fn exports_of_the_contract(&self) -> Result<(), Refusal> {
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

/// How many locals a local counts for: a vector is twice as wide as anything else, and is cleared in each call, too.
fn slots(ty: ValType) -> u64 {
    if ty == ValType::V128 { 2 } else { 1 }
}

fn at_most(what: &str, count: u32, most: u32) -> Result<(), Refusal> {
    if count <= most {
        return Ok(());
    }
    Err(Refusal::new(Code::TooMany, format!("{count} {what}; {most} are allowed")))
}
