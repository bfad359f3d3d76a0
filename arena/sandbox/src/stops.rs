//! Adds stops to a bot, at which its fuel is checked, to see which of its functions uses it.
//!
//! The engine checks fuel at the beginning of a function and of each round of a loop, and notices only there that it is
//! used up. By then another function may be running than the one that used it. So an empty loop is inserted before
//! every call or return that a longer piece of straight code leads to.

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{BlockType, CodeSection, CustomSection, Instruction, Module};
use wasmparser::{BinaryReaderError, CustomSectionReader, FunctionBody, Operator, Parser};

/// Operators in a row that are worth a stop; the fuel of fewer may be attributed to another function.
const STRAIGHT_MIN: u32 = 8;

/// The module with stops. It behaves the same, for a little more fuel: two units for each stop. `None` if the bytes are
/// not a module.
pub fn with_stops(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut module = Module::new();
    WithStops.parse_core_module(&mut module, Parser::new(0), bytes).ok()?;
    Some(module.finish())
}

struct WithStops;

impl Reencode for WithStops {
    type Error = BinaryReaderError;

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        let mut reader = body.get_operators_reader()?;
        let mut path = Path::default();
        while !reader.eof() {
            let operator = reader.clone().read()?;
            if path.leaves(&operator) && path.since >= STRAIGHT_MIN {
                function.instruction(&Instruction::Loop(BlockType::Empty));
                function.instruction(&Instruction::End);
                path.since = 0;
            }
            path.follow(&operator);
            function.instruction(&self.parse_instruction(&mut reader)?);
        }
        code.function(&function);
        Ok(())
    }

    /// Copied unchanged: names may be broken, which does not matter here.
    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        module.section(&CustomSection { name: section.name().into(), data: section.data().into() });
        Ok(())
    }
}

/// The most straight code since the engine last checked, on any path to the current position in a function.
#[derive(Default)]
struct Path {
    since: u32,
    /// For each open block, the maximum anywhere in it, since a branch may have left it from there.
    most: Vec<u32>,
}

impl Path {
    /// Whether the function calls another here, or may return.
    fn leaves(&self, operator: &Operator<'_>) -> bool {
        let is_out = |depth: u32| depth as usize == self.most.len();
        match operator {
            Operator::Call { .. } | Operator::CallIndirect { .. } | Operator::Return => true,
            Operator::End => self.most.is_empty(),
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => is_out(*relative_depth),
            Operator::BrTable { targets } => {
                is_out(targets.default()) || targets.targets().any(|depth| depth.is_ok_and(is_out))
            }
            _ => false,
        }
    }

    fn follow(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::Loop { .. } => {
                self.since = 0;
                self.most.push(0);
            }
            Operator::Block { .. } | Operator::If { .. } => {
                self.since += 1;
                self.most.push(self.since);
            }
            Operator::Else => self.since = self.most.last().copied().unwrap_or(self.since),
            Operator::End => {
                self.since = self.since.max(self.most.pop().unwrap_or(0));
                self.note();
            }
            // The engine checks fuel where the callee begins, and again before it returns.
            Operator::Call { .. } | Operator::CallIndirect { .. } => self.since = 0,
            _ => {
                self.since += 1;
                self.note();
            }
        }
    }

    fn note(&mut self) {
        if let Some(most) = self.most.last_mut() {
            *most = self.since.max(*most);
        }
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Budgets;
    use arena_referee::{Failure, Player};

    use super::*;
    use crate::{Bot, Sandbox, SandboxPlayer};

    /// Functions that end in every possible way, after straight code only. Each uses more than half of its caller's
    /// fuel.
    fn module(leaving: &str) -> Result<Vec<u8>, wat::Error> {
        let work = "(local.set 0 (i32.mul (local.get 0) (i32.const 3)))".repeat(200);
        wat::parse_str(format!(
            r#"(module (memory (export "memory") 1) (table 1 funcref) (elem (i32.const 0) $idle)
            (func $idle (@name "idle"))
            (func $dear (@name "dear") (local i32) (local.set 0 (i32.const 1)) {work} {leaving})
            (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
            (func $turn (@name "turn") (export "arena_turn") (param i32) (result i64)
                (local.set 0 (i32.const 100))
                (loop $round (call $dear) (call $idle)
                    (br_if $round (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
                (i64.const 0x700000000)))"#
        ))
    }

    /// The fuel of a fresh game's first turn with this budget, and which function was running if it ran out.
    fn turn(bot: &Bot, fuel: u64) -> Result<(Option<u64>, Option<String>), Box<dyn std::error::Error>> {
        let mut player = SandboxPlayer::new(bot);
        player.start(8, 1_000).map_err(|failure| format!("{failure:?}"))?;
        match player.turn(&[0; 8], fuel) {
            Ok(reply) => Ok((reply.fuel, None)),
            Err(Failure::Own(_)) => Ok((None, player.frames().first().and_then(|frame| frame.name.clone()))),
            Err(other) => Err(format!("{other:?}").into()),
        }
    }

    #[test]
    fn what_is_no_module_gets_no_stops() {
        assert_eq!(with_stops(b"not a module"), None);
        assert_eq!(with_stops(&[]), None);
    }

    mod slow {
        use super::*;

        #[test]
        fn straight_code_is_seen_in_its_function_however_it_is_left() -> Result<(), Box<dyn std::error::Error>> {
            let sandbox = Sandbox::new()?;
            for leaving in [
                "",
                "(return)",
                "(br 0)",
                "(block (br 1))",
                "(br_if 0 (local.get 0))",
                "(block (br_table 0 1 (local.get 0)))",
                "(if (local.get 0) (then (return)) (else (call $idle)))",
                "(block (br_if 0 (local.get 0)) (call $idle))",
                "(call $idle)",
                "(call_indirect (i32.const 0))",
            ] {
                let plain = module(leaving)?;
                let stopped = with_stops(&plain).ok_or("a module")?;
                let (plain, stopped) =
                    (sandbox.load(&plain, &Budgets::DEFAULT)?, sandbox.load(&stopped, &Budgets::DEFAULT)?);
                let (before, after) = (turn(&plain, 50_000_000)?.0, turn(&stopped, 50_000_000)?.0);
                let (before, after) = before.zip(after).ok_or("both answer, and are metered")?;
                assert!(before <= after && after <= before + before / 20, "{leaving}: {before}, with stops {after}");
                let points = 40;
                let mut dear = 0;
                for point in 0..points {
                    let (fuel, running) = turn(&stopped, after * (2 * point + 1) / (2 * points))?;
                    assert_eq!(fuel, None, "{leaving}: it answers on a part of what it uses");
                    dear += u32::from(running.as_deref() == Some("dear"));
                }
                assert!(dear >= 36, "{leaving}: {dear} of {points} in the function that uses all but a twentieth");
            }
            Ok(())
        }
    }
}
