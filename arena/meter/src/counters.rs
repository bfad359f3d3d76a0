//! Counters of the fuel that each function uses, for profiles.

use wasm_encoder::{BlockType, InstructionSink};

/// The globals of a function, each of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    /// What it used itself.
    pub(crate) alone: u32,
    /// What it used with all that it called.
    pub(crate) with_calls: u32,
    /// How many of its calls are running.
    running: u32,
    /// The fuel that is left.
    fuel: u32,
}

impl Counters {
    /// The number of its globals.
    pub(crate) const GLOBALS: u32 = 3;

    /// Those of a function; `first` is the first global of all counters.
    pub(crate) fn of(function: u32, first: u32, fuel: u32) -> Counters {
        let alone = first + Counters::GLOBALS * function;
        Counters { alone, with_calls: alone + 1, running: alone + 2, fuel }
    }

    /// Counts a charge.
    pub(crate) fn charge(self, code: &mut InstructionSink<'_>, fuel: i64) {
        add(code, self.alone, fuel);
    }

    /// Counts a charge by length, which is in a local.
    pub(crate) fn charge_each(self, code: &mut InstructionSink<'_>, number: u32, each: i64) {
        code.global_get(self.alone).local_get(number).i64_extend_i32_u().i64_const(each).i64_mul();
        code.i64_add().global_set(self.alone);
    }

    /// Counts the fuel that is left, less what is to be left, which is in a local.
    pub(crate) fn leave_over(self, code: &mut InstructionSink<'_>, left: u32) {
        code.global_get(self.alone).global_get(self.fuel).i64_add();
        code.local_get(left).i64_sub().global_set(self.alone);
    }

    /// At the entry. A recursion counts once. Until the function returns, it counts as using all that is left.
    pub(crate) fn enter(self, code: &mut InstructionSink<'_>) {
        self.if_none_is_running(code);
        code.global_get(self.with_calls).global_get(self.fuel).i64_add();
        code.i64_const(-1).i64_add().global_set(self.with_calls).end();
        add(code, self.running, 1);
    }

    /// Where the function returns, with the fuel in its global.
    pub(crate) fn leave(self, code: &mut InstructionSink<'_>) {
        add(code, self.running, -1);
        self.if_none_is_running(code);
        code.global_get(self.with_calls).i64_const(1).i64_add();
        code.global_get(self.fuel).i64_sub().global_set(self.with_calls).end();
    }

    fn if_none_is_running(self, code: &mut InstructionSink<'_>) {
        code.global_get(self.running).i64_eqz().if_(BlockType::Empty);
    }
}

fn add(code: &mut InstructionSink<'_>, global: u32, number: i64) {
    code.global_get(global).i64_const(number).i64_add().global_set(global);
}
