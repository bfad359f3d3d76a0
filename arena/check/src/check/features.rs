//! Features that bots may not use, by their own names.

use wasmparser::{
    AbstractHeapType, CompositeInnerType, ConstExpr, HeapType, MemoryType, Operator, RefType, TableType, ValType,
};

use arena_record::Sentence;

use crate::sentences::*;

/// A feature that bots may not use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Feature {
    /// The proposal that brought it, as the parser groups operators.
    proposal: &'static str,
    pub(super) name: &'static str,
    /// How compilers leave it out.
    pub(super) hint: Sentence,
}

impl Feature {
    /// Whether no option leaves it out, or it asks for another compiler: what is imported beside it does not matter.
    pub(super) fn is_of_compiler(&self) -> bool {
        ["gc", "function_references", "memory64", "exceptions", "legacy_exceptions"].contains(&self.proposal)
    }
}

macro_rules! features {
    ($($proposal:ident: $name:literal, $hint:ident;)*) => {
        const ALL: &[Feature] =
            &[$(Feature { proposal: stringify!($proposal), name: $name, hint: $hint }),*];
    };
}

features! {
    threads: "threads (atomics and shared memory)", NO_THREADS;
    tail_call: "tail calls", NO_TAIL_CALLS;
    exceptions: "exceptions", EXCEPTIONS;
    legacy_exceptions: "exceptions", EXCEPTIONS;
    relaxed_simd: "relaxed SIMD", NO_RELAXED_SIMD;
    externref: "references to something else than functions (externref)", NO_REFERENCES;
    gc: "garbage collection (GC)", NO_GC;
    function_references: "typed references to functions", NO_FUNCTION_REFERENCES;
    memory64: "64-bit memory", NO_MEMORY64;
    multi_memory: "several memories", ONE_MEMORY;
    custom_page_sizes: "pages of another size", NO_PAGE_SIZE;
    extended_const: "constant expressions with arithmetic (extended-const)", NO_EXTENDED_CONST;
    wide_arithmetic: "wide arithmetic", NO_WIDE_ARITHMETIC;
    stack_switching: "stack switching", NO_STACK_SWITCHING;
}

/// Any other one.
const OTHER: Feature = Feature { proposal: "", name: "a newer feature", hint: ALLOWED_FEATURES };

/// The feature that a proposal brought.
pub(super) fn of(proposal: &str) -> Feature {
    *ALL.iter().find(|feature| feature.proposal == proposal).unwrap_or(&OTHER)
}

macro_rules! proposals {
    ($(@$proposal:ident $op:ident $({ $($argument:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
        /// The proposal that brought an operator.
        fn proposal(operator: &Operator<'_>) -> &'static str {
            match operator {
                $(Operator::$op { .. } => stringify!($proposal),)*
                _ => "",
            }
        }
    };
}

wasmparser::for_each_operator!(proposals);

/// The proposals whose operators bots may use; of reference types only those for functions.
const ALLOWED: [&str; 6] =
    ["mvp", "sign_extension", "saturating_float_to_int", "bulk_memory", "reference_types", "simd"];

/// The feature of an operator, if bots may not use it.
pub(super) fn of_operator(operator: &Operator<'_>) -> Option<Feature> {
    if let Operator::RefNull { hty } = operator {
        return of_heap(*hty);
    }
    if let Operator::TypedSelect { ty } = operator {
        return of_value(*ty);
    }
    let proposal = proposal(operator);
    (!ALLOWED.contains(&proposal)).then(|| of(proposal))
}

/// The same for a type of values.
pub(super) fn of_value(ty: ValType) -> Option<Feature> {
    match ty {
        ValType::Ref(reference) => of_reference(reference),
        _ => None,
    }
}

fn of_reference(reference: RefType) -> Option<Feature> {
    if reference == RefType::FUNCREF {
        None
    } else {
        of_heap(reference.heap_type()).or(Some(of("function_references")))
    }
}

fn of_heap(heap: HeapType) -> Option<Feature> {
    match heap {
        HeapType::Abstract { ty: AbstractHeapType::Func, .. } => None,
        HeapType::Abstract { ty: AbstractHeapType::Extern, .. } => Some(of("externref")),
        HeapType::Abstract { ty: AbstractHeapType::Exn | AbstractHeapType::NoExn, .. } => Some(of("exceptions")),
        HeapType::Abstract { ty: AbstractHeapType::Cont | AbstractHeapType::NoCont, .. } => Some(of("stack_switching")),
        HeapType::Abstract { .. } => Some(of("gc")),
        _ => Some(of("function_references")),
    }
}

/// The feature of a type that is not a function's.
pub(super) fn of_other_type(ty: &CompositeInnerType) -> Feature {
    of(if matches!(ty, CompositeInnerType::Cont(_)) { "stack_switching" } else { "gc" })
}

pub(super) fn of_memory(memory: &MemoryType) -> Option<Feature> {
    let named = [
        (memory.memory64, "memory64"),
        (memory.shared, "threads"),
        (memory.page_size_log2.is_some(), "custom_page_sizes"),
    ];
    named.iter().find(|(uses, _)| *uses).map(|(_, proposal)| of(proposal))
}

pub(super) fn of_table(table: &TableType) -> Option<Feature> {
    if table.table64 { Some(of("memory64")) } else { of_reference(table.element_type) }
}

/// The feature of an expression that gives a constant.
pub(super) fn of_constant(expression: &ConstExpr<'_>) -> Option<Feature> {
    let operators = expression.get_operators_reader().into_iter().map_while(Result::ok);
    operators.into_iter().find_map(|operator| match operator {
        Operator::I32Add | Operator::I32Sub | Operator::I32Mul => Some(of("extended_const")),
        Operator::I64Add | Operator::I64Sub | Operator::I64Mul => Some(of("extended_const")),
        other => of_operator(&other),
    })
}
