//! What operators cost. Everything not named here costs 1, and what generates no code (blocks, `nop`, `drop`, ...) 0.

use wasmtime::OperatorCost;

/// Operators by the price of one; what is dear in time is dear in fuel.
macro_rules! prices {
    ($($price:literal: $($operator:ident)*;)*) => {
        /// The price table as the engine takes it.
        pub(crate) fn table() -> OperatorCost {
            let mut table = OperatorCost::new();
            $($(table.$operator = $price;)*)*
            // Growing costs by the page and the element, also when it fails.
            table.variable.memory_grow_per_page = 255;
            table.variable.table_grow_per_element = 2;
            table
        }

        /// The same as text, one price a line, for the semantics id.
        pub(crate) const TEXT: &str =
            concat!($($price, ":" $(, " ", stringify!($operator))*, "\n",)* "variable: memory_grow=255/page table_grow=2/element, memory fill, copy, init 1/byte, table fill, copy, init 1/element\n");
    };
}

prices! {
    2: I32Load I64Load F32Load F64Load I32Load8S I32Load8U I32Load16S I32Load16U I64Load8S I64Load8U I64Load16S I64Load16U
       I64Load32S I64Load32U I32Store I64Store F32Store F64Store I32Store8 I32Store16 I64Store8 I64Store16 I64Store32
       V128Load V128Store Call;
    4: I32DivS I32DivU I32RemS I32RemU F32Div CallIndirect;
    6: I64DivS I64DivU I64RemS I64RemU F64Div F32Sqrt;
    8: F64Sqrt;
    100: MemoryGrow TableGrow;
    150: MemoryFill MemoryCopy MemoryInit TableFill TableCopy TableInit;
}
