//! The prices of operators. All that are not listed cost 1, except those that end a block or generate no code (`end`,
//! `else`, `return`, `unreachable`, `nop`, `drop`), which cost 0.
//!
//! `cargo xtask prices` measures whether they are right: no unit of fuel should buy much more time than another.

use wasmtime::OperatorCost;

/// The version of the table, increased with each change. The golden counts of `tests/it/slow/sandbox/fuel.rs` show what
/// changed.
pub(crate) const VERSION: u32 = 2;

/// Operators by price. Prices follow time.
macro_rules! prices {
    ($($price:literal: $($operator:ident)*;)*) => {
        /// The price table in the engine's form.
        pub(crate) fn table() -> OperatorCost {
            let mut table = OperatorCost::new();
            $($(table.$operator = $price;)*)*
            // Growing costs by the page and by the element, even if it fails.
            table.variable.memory_grow_per_page = 255;
            table.variable.table_grow_per_element = 2;
            table.variable.table_copy_per_element = 4;
            table
        }

        /// The table as text, one price a line, for the semantics id.
        pub(crate) const TEXT: &str =
            concat!($($price, ":" $(, " ", stringify!($operator))*, "\n",)* "variable: memory_grow=255/page table_grow=2/element, memory fill, copy, init 1/byte, table fill, init 1/element, copy 4/element\n");
    };
}

prices! {
    1: Block;
    2: Loop
       F32Ceil F32Floor F32Trunc F32Nearest F64Ceil F64Floor F64Trunc F64Nearest
       F32x4Ceil F32x4Floor F32x4Trunc F32x4Nearest F64x2Ceil F64x2Floor F64x2Trunc F64x2Nearest
       F32x4Min F32x4Max F64x2Min F64x2Max;
    3: I32x4TruncSatF32x4S I32x4TruncSatF32x4U I32x4TruncSatF64x2SZero I32x4TruncSatF64x2UZero
       F32x4ConvertI32x4S F32x4ConvertI32x4U F64x2ConvertLowI32x4S F64x2ConvertLowI32x4U
       F32x4DemoteF64x2Zero F64x2PromoteLowF32x4;
    4: I32Store I64Store F32Store F64Store I32Store8 I32Store16 I64Store8 I64Store16 I64Store32
       V128Store V128Store8Lane V128Store16Lane V128Store32Lane V128Store64Lane
       I32DivS I32DivU I32RemS I32RemU;
    6: I32Load I64Load F32Load F64Load I32Load8S I32Load8U I32Load16S I32Load16U
       I64Load8S I64Load8U I64Load16S I64Load16U I64Load32S I64Load32U
       V128Load V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S V128Load32x2U
       V128Load8Splat V128Load16Splat V128Load32Splat V128Load64Splat V128Load32Zero V128Load64Zero
       V128Load8Lane V128Load16Lane V128Load32Lane V128Load64Lane
       I64DivS I64DivU I64RemS I64RemU
       F32Mul F64Mul F32x4Mul F64x2Mul;
    8: F32Sqrt F64Sqrt;
    10: F32Div F64Div F32x4Div F64x2Div F32x4Sqrt F64x2Sqrt;
    20: RefFunc ElemDrop DataDrop;
    25: Call;
    30: CallIndirect;
    100: MemoryGrow TableGrow;
    150: MemoryFill MemoryCopy MemoryInit TableFill TableCopy TableInit;
}
