//! Features that bots may not use, by their own names.

use wasmparser::{
    AbstractHeapType, CompositeInnerType, ConstExpr, HeapType, MemoryType, Operator, RefType, TableType, ValType,
};

use super::hints::EXCEPTIONS;

/// A feature that bots may not use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Feature {
    /// The proposal that brought it, as the parser groups operators.
    proposal: &'static str,
    pub(super) name: &'static str,
    /// How compilers leave it out.
    pub(super) hint: &'static str,
}

macro_rules! features {
    ($($proposal:ident: $name:literal, $hint:expr;)*) => {
        const ALL: &[Feature] =
            &[$(Feature { proposal: stringify!($proposal), name: $name, hint: $hint }),*];
    };
}

features! {
    threads: "threads (atomics and shared memory)",
        "build without threads: leave out -pthread and -matomics, and in Rust the target feature `atomics`";
    tail_call: "tail calls",
        "build without tail calls: clang -mno-tail-call, Rust without the target feature `tail-call`";
    exceptions: "exceptions", EXCEPTIONS;
    legacy_exceptions: "exceptions", EXCEPTIONS;
    relaxed_simd: "relaxed SIMD",
        "build without relaxed SIMD, whose results differ between machines; plain SIMD (simd128) may stay";
    externref: "references to something else than functions (externref)",
        "build without reference types: clang -mno-reference-types, Rust without wasm-bindgen; only funcref may stay";
    gc: "garbage collection (GC)",
        "compilers to WebAssembly GC make no bots: use a language with its own memory, in MoonBit --target wasm";
    function_references: "typed references to functions",
        "compilers to WebAssembly GC make no bots: use a language with its own memory";
    memory64: "64-bit memory",
        "build for wasm32, not for wasm64";
    multi_memory: "several memories",
        "build with one memory, and do not merge modules (wasm-merge)";
    custom_page_sizes: "pages of another size",
        "leave out --page-size: a page has 64 KiB";
    extended_const: "constant expressions with arithmetic (extended-const)",
        "build without extended-const: clang -mno-extended-const, Rust -C target-feature=-extended-const, and not as \
         position-independent code";
    wide_arithmetic: "wide arithmetic",
        "build without wide arithmetic: Rust and Zig without the target feature `wide-arithmetic`";
    stack_switching: "stack switching",
        "build without stack switching: no operation of a bot may wait";
}

/// Any other one.
const OTHER: Feature = Feature {
    proposal: "",
    name: "a newer feature",
    hint: "build for plain wasm32: ABI.md has the features that bots may use",
};

/// The hint of each, with its name.
#[cfg(test)]
pub(super) fn hints() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().chain([&OTHER]).map(|feature| (feature.name, feature.hint))
}

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
