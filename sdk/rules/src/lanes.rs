//! Four words that are processed at once: a vector register if the target has them, otherwise an array. Compilers vectorise arrays, too,
//! but too few of these.

use core::ops::{Add, BitAnd, BitOr, BitXor};

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use plain as vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as vectors;
#[cfg(target_arch = "x86_64")]
use sse2 as vectors;

/// Words processed at once.
pub(crate) const LANES: usize = 4;

/// Four words. Every operation applies to each word separately.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(vectors::Vector);

impl Lanes {
    pub(crate) const ZERO: Lanes = Lanes(vectors::ZERO);

    #[inline(always)]
    pub(crate) fn new(words: [u32; LANES]) -> Lanes {
        Lanes(vectors::new(words))
    }

    /// The same word four times.
    #[inline(always)]
    pub(crate) fn all(word: u32) -> Lanes {
        Lanes::new([word; LANES])
    }

    #[inline(always)]
    pub(crate) fn words(self) -> [u32; LANES] {
        vectors::words(self.0)
    }

    /// The bits that are not set in `other`, too.
    #[inline(always)]
    pub(crate) fn without(self, other: Lanes) -> Lanes {
        Lanes(vectors::without(self.0, other.0))
    }

    /// Shifted towards the lowest bit.
    #[inline(always)]
    pub(crate) fn down<const BITS: i32>(self) -> Lanes {
        Lanes(vectors::down::<BITS>(self.0))
    }

    /// The bits of each word rotated towards the highest. `UP` and `DOWN` must add up to 32.
    #[inline(always)]
    pub(crate) fn rotated<const UP: i32, const DOWN: i32>(self) -> Lanes {
        const { assert!(UP + DOWN == 32) };
        Lanes(vectors::up::<UP>(self.0)) | self.down::<DOWN>()
    }

    /// The words rotated: each place gets the word `PLACES` places further on.
    #[inline(always)]
    pub(crate) fn turned<const PLACES: usize>(self) -> Lanes {
        const { assert!(0 < PLACES && PLACES < LANES) };
        Lanes(match PLACES {
            1 => vectors::turned_by_one(self.0),
            2 => vectors::turned_by_two(self.0),
            _ => vectors::turned_by_three(self.0),
        })
    }
}

impl BitAnd for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn bitand(self, other: Lanes) -> Lanes {
        Lanes(vectors::and(self.0, other.0))
    }
}

impl BitOr for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn bitor(self, other: Lanes) -> Lanes {
        Lanes(vectors::or(self.0, other.0))
    }
}

impl BitXor for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn bitxor(self, other: Lanes) -> Lanes {
        Lanes(vectors::xor(self.0, other.0))
    }
}

/// Wrapping addition.
impl Add for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn add(self, other: Lanes) -> Lanes {
        Lanes(vectors::add(self.0, other.0))
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the compiler asks for it though every x86-64, and Rust's target for it, has SSE2")]
mod sse2 {
    use core::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_and_si128, _mm_andnot_si128, _mm_or_si128, _mm_shuffle_epi32, _mm_slli_epi32,
        _mm_srli_epi32, _mm_xor_si128,
    };
    use core::mem::transmute;

    pub(super) type Vector = __m128i;

    // SAFETY: as in `new`.
    pub(super) const ZERO: Vector = unsafe { transmute([0_u32; 4]) };

    #[inline(always)]
    pub(super) fn new(words: [u32; 4]) -> Vector {
        // SAFETY: both are four words of 32 bits, and every value of one type is valid for the other.
        unsafe { transmute(words) }
    }

    #[inline(always)]
    pub(super) fn words(a: Vector) -> [u32; 4] {
        // SAFETY: as in `new`.
        unsafe { transmute(a) }
    }

    #[inline(always)]
    pub(super) fn and(a: Vector, b: Vector) -> Vector {
        // SAFETY: SSE2 is available here; the same holds for all that follow.
        unsafe { _mm_and_si128(a, b) }
    }

    #[inline(always)]
    pub(super) fn or(a: Vector, b: Vector) -> Vector {
        unsafe { _mm_or_si128(a, b) }
    }

    #[inline(always)]
    pub(super) fn xor(a: Vector, b: Vector) -> Vector {
        unsafe { _mm_xor_si128(a, b) }
    }

    #[inline(always)]
    pub(super) fn without(a: Vector, b: Vector) -> Vector {
        unsafe { _mm_andnot_si128(b, a) }
    }

    #[inline(always)]
    pub(super) fn add(a: Vector, b: Vector) -> Vector {
        unsafe { _mm_add_epi32(a, b) }
    }

    #[inline(always)]
    pub(super) fn down<const BITS: i32>(a: Vector) -> Vector {
        unsafe { _mm_srli_epi32::<BITS>(a) }
    }

    #[inline(always)]
    pub(super) fn up<const BITS: i32>(a: Vector) -> Vector {
        unsafe { _mm_slli_epi32::<BITS>(a) }
    }

    #[inline(always)]
    pub(super) fn turned_by_one(a: Vector) -> Vector {
        unsafe { _mm_shuffle_epi32::<0b00_11_10_01>(a) }
    }

    #[inline(always)]
    pub(super) fn turned_by_two(a: Vector) -> Vector {
        unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(a) }
    }

    #[inline(always)]
    pub(super) fn turned_by_three(a: Vector) -> Vector {
        unsafe { _mm_shuffle_epi32::<0b10_01_00_11>(a) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use core::arch::wasm32::{u32x4, u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_shuffle};
    pub(super) use core::arch::wasm32::{
        u32x4_add as add, v128 as Vector, v128_and as and, v128_andnot as without, v128_or as or, v128_xor as xor,
    };

    pub(super) const ZERO: Vector = u32x4(0, 0, 0, 0);

    #[inline(always)]
    pub(super) fn new([a, b, c, d]: [u32; 4]) -> Vector {
        u32x4(a, b, c, d)
    }

    #[inline(always)]
    pub(super) fn words(a: Vector) -> [u32; 4] {
        [u32x4_extract_lane::<0>(a), u32x4_extract_lane::<1>(a), u32x4_extract_lane::<2>(a), u32x4_extract_lane::<3>(a)]
    }

    #[inline(always)]
    pub(super) fn down<const BITS: i32>(a: Vector) -> Vector {
        u32x4_shr(a, BITS as u32)
    }

    #[inline(always)]
    pub(super) fn up<const BITS: i32>(a: Vector) -> Vector {
        u32x4_shl(a, BITS as u32)
    }

    #[inline(always)]
    pub(super) fn turned_by_one(a: Vector) -> Vector {
        u32x4_shuffle::<1, 2, 3, 0>(a, a)
    }

    #[inline(always)]
    pub(super) fn turned_by_two(a: Vector) -> Vector {
        u32x4_shuffle::<2, 3, 0, 1>(a, a)
    }

    #[inline(always)]
    pub(super) fn turned_by_three(a: Vector) -> Vector {
        u32x4_shuffle::<3, 0, 1, 2>(a, a)
    }
}

#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
mod plain {
    use core::array::from_fn;

    pub(super) type Vector = [u32; 4];

    pub(super) const ZERO: Vector = [0; 4];

    #[inline(always)]
    pub(super) fn new(words: [u32; 4]) -> Vector {
        words
    }

    #[inline(always)]
    pub(super) fn words(a: Vector) -> [u32; 4] {
        a
    }

    #[inline(always)]
    pub(super) fn and(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] & b[lane])
    }

    #[inline(always)]
    pub(super) fn or(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] | b[lane])
    }

    #[inline(always)]
    pub(super) fn xor(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] ^ b[lane])
    }

    #[inline(always)]
    pub(super) fn without(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] & !b[lane])
    }

    #[inline(always)]
    pub(super) fn add(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(always)]
    pub(super) fn down<const BITS: i32>(a: Vector) -> Vector {
        a.map(|word| word >> BITS)
    }

    #[inline(always)]
    pub(super) fn up<const BITS: i32>(a: Vector) -> Vector {
        a.map(|word| word << BITS)
    }

    #[inline(always)]
    pub(super) fn turned_by_one([a, b, c, d]: Vector) -> Vector {
        [b, c, d, a]
    }

    #[inline(always)]
    pub(super) fn turned_by_two([a, b, c, d]: Vector) -> Vector {
        [c, d, a, b]
    }

    #[inline(always)]
    pub(super) fn turned_by_three([a, b, c, d]: Vector) -> Vector {
        [d, a, b, c]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn vectors_do_what_arrays_do() {
        assert_eq!(Lanes::ZERO.words(), plain::ZERO);
        let mut rng = Rng::new(&[7; 32], 0);
        for _ in 0..1_000 {
            let [a, b] = core::array::from_fn(|_| core::array::from_fn(|_| rng.word()));
            let (x, y) = (Lanes::new(a), Lanes::new(b));
            assert_eq!(x.words(), plain::words(plain::new(a)));
            assert_eq!((x & y).words(), plain::and(a, b));
            assert_eq!((x | y).words(), plain::or(a, b));
            assert_eq!((x ^ y).words(), plain::xor(a, b));
            assert_eq!((x + y).words(), plain::add(a, b));
            assert_eq!(x.without(y).words(), plain::without(a, b));
            assert_eq!(x.down::<1>().words(), plain::down::<1>(a));
            assert_eq!(x.down::<4>().words(), plain::down::<4>(a));
            assert_eq!(x.rotated::<7, 25>().words(), a.map(|word| word.rotate_left(7)));
            assert_eq!(x.turned::<1>().words(), plain::turned_by_one(a));
            assert_eq!(x.turned::<2>().words(), plain::turned_by_two(a));
            assert_eq!(x.turned::<3>().words(), plain::turned_by_three(a));
            assert_eq!(plain::up::<7>(a), a.map(|word| word << 7));
            assert!((1..LANES).zip([plain::turned_by_one, plain::turned_by_two, plain::turned_by_three]).all(
                |(by, turned)| {
                    let mut words = a;
                    words.rotate_left(by);
                    turned(a) == words
                }
            ));
        }
    }
}
