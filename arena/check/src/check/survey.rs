//! The first pass: what the module is, and whether there is too much of something.

use arena_limits::counted;
use arena_record::{Budgets, Said, Sentence};
use wasmparser::{
    BinaryReaderError, CompositeInnerType, CustomSectionReader, DataKind, ElementItems, ElementKind, ExternalKind,
    FuncType, FunctionBody, Import, MemoryType, Operator, Payload, Table, TableInit, TypeRef, ValType,
};

use super::features::{self, Feature};
use super::functions::Functions;
use super::origin::{Asked, Origin};
use super::{Code, INITIALISER};
use crate::refusal::Refusal;
use crate::sentences::*;
use crate::*;

/// The results of the first pass over a module. Small, however large the module is.
#[derive(Default)]
pub(super) struct Survey<'a> {
    /// What the compiler left in custom sections.
    pub(super) origin: Origin<'a>,
    functions: Functions<'a>,
    /// The import that tells most about why there is any.
    asked: Option<Asked>,
    /// An import of the contract that is not its function.
    mistyped: Option<Said>,
    /// The first feature that bots may not use, of those that tell most, and where.
    feature: Option<(Feature, usize)>,
    exports: Exports,
    /// The first limit that is exceeded.
    excess: Option<Refusal>,
    memories: u32,
    custom_sections: u32,
    custom_bytes: u64,
    locals: u64,
    branch_targets: u64,
}

/// The exports that mean something.
#[derive(Default)]
struct Exports {
    memory: bool,
    /// A memory of another name.
    other_memory: Option<String>,
    observation: Option<Export>,
    turn: Option<Export>,
    initialiser: Option<Export>,
    constructors: Option<Export>,
    start: bool,
    /// Whether this list was read: of a file that is too large, it may be missing.
    are_known: bool,
}

#[derive(Clone, Copy)]
struct Export {
    kind: ExternalKind,
    index: u32,
}

impl Export {
    fn is_function(&self) -> bool {
        self.kind == ExternalKind::Func
    }
}

impl<'a> Survey<'a> {
    /// Reads a part of the module.
    ///
    /// # Errors
    /// Broken WebAssembly.
    pub(super) fn read(&mut self, payload: Payload<'a>, budgets: &Budgets) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::TypeSection(types) => {
                self.at_most([TOO_MANY_TYPES, MORE_THAN_ANY], types.count(), TYPES_MAX);
                for group in types {
                    for ty in group?.types() {
                        self.note_type(&ty.composite_type.inner);
                    }
                }
            }
            Payload::ImportSection(imports) => {
                self.at_most([TOO_MANY_IMPORTS, IMPORT_ONCE], imports.count(), IMPORTS_MAX);
                for import in imports.into_imports() {
                    self.import(&import?);
                }
            }
            Payload::FunctionSection(functions) => {
                self.at_most([TOO_MANY_FUNCTIONS, LEAVE_OUT], functions.count(), FUNCTIONS_MAX);
                for function in functions.into_iter().take(FUNCTIONS_MAX as usize) {
                    self.functions.types_of.push(function?);
                }
            }
            Payload::TableSection(tables) => {
                self.at_most([TOO_MANY_TABLES, MORE_THAN_ANY], tables.count(), TABLES_MAX);
                for table in tables {
                    self.table(&table?);
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    self.memory(&memory?, budgets);
                }
            }
            Payload::TagSection(tags) => self.note(Some(features::of("exceptions")), tags.range().start),
            Payload::GlobalSection(globals) => {
                self.at_most([TOO_MANY_GLOBALS, MORE_THAN_ANY], globals.count(), GLOBALS_MAX);
                for global in globals {
                    let global = global?;
                    let at = global.init_expr.get_binary_reader().original_position();
                    let found = features::of_value(global.ty.content_type);
                    self.note(found.or_else(|| features::of_constant(&global.init_expr)), at);
                }
            }
            Payload::ElementSection(elements) => {
                self.at_most([TOO_MANY_ELEMENT_SEGMENTS, MERGE_DATA], elements.count(), SEGMENTS_MAX);
                for element in elements {
                    let element = element?;
                    if let ElementKind::Active { offset_expr, .. } = &element.kind {
                        self.note(features::of_constant(offset_expr), element.range.start);
                    }
                    if let ElementItems::Expressions(ty, _) = &element.items {
                        self.note(features::of_value(ValType::Ref(*ty)), element.range.start);
                    }
                }
            }
            Payload::DataSection(segments) => {
                self.at_most([TOO_MANY_DATA_SEGMENTS, MERGE_DATA], segments.count(), SEGMENTS_MAX);
                for segment in segments {
                    let segment = segment?;
                    if let DataKind::Active { offset_expr, .. } = &segment.kind {
                        self.note(features::of_constant(offset_expr), segment.range.start);
                    }
                }
            }
            Payload::ExportSection(exports) => {
                self.at_most([TOO_MANY_EXPORTS, EXPORTS_ALL], exports.count(), EXPORTS_MAX);
                self.exports.are_known = true;
                for export in exports {
                    let export = export?;
                    self.exports.note(export.name, Export { kind: export.kind, index: export.index });
                }
            }
            Payload::CustomSection(section) => self.custom_section(&section),
            Payload::CodeSectionEntry(body) => self.body(body)?,
            _ => {}
        }
        Ok(())
    }

    fn table(&mut self, table: &Table<'a>) {
        self.note(features::of_table(&table.ty), 0);
        if let TableInit::Expr(expression) = &table.init {
            self.note(features::of_constant(expression), expression.get_binary_reader().original_position());
        }
        let initial = table.ty.initial;
        self.exceeds(initial > TABLE_ELEMENTS_MAX, || {
            let message = TABLE_TOO_LARGE.with(&[("elements", &initial), ("most", &TABLE_ELEMENTS_MAX)]);
            Refusal::new(Code::TableTooLarge, message)
        });
    }

    fn memory(&mut self, memory: &MemoryType, budgets: &Budgets) {
        self.memories += 1;
        let second = (self.memories > 1).then(|| features::of("multi_memory"));
        self.note(features::of_memory(memory).or(second), 0);
        let bytes = memory.initial.saturating_mul(64 << 10);
        self.exceeds(bytes > budgets.memory_bytes, || {
            let message = MEMORY_TOO_LARGE.with(&[("bytes", &bytes), ("most", &budgets.memory_bytes)]);
            Refusal::new(Code::MemoryTooLarge, message)
        });
    }

    fn custom_section(&mut self, section: &CustomSectionReader<'a>) {
        self.origin.note(section);
        self.custom_sections += 1;
        self.at_most([TOO_MANY_CUSTOM_SECTIONS, STRIP], self.custom_sections, CUSTOM_SECTIONS_MAX);
        // The whole section, because its name may be of any length.
        self.custom_bytes += section.range().len() as u64;
        let bytes = self.custom_bytes;
        self.exceeds(bytes > CUSTOM_BYTES_MAX, || {
            Refusal::new(Code::TooMany, CUSTOM_BYTES.with(&[("most", &CUSTOM_BYTES_MAX)])).with_hint(STRIP)
        });
    }

    /// What the module wants that is not here: imports, features, or to be started. A feature that a whole compiler is
    /// built on comes first, because it remains when nothing is imported. A build for another machine, such as wasm64,
    /// has an `arena::log` of another type because of one.
    pub(super) fn foreign(&mut self) -> Option<Refusal> {
        let unlinked = self.origin.unlinked();
        let unlinked = unlinked.map(|(what, hint)| Refusal::new(Code::UnknownImport, what).with_hint(hint));
        let of_compiler = self.feature.filter(|(feature, _)| feature.is_of_compiler()).and_then(|_| self.featured());
        let foreign = unlinked.or(of_compiler).or_else(|| self.unknown_import()).or_else(|| self.featured());
        foreign.or_else(|| self.mistyped_import()).or_else(|| self.command())
    }

    /// The first limit that is exceeded.
    pub(super) fn excess(&mut self) -> Option<Refusal> {
        self.excess.take().map(|refusal| self.explained(refusal))
    }

    /// A refusal for a limit: of a build with debug information, that says more than the limit.
    pub(super) fn explained(&self, refusal: Refusal) -> Refusal {
        if self.origin.debug { refusal.with_hint(DEBUG_BUILD) } else { refusal }
    }

    /// Refuses a file that is too large: for what it is, as far as it could be read, and else for its size.
    pub(super) fn too_large(&mut self, size: u64, budgets: &Budgets) -> Refusal {
        let hint = self.origin.hint_of_size().unwrap_or(LARGE);
        let missing = |this: &Self| this.exports.are_known.then(|| this.missing_export()).flatten();
        let refusal = self.foreign().or_else(|| missing(self));
        refusal.unwrap_or_else(|| Refusal::too_large(size, budgets.module_bytes).with_hint(hint))
    }

    fn unknown_import(&mut self) -> Option<Refusal> {
        let asked = self.asked.take()?;
        let message = UNKNOWN_IMPORT.with(&[("name", &format_args!("{:.100}", asked.name))]);
        let refusal = Refusal::new(Code::UnknownImport, message);
        Some(match asked.hint(&self.origin) {
            Some(hint) => refusal.with_hint(hint),
            None => refusal,
        })
    }

    fn mistyped_import(&mut self) -> Option<Refusal> {
        self.mistyped.take().map(|message| Refusal::new(Code::UnknownImport, message))
    }

    fn featured(&self) -> Option<Refusal> {
        let (feature, at) = self.feature?;
        let message = FEATURE.with(&[("feature", &feature.name)]);
        let refusal = Refusal::new(Code::FeatureNotAllowed, message).with_hint(feature.hint);
        Some(if at == 0 { refusal } else { refusal.at(at) })
    }

    /// Whether it expects to be started, or runs its constructors in each call.
    fn command(&self) -> Option<Refusal> {
        let Exports { initialiser, constructors, start, .. } = self.exports;
        let body = constructors.filter(Export::is_function).and_then(|export| self.functions.own(export.index));
        let first = body.and_then(|body| body.get_operators_reader().ok()?.read().ok());
        let has_constructors = first.is_some_and(|operator| !matches!(operator, Operator::End));
        let (message, hint) = if start {
            (HAS_START, self.origin.hint_of_start())
        } else if self.is_wrapped() {
            (IS_WRAPPED, self.origin.hint_of_constructors())
        } else if has_constructors && initialiser.is_none() {
            (HAS_CONSTRUCTORS, self.origin.hint_of_constructors())
        } else {
            return None;
        };
        Some(Refusal::new(Code::Command, message).with_hint(hint))
    }

    /// Whether the functions that the arena calls begin with the same deed, as those do that linkers wrap.
    fn is_wrapped(&self) -> bool {
        let Exports { observation: Some(observation), turn: Some(turn), initialiser, .. } = self.exports else {
            return false;
        };
        let called: Vec<Export> = [Some(turn), Some(observation), initialiser].into_iter().flatten().collect();
        let indices: Vec<u32> = called.iter().map(|export| export.index).collect();
        called.iter().all(Export::is_function) && self.functions.begin_alike(&indices)
    }

    /// An export of the contract that is missing or has another type.
    pub(super) fn missing_export(&self) -> Option<Refusal> {
        let missing = |what: Said, hint| Some(Refusal::new(Code::MissingExport, what).with_hint(hint));
        let Exports { memory, other_memory, observation, turn, initialiser, .. } = &self.exports;
        let forgotten = self.origin.hint_of_missing_export();
        let named = [("arena_observation", observation, Some(ValType::I32)), ("arena_turn", turn, Some(ValType::I64))];
        if let Some((name, ..)) = named.iter().find(|(_, export, _)| export.is_none()) {
            return missing(EXPORT_MISSING.with(&[("name", name)]), forgotten);
        }
        if !memory {
            return match other_memory {
                Some(name) => missing(OTHER_MEMORY.with(&[("name", &format_args!("{name:.40}"))]), EXPORT_MEMORY),
                None => missing(EXPORT_MISSING.with(&[("name", &"memory")]), NO_MEMORY),
            };
        }
        for (name, export, result) in named {
            let params = [ValType::I32];
            if let Some(export) = export.filter(|export| !self.is_function(export, &FuncType::new(params, result))) {
                let what = if export.is_function() { EXPORT_TYPE } else { EXPORT_KIND };
                let wanted = result.map_or("i64", |result| if result == ValType::I32 { "i32" } else { "i64" });
                return missing(what.with(&[("name", &name), ("result", &wanted)]), WRONG_TYPE);
            }
        }
        let initialiser = initialiser.filter(|export| !self.is_function(export, &FuncType::new([], [])));
        initialiser.and_then(|_| missing(INITIALISER_TYPE.with(&[("name", &INITIALISER)]), WRONG_INITIALISER))
    }

    /// Whether an export is a function of this type. One whose type is beyond the limits is not known.
    fn is_function(&self, export: &Export, wanted: &FuncType) -> bool {
        match self.functions.known_type(export.index) {
            Some(ty) => export.is_function() && ty.as_ref() == Some(wanted),
            None => self.excess.is_some(),
        }
    }

    fn note_type(&mut self, ty: &CompositeInnerType) {
        let CompositeInnerType::Func(func) = ty else {
            self.note(Some(features::of_other_type(ty)), 0);
            return self.functions.note_type(None);
        };
        let (params, results) = (func.params().len(), func.results().len());
        let values = func.params().iter().chain(func.results());
        self.note(values.into_iter().find_map(|ty| features::of_value(*ty)), 0);
        self.exceeds(params > PARAMS_MAX || results > CARRIED_MAX, || {
            let message = FUNCTION_TYPE.with(&[
                ("parameters", &params),
                ("counted_parameters", &counted(params, "parameter")),
                ("results", &results),
                ("counted_results", &counted(results, "result")),
                ("parameters_max", &PARAMS_MAX),
                ("results_max", &CARRIED_MAX),
            ]);
            Refusal::new(Code::TooComplex, message)
        });
        self.functions.note_type(Some(func.clone()));
    }

    fn import(&mut self, import: &Import<'_>) {
        if let TypeRef::Func(ty) = import.ty {
            self.functions.imported = self.functions.imported.saturating_add(1);
            self.functions.types_of.push(ty);
        }
        let Some(wanted) = arena_meter::import_type(import.module, import.name) else {
            let asked = Asked::of(import);
            if self.asked.as_ref().is_none_or(|known| asked.tells_more_than(known)) {
                self.asked = Some(asked);
            }
            return;
        };
        let wrong = match import.ty {
            TypeRef::Func(ty) if self.functions.types.get(ty as usize).and_then(Option::as_ref) == Some(&wanted) => {
                return;
            }
            TypeRef::Func(_) => IMPORT_TYPE,
            _ => IMPORT_KIND,
        };
        let name = format_args!("{}::{}", import.module, import.name);
        self.mistyped.get_or_insert_with(|| wrong.with(&[("name", &name)]));
    }

    /// Notes what a function does, and limits the cost of compiling it.
    fn body(&mut self, body: FunctionBody<'a>) -> Result<(), BinaryReaderError> {
        let offset = body.range().start;
        let complex = |message: Said| Refusal::new(Code::TooComplex, message).at(offset);
        let bytes = body.range().len() as u64;
        self.exceeds(bytes > BODY_BYTES_MAX, || {
            complex(BODY_BYTES.with(&[("bytes", &bytes), ("most", &BODY_BYTES_MAX)]))
        });
        let params = self.functions.next_type().map_or(&[][..], FuncType::params);
        let mut locals = params.iter().map(|ty| slots(*ty)).sum::<u64>();
        for group in body.get_locals_reader()? {
            let (count, ty) = group?;
            locals = locals.saturating_add(slots(ty) * u64::from(count));
            self.note(features::of_value(ty), offset);
        }
        self.locals = self.locals.saturating_add(locals);
        let all = self.locals;
        self.exceeds(locals > LOCALS_MAX || all > LOCALS_TOTAL_MAX, || {
            complex(LOCALS.with(&[
                ("locals", &locals),
                ("counted_locals", &counted(locals, "local")),
                ("all", &all),
                ("most", &LOCALS_MAX),
                ("most_in_all", &LOCALS_TOTAL_MAX),
            ]))
        });
        let mut depth = 0_usize;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let (operator, at) = operators.read_with_offset()?;
            self.note(features::of_operator(&operator), at);
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                    depth += 1;
                    self.exceeds(depth > NESTING_MAX, || complex(NESTING.with(&[("most", &NESTING_MAX)])));
                }
                Operator::End => depth = depth.saturating_sub(1),
                Operator::BrTable { targets } => self.branch_targets += u64::from(targets.len()),
                _ => {}
            }
        }
        let targets = self.branch_targets;
        self.exceeds(targets > BRANCH_TARGETS_MAX, || complex(BRANCH_TARGETS.with(&[("most", &BRANCH_TARGETS_MAX)])));
        if self.functions.bodies.len() < FUNCTIONS_MAX as usize {
            self.functions.bodies.push(body);
        }
        Ok(())
    }

    fn note(&mut self, feature: Option<Feature>, at: usize) {
        let tells_more = |feature: &Feature| match self.feature {
            Some((known, _)) => feature.is_of_compiler() && !known.is_of_compiler(),
            None => true,
        };
        if let Some(feature) = feature.filter(tells_more) {
            self.feature = Some((feature, at));
        }
    }

    /// Keeps the first limit that is exceeded.
    fn exceeds(&mut self, does: bool, refusal: impl FnOnce() -> Refusal) {
        if does && self.excess.is_none() {
            self.excess = Some(refusal());
        }
    }

    fn at_most(&mut self, [message, hint]: [Sentence; 2], count: u32, most: u32) {
        self.exceeds(count > most, || {
            Refusal::new(Code::TooMany, message.with(&[("count", &count), ("most", &most)])).with_hint(hint)
        });
    }
}

impl Exports {
    fn note(&mut self, name: &str, export: Export) {
        match name {
            "memory" if export.kind == ExternalKind::Memory => self.memory = true,
            "arena_observation" => self.observation = Some(export),
            "arena_turn" => self.turn = Some(export),
            "_start" => self.start |= export.kind == ExternalKind::Func,
            "__wasm_call_ctors" => self.constructors = Some(export),
            _ if name == INITIALISER => self.initialiser = Some(export),
            _ if export.kind == ExternalKind::Memory => {
                self.other_memory.get_or_insert_with(|| name.chars().take(40).flat_map(char::escape_debug).collect());
            }
            _ => {}
        }
    }
}

/// How many locals a local counts for: a vector is twice as wide as anything else, and is cleared in each call, too.
fn slots(ty: ValType) -> u64 {
    if ty == ValType::V128 { 2 } else { 1 }
}
