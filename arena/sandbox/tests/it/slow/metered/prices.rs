//! The engine's form of the price table, for its own fuel.

use wasmtime::OperatorCost;

macro_rules! table {
    (
        priced { $($price:literal: $($operator:ident)*;)* }
        usual { $($usual:literal: $($other:ident)*;)* }
        bulk { $($each:literal: $bulk:ident $name:ident;)* }
    ) => {
        /// The price table in the engine's form.
        pub(crate) fn table() -> OperatorCost {
            let mut table = OperatorCost::new();
            $($(table.$operator = $price;)*)*
            $($(table.$other = $usual;)*)*
            $(table.variable.$name = $each;)*
            table
        }
    };
}

arena_meter::for_each_price!(table);
