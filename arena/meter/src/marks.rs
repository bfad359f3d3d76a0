//! Where the code of a function is changed, and how.
//!
//! Code is divided into pieces: straight code that runs as a whole, unless it traps. A piece is charged where it
//! begins.

use std::ops::Range;

use wasmparser::Operator;

use crate::MeterError;
use crate::float::Float;
use crate::prices::{ENTRY, SMALL_BULK_FUEL, each, price};

/// A change: the bytes of the module that are replaced, and by what.
pub(crate) struct Mark {
    pub(crate) bytes: Range<usize>,
    pub(crate) change: Change,
}

/// What is written in place of some bytes. A depth is the number of open blocks around it.
pub(crate) enum Change {
    /// Charges a piece.
    Charge { fuel: i64, reached: Reached, depth: u32 },
    /// Charges a bulk operator by the operand on top of the stack, and checks.
    Bulk { each: i64, depth: u32 },
    /// Writes the fuel back, and gives the stack back, before a return, whose operator follows.
    Return,
    /// Writes the fuel back before a call, whose operator follows.
    Call,
    /// The same, and calls what stands for this imported function.
    Import(u32),
    /// Makes a reference to what stands for this imported function.
    ImportReference(u32),
    /// Makes the NaN on top of the stack the one that all engines have.
    Canonical(Float),
}

/// How a piece is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// A function is entered: fuel is checked after the price of that.
    Entry,
    /// A loop begins its next round: fuel is checked before it.
    Round,
    /// A call returned.
    Call,
    /// Any other way.
    Plain,
}

/// The size of the largest change, in bytes; a test compares it.
pub(crate) const CHANGE_BYTES_MAX: u64 = 40;

/// The changes of a function, operator by operator.
pub(crate) struct Marks {
    /// The number of imported functions.
    imported: u32,
    marks: Vec<Mark>,
    /// The charge of the current piece, among the marks.
    piece: usize,
    /// The next operator begins a piece.
    begins: Option<Reached>,
    open: Vec<Open>,
    /// The number that the operator before left as a constant.
    constant: Option<u32>,
}

/// An open block: where a branch to it leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// To its beginning.
    Loop,
    /// To its end, but there is none so far.
    Block,
    /// To its end, which several paths reach.
    Joined,
}

impl Marks {
    pub(crate) fn new(imported: u32) -> Marks {
        let (marks, open) = (Vec::new(), Vec::new());
        Marks { imported, marks, piece: 0, begins: Some(Reached::Entry), open, constant: None }
    }

    /// Takes the next operator, and where it is.
    ///
    /// # Errors
    /// When it has no price.
    pub(crate) fn take(&mut self, operator: &Operator<'_>, bytes: Range<usize>) -> Result<(), MeterError> {
        let mut fuel = price(operator).ok_or(MeterError::Foreign)?;
        if let Some(reached) = self.begins.take() {
            self.piece = self.marks.len();
            self.mark(bytes.start..bytes.start, Change::Charge { fuel: 0, reached, depth: self.depth() });
        }
        let constant = self.constant.take();
        if let Some(each) = each(operator) {
            match constant.map(|length| each * i64::from(length)).filter(|fuel| *fuel <= SMALL_BULK_FUEL) {
                Some(length) => fuel += length,
                None => {
                    self.mark(bytes.start..bytes.start, Change::Bulk { each, depth: self.depth() });
                    self.begins = Some(Reached::Plain);
                }
            }
        }
        if let Some(Mark { change: Change::Charge { fuel: piece, .. }, .. }) = self.marks.get_mut(self.piece) {
            *piece += fuel;
        }
        self.follow(operator, bytes);
        Ok(())
    }

    fn follow(&mut self, operator: &Operator<'_>, bytes: Range<usize>) {
        match operator {
            Operator::I32Const { value } => self.constant = Some(value.cast_unsigned()),
            Operator::Block { .. } => self.open.push(Open::Block),
            Operator::Loop { .. } => {
                self.open.push(Open::Loop);
                self.begins = Some(Reached::Round);
            }
            Operator::If { .. } => {
                self.open.push(Open::Joined);
                self.begins = Some(Reached::Plain);
            }
            Operator::Else | Operator::Unreachable => self.begins = Some(Reached::Plain),
            Operator::End if self.open.pop() == Some(Open::Joined) => self.begins = Some(Reached::Plain),
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => {
                self.branch(*relative_depth);
                self.begins = Some(Reached::Plain);
            }
            Operator::BrTable { targets } => {
                self.branch(targets.default());
                targets.targets().flatten().for_each(|depth| self.branch(depth));
                self.begins = Some(Reached::Plain);
            }
            Operator::Return => {
                self.mark(bytes.start..bytes.start, Change::Return);
                self.begins = Some(Reached::Plain);
            }
            Operator::Call { function_index } if *function_index < self.imported => {
                self.mark(bytes, Change::Import(*function_index));
                self.begins = Some(Reached::Call);
            }
            Operator::Call { .. } | Operator::CallIndirect { .. } => {
                self.mark(bytes.start..bytes.start, Change::Call);
                self.begins = Some(Reached::Call);
            }
            Operator::RefFunc { function_index } if *function_index < self.imported => {
                self.mark(bytes, Change::ImportReference(*function_index));
            }
            operator => {
                if let Some(float) = Float::of(operator) {
                    self.mark(bytes.end..bytes.end, Change::Canonical(float));
                }
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let at = self.open.len().checked_sub(1 + depth as usize);
        if let Some(open) = at.and_then(|at| self.open.get_mut(at)).filter(|open| **open == Open::Block) {
            *open = Open::Joined;
        }
    }

    fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    fn mark(&mut self, bytes: Range<usize>, change: Change) {
        self.marks.push(Mark { bytes, change });
    }

    /// The changes that do something.
    pub(crate) fn finish(mut self) -> Vec<Mark> {
        self.marks.retain(|mark| !matches!(mark.change, Change::Charge { fuel: 0, reached: Reached::Plain, .. }));
        if let Some(Mark { change: Change::Charge { fuel, .. }, .. }) = self.marks.first_mut() {
            *fuel += ENTRY;
        }
        self.marks
    }
}
