//! Which NaN an operator leaves is not the same on all machines, so it is made the same.

use wasm_encoder::{Ieee32, Ieee64, InstructionSink, ValType};
use wasmparser::Operator;

/// The shape of floats that an operator computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Float {
    /// A number of 32 bits.
    F32,
    /// A number of 64 bits.
    F64,
    /// A vector of four.
    F32x4,
    /// A vector of two.
    F64x2,
}

macro_rules! computing {
    ($($float:ident: $($operator:ident)*;)*) => {
        impl Float {
            /// What an operator computes, if it may compute a NaN of any bits.
            pub(crate) fn of(operator: &Operator<'_>) -> Option<Float> {
                match operator {
                    $($(Operator::$operator)|* => Some(Float::$float),)*
                    _ => None,
                }
            }
        }
    };
}

computing! {
    F32: F32Add F32Sub F32Mul F32Div F32Min F32Max F32Sqrt F32Ceil F32Floor F32Trunc F32Nearest F32DemoteF64;
    F64: F64Add F64Sub F64Mul F64Div F64Min F64Max F64Sqrt F64Ceil F64Floor F64Trunc F64Nearest F64PromoteF32;
    F32x4: F32x4Add F32x4Sub F32x4Mul F32x4Div F32x4Min F32x4Max F32x4Sqrt F32x4Ceil F32x4Floor F32x4Trunc
           F32x4Nearest F32x4DemoteF64x2Zero;
    F64x2: F64x2Add F64x2Sub F64x2Mul F64x2Div F64x2Min F64x2Max F64x2Sqrt F64x2Ceil F64x2Floor F64x2Trunc
           F64x2Nearest F64x2PromoteLowF32x4;
}

const NAN_F32: u32 = 0x7fc0_0000;
const NAN_F64: u64 = 0x7ff8_0000_0000_0000;
const NAN_F32X4: i128 = 0x7fc0_0000_7fc0_0000_7fc0_0000_7fc0_0000;
const NAN_F64X2: i128 = 0x7ff8_0000_0000_0000_7ff8_0000_0000_0000;

impl Float {
    pub(crate) fn ty(self) -> ValType {
        match self {
            Float::F32 => ValType::F32,
            Float::F64 => ValType::F64,
            Float::F32x4 | Float::F64x2 => ValType::V128,
        }
    }

    /// Replaces the number on top of the stack, or each of a vector, if it is a NaN: it alone differs from itself.
    pub(crate) fn canonical(self, code: &mut InstructionSink<'_>, local: u32) {
        code.local_tee(local);
        match self {
            Float::F32 => code.f32_const(Ieee32::new(NAN_F32)),
            Float::F64 => code.f64_const(Ieee64::new(NAN_F64)),
            Float::F32x4 => code.v128_const(NAN_F32X4),
            Float::F64x2 => code.v128_const(NAN_F64X2),
        };
        code.local_get(local).local_get(local);
        match self {
            Float::F32 => code.f32_eq().select(),
            Float::F64 => code.f64_eq().select(),
            Float::F32x4 => code.f32x4_eq().v128_bitselect(),
            Float::F64x2 => code.f64x2_eq().v128_bitselect(),
        };
    }
}
