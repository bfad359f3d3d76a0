//! Each operator on numbers and vectors, on operands of all kinds, as constants and from memory. What it leaves is
//! written, so that memories differ where results do.

use arena_record::Bytes;

use super::machine::Machine;
use super::vectors::{Asked, Call, Game, Vector, calls};
use super::{ENGINE, OWN, PLENTY, turning};
use crate::slow::sandbox::sweep::operators::{Operator, enabled};

/// Where an observation is, and the operands in it, each in as many bytes as a vector.
const OBSERVED: usize = 1024;
const OPERAND_BYTES: usize = 16;
/// Where the result of operands from memory is written, and that of constants.
const RESULTS: [usize; 2] = [64, 96];
/// NaNs and other bits at both ends of memory.
const DATA: &str = r#"(data (i32.const 0) "\01\00\a0\7f\01\00\a0\ff\00\00\00\00\00\00\f4\7f\ff\ff\ff\ff\80\00\00\c0\7f")
    (data (i32.const 65519) "\ff\01\00\80\ff\01\00\00\00\00\00\f0\ff\00\00\c0\7f")"#;

/// Bits of 32: numbers on both sides of what operators tell apart, then NaNs: quiet and not, of both signs, with and
/// without a payload.
const F32: [u32; 18] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbfc0_0000,
    0x4020_0000,
    0x4f32_d05e,
    0x7f7f_ffff,
    1,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7fc0_0001,
    0xffff_ffff,
    0x7fa0_0000,
    0xffa0_0000,
    0x7f80_0001,
    0xffbf_ffff,
];

/// The same of 64 bits.
const F64: [u64; 18] = [
    0,
    0x8000_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff8_0000_0000_0000,
    0x4004_0000_0000_0000,
    0x43ea_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    1,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_0000,
    0x7ff8_0000_0000_0001,
    0xffff_ffff_ffff_ffff,
    0x7ff4_0000_0000_0000,
    0xfff4_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0xfff7_ffff_ffff_ffff,
];

/// The bits of values of a type.
fn values(ty: &str) -> Vec<u128> {
    match ty {
        "i32" => [0, 1, u32::MAX, 1 << 31, 0x1234_5679, 65_520].map(u128::from).into(),
        "i64" => [0, 1, u64::MAX, 1 << 63, 0x1234_5678_9abc_def1].map(u128::from).into(),
        "f32" => F32.map(u128::from).into(),
        "f64" => F64.map(u128::from).into(),
        // Each number and each NaN in some lane, beside others.
        _ => {
            let fours = (0..F32.len())
                .step_by(2)
                .map(|at| (0..4).map(|lane| u128::from(F32[(at + 5 * lane) % F32.len()]) << (32 * lane)).sum());
            let twos =
                (0..F64.len()).step_by(2).map(|at| u128::from(F64[at]) | u128::from(F64[(at + 5) % F64.len()]) << 64);
            [0, u128::MAX, 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210].into_iter().chain(fours).chain(twos).collect()
        }
    }
}

/// A constant with these bits, as text.
fn constant(ty: &str, bits: u128) -> String {
    let nan = |is_negative: bool, payload: u64| format!("{}nan:{payload:#x}", if is_negative { "-" } else { "" });
    let number = match ty {
        "f32" if f32::from_bits(bits as u32).is_nan() => nan(bits >> 31 == 1, bits as u64 & 0x7f_ffff),
        "f64" if f64::from_bits(bits as u64).is_nan() => nan(bits >> 63 == 1, bits as u64 & 0xf_ffff_ffff_ffff),
        "f32" => format!("{:?}", f32::from_bits(bits as u32)),
        "f64" => format!("{:?}", f64::from_bits(bits as u64)),
        "v128" => format!("i64x2 {} {}", bits as u64, (bits >> 64) as u64),
        _ => bits.to_string(),
    };
    format!("{ty}.const {number} ")
}

/// Every choice of a value for each operand; of three operands the others follow the first.
fn choices(types: &[&str]) -> Vec<Vec<u128>> {
    let values: Vec<Vec<u128>> = types.iter().map(|ty| values(ty)).collect();
    match &values[..] {
        [] => vec![vec![]],
        [one, other] => one.iter().flat_map(|one| other.iter().map(|other| vec![*one, *other])).collect(),
        [first, ..] => (0..first.len())
            .map(|at| values.iter().zip(0..).map(|(all, place)| all[(at + 7 * place) % all.len()]).collect())
            .collect(),
    }
}

/// A bot that does what its observation says, and the observations: the number of a choice, counted from 1, for the
/// operator on constants, or 0, and operands.
fn module(text: &str, types: &[&str], result: Option<&str>) -> (Vec<u8>, Vec<Vec<u8>>) {
    let choices = choices(types);
    let on = |at: usize, operands: &str| match result {
        Some(ty) => format!("i32.const {at} {operands} {text} {ty}.store"),
        None => format!("{operands} {text}"),
    };
    let operands =
        types.iter().zip(1..).map(|(ty, place)| format!("i32.const {} {ty}.load ", OBSERVED + OPERAND_BYTES * place));
    let mut body = format!(
        "(local.set 0 (i32.load (i32.const {OBSERVED}))) (if (i32.eqz (local.get 0)) (then {}))",
        on(RESULTS[0], &operands.collect::<String>())
    );
    let mut observations = Vec::new();
    for (number, choice) in (1_u32..).zip(&choices) {
        let constants: String = types.iter().zip(choice).map(|(ty, bits)| constant(ty, *bits)).collect();
        body += &format!("(if (i32.eq (local.get 0) (i32.const {number})) (then {}))", on(RESULTS[1], &constants));
        let bits = choice.iter().flat_map(|bits| bits.to_le_bytes());
        let asked = [0, number].map(|number| {
            let number = u128::from(number).to_le_bytes();
            number.into_iter().chain(bits.clone()).collect::<Vec<u8>>()
        });
        observations.extend(asked);
    }
    (turning(DATA, &format!("{body} (i64.const 0)")), observations)
}

/// What an engine makes of all observations, in as many games as that takes: one ends with a turn that traps.
fn games(machine: &Machine, module: &[u8], observations: &[Vec<u8>]) -> Vec<Vec<Call>> {
    let program = machine.load(module);
    let (mut games, mut left) = (Vec::new(), observations);
    while !left.is_empty() {
        let turns = left.iter().map(|observation| (Asked::Turn(Bytes(observation.clone())), PLENTY));
        let asked: Game = [(Asked::Start(left[0].len() as u32), PLENTY)].into_iter().chain(turns).collect();
        let game = calls(&program, asked);
        left = &left[game.len() - 1..];
        games.push(game);
    }
    games
}

/// Every so many operators on numbers and vectors, on all operands; NaNs are those that an engine makes canonical by
/// itself.
pub(crate) fn on_all_operands(every: usize) -> Vec<Vector> {
    let operators = enabled().into_iter().filter_map(|operator| {
        let (text, (types, result)) = (operator.text()?, operator.signature()?);
        (operator.name != "unreachable").then_some((operator, text, types, result))
    });
    let vector = |(Operator { name, .. }, text, types, result): (Operator, String, Vec<&str>, Option<&str>)| {
        let (module, observations) = module(&text, &types, result);
        let [engine, own] = [&ENGINE, &OWN].map(|machine| games(machine, &module, &observations));
        assert_eq!(engine, own, "{name}");
        Vector { what: name, module: Bytes(module), games: own }
    };
    operators.step_by(every).map(vector).collect()
}
