//! Where the code of a function is changed, and how.
//!
//! Code is divided into pieces: straight code that runs as a whole, unless it traps. A piece is charged where it
//! begins.

use std::cmp::Reverse;
use std::ops::Range;

use wasmparser::{BlockType, Operator};

use crate::advance::{Advances, Place, SEEN};
use crate::float::Float;
use crate::prices::{ENTRY, SMALL_BULK_FUEL, each, price};
use crate::{Checks, MeterError};

/// A change: the bytes of the module that are replaced, and by what.
pub(crate) struct Mark {
    pub(crate) bytes: Range<usize>,
    pub(crate) change: Change,
}

/// What is written in place of some bytes. A depth is the number of open blocks around it.
pub(crate) enum Change {
    /// Charges a piece.
    Charge(Charge),
    /// Charges a bulk operator by the operand on top of the stack, and checks.
    Bulk { each: i64, depth: u32 },
    /// Gives the stack back before a return, whose operator follows.
    Return,
    /// Calls what stands for this imported function.
    Import(u32),
    /// Makes a reference to what stands for this imported function.
    ImportReference(u32),
    /// Makes the NaN on top of the stack the one that all engines have.
    Canonical(Float),
}

/// What is charged where a piece begins.
#[derive(Clone, Copy)]
pub(crate) struct Charge {
    pub(crate) fuel: i64,
    /// What was charged too early where it begins.
    pub(crate) advance: i64,
    pub(crate) reached: Reached,
    pub(crate) kept: Kept,
    pub(crate) depth: u32,
}

/// How a piece is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// A function is entered: fuel is checked after the price of that.
    Entry,
    /// A straight function is called, which charges nothing itself: fuel is checked after the price of entering it.
    Straight,
    /// A straight function returned.
    Back,
    /// A loop begins its next round: fuel is checked before it.
    Round,
    /// A call returned.
    Call,
    /// A branch that leaves a loop is taken, to the label of this depth.
    Exit { label: u32 },
    /// Any other way.
    Plain,
}

/// Where the fuel that is left is at the end of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In the local, where all other pieces look for it.
    Local,
    /// In the global, for a call that follows, or after a return.
    Global,
    /// The code traps, and nobody looks.
    Nowhere,
}

/// The size of the largest change, in bytes; a test compares it.
pub(crate) const CHANGE_BYTES_MAX: u64 = 40;

/// The changes of a function, and what is to be known of its end.
#[derive(Default)]
pub(crate) struct Marked {
    pub(crate) marks: Vec<Mark>,
    /// Branches lead out of all blocks.
    pub(crate) branches_out: bool,
    /// Its end is reached.
    pub(crate) returns: bool,
}

/// The changes of a function, operator by operator.
pub(crate) struct Marks<'a> {
    /// The number of imported functions.
    imported: u32,
    /// What calls of functions cost, their entry included, where their callers charge it.
    straight: &'a [Option<i64>],
    marks: Vec<Mark>,
    /// The last is the current one.
    pieces: Vec<Piece>,
    advances: Advances,
    /// The next operator begins a piece.
    begins: Option<(Reached, Place)>,
    /// The next operator can be reached.
    is_live: bool,
    open: Vec<Open>,
    loops: u32,
    /// The function is counted on the stack.
    is_counted: bool,
    branches_out: bool,
    returns: bool,
    /// The number that the operator before left as a constant.
    constant: Option<u32>,
}

struct Piece {
    charge: Charge,
    /// The place of its charge among the marks.
    mark: usize,
    begin: Place,
    end: Place,
    /// Loops around it.
    loops: u32,
}

/// An open block.
struct Open {
    kind: Kind,
    /// Where a branch to it leads.
    target: Place,
    /// Where it begins if a condition does not hold.
    otherwise: Option<Place>,
    /// It was reached.
    is_live: bool,
    /// Its end is reached by other ways than through the code before it.
    is_joined: bool,
    /// Loops around it, itself included.
    loops: u32,
    /// It takes and leaves no operands.
    is_bare: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loop,
    Block,
    If,
}

impl<'a> Marks<'a> {
    pub(crate) fn new(imported: u32, straight: &'a [Option<i64>], is_counted: bool) -> Marks<'a> {
        Marks {
            imported,
            straight,
            marks: Vec::new(),
            pieces: Vec::new(),
            advances: Advances::new(),
            begins: Some((Reached::Entry, SEEN)),
            is_live: true,
            open: Vec::new(),
            loops: 0,
            is_counted,
            branches_out: false,
            returns: false,
            constant: None,
        }
    }

    /// Takes the next operator, and where it is.
    ///
    /// # Errors
    /// When it has no price.
    pub(crate) fn take(&mut self, operator: &Operator<'_>, bytes: Range<usize>) -> Result<(), MeterError> {
        let mut fuel = price(operator).ok_or(MeterError::Foreign)?;
        if let Some((reached, begin)) = self.begins.take() {
            self.begin(bytes.start..bytes.start, begin, reached, if reached == Reached::Entry { ENTRY } else { 0 });
        }
        let constant = self.constant.take();
        if let Some(each) = each(operator).filter(|_| self.is_live) {
            match constant.map(|length| each * i64::from(length)).filter(|fuel| *fuel <= SMALL_BULK_FUEL) {
                Some(length) => fuel += length,
                None => {
                    self.mark(bytes.start..bytes.start, Change::Bulk { each, depth: self.depth() });
                    self.end_at(SEEN, Kept::Local);
                    self.begin_at(SEEN, Reached::Plain);
                }
            }
        }
        if let Some(piece) = self.pieces.last_mut().filter(|_| self.is_live) {
            piece.charge.fuel += fuel;
        }
        self.follow(operator, bytes);
        Ok(())
    }

    fn follow(&mut self, operator: &Operator<'_>, bytes: Range<usize>) {
        match operator {
            Operator::I32Const { value } => self.constant = Some(value.cast_unsigned()),
            Operator::Block { blockty } => {
                let target = self.advances.place();
                self.open(Kind::Block, *blockty, target, None);
            }
            Operator::Loop { blockty } => {
                self.end_at(SEEN, Kept::Local);
                self.open(Kind::Loop, *blockty, SEEN, None);
                self.begin_at(SEEN, Reached::Round);
            }
            Operator::If { blockty } => {
                let (target, either) = (self.advances.place(), self.advances.place());
                self.end_at(either, Kept::Local);
                self.open(Kind::If, *blockty, target, Some(either));
                self.begin_at(either, Reached::Plain);
            }
            Operator::Else => self.otherwise(),
            Operator::End => self.close(),
            Operator::Br { relative_depth } => {
                let target = self.branch(*relative_depth);
                self.stop(target, Kept::Local);
            }
            Operator::BrIf { relative_depth } => {
                let (label, is_exit) = (*relative_depth, self.is_exit(*relative_depth));
                let target = self.branch(label);
                let place = if is_exit { self.advances.place() } else { target };
                self.end_at(place, Kept::Local);
                if is_exit {
                    self.begin(bytes, place, Reached::Exit { label }, 0);
                    self.end_at(target, Kept::Local);
                }
                self.begin_at(place, Reached::Plain);
            }
            Operator::BrTable { targets } => {
                let target = self.branch(targets.default());
                for depth in targets.targets().flatten() {
                    let other = self.branch(depth);
                    self.advances.unite(target, other, 0);
                }
                self.stop(target, Kept::Local);
            }
            Operator::Return => {
                if self.is_live {
                    self.mark(bytes.start..bytes.start, Change::Return);
                }
                self.stop(SEEN, Kept::Global);
            }
            Operator::Unreachable => {
                let nowhere = self.advances.place();
                self.stop(nowhere, Kept::Nowhere);
            }
            Operator::Call { function_index } if self.is_straight(*function_index) => {
                let fuel = self.straight[*function_index as usize].unwrap_or(0);
                let called = self.advances.place();
                // A function that is counted checks where another returns into it.
                let back = if self.is_counted { SEEN } else { self.advances.place() };
                self.end_at(called, Kept::Local);
                self.begin(bytes.start..bytes.start, called, Reached::Straight, fuel);
                self.end_at(back, Kept::Local);
                self.begin_at(back, Reached::Back);
            }
            Operator::Call { .. } | Operator::CallIndirect { .. } => {
                if let Operator::Call { function_index } = operator
                    && *function_index < self.imported
                {
                    self.mark(bytes, Change::Import(*function_index));
                }
                self.end_at(SEEN, Kept::Global);
                self.begin_at(SEEN, Reached::Call);
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

    fn open(&mut self, kind: Kind, ty: BlockType, target: Place, otherwise: Option<Place>) {
        self.loops += u32::from(kind == Kind::Loop);
        let (is_live, loops, is_bare) = (self.is_live, self.loops, ty == BlockType::Empty);
        self.open.push(Open { kind, target, otherwise, is_live, is_joined: false, loops, is_bare });
    }

    /// The other code of a condition begins.
    fn otherwise(&mut self) {
        let is_live = self.is_live;
        let Some(open) = self.open.last_mut() else { return };
        let (target, entered) = (open.target, open.is_live);
        open.is_joined |= is_live;
        let either = open.otherwise.take();
        self.stop(target, Kept::Local);
        self.is_live = entered;
        self.begin_at(either.unwrap_or(SEEN), Reached::Plain);
    }

    /// A block ends, or the function.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else {
            self.end_at(SEEN, if self.branches_out { Kept::Local } else { Kept::Global });
            self.returns |= self.is_live;
            return;
        };
        self.loops -= u32::from(open.kind == Kind::Loop);
        let otherwise = open.otherwise.filter(|_| open.is_live);
        if open.is_joined || open.kind == Kind::If {
            self.end_at(open.target, Kept::Local);
            self.is_live |= open.is_joined || otherwise.is_some();
            self.begin_at(open.target, Reached::Plain);
        }
        if let Some(otherwise) = otherwise {
            self.advances.unite(open.target, otherwise, 0);
        }
    }

    /// A branch, and where it leads.
    fn branch(&mut self, depth: u32) -> Place {
        let at = self.open.len().checked_sub(1 + depth as usize);
        let Some(open) = at.and_then(|at| self.open.get_mut(at)) else {
            self.branches_out = true;
            self.returns |= self.is_live;
            return SEEN;
        };
        open.is_joined |= self.is_live && open.kind != Kind::Loop;
        open.target
    }

    /// Whether a conditional branch charges what is due where it leads, if it is taken: it leaves a loop, whose rounds
    /// need not charge that.
    fn is_exit(&self, label: u32) -> bool {
        let open = self.open.iter().nth_back(label as usize).filter(|open| self.is_live && open.is_bare);
        open.is_some_and(|open| open.loops < self.loops)
    }

    /// The current piece ends.
    fn end_at(&mut self, place: Place, kept: Kept) {
        if let Some(piece) = self.pieces.last_mut().filter(|_| self.is_live) {
            (piece.end, piece.charge.kept) = (place, kept);
        }
    }

    /// Whether the next operator calls a straight function.
    fn is_straight(&self, function: u32) -> bool {
        self.is_live && self.straight.get(function as usize).is_some_and(Option::is_some)
    }

    /// A piece begins here, with what it costs besides its operators.
    fn begin(&mut self, bytes: Range<usize>, begin: Place, reached: Reached, fuel: i64) {
        let charge = Charge { fuel, advance: 0, reached, kept: Kept::Local, depth: self.depth() };
        self.pieces.push(Piece { charge, mark: self.marks.len(), begin, end: SEEN, loops: self.loops });
        self.mark(bytes, Change::Charge(charge));
    }

    /// The next piece begins.
    fn begin_at(&mut self, place: Place, reached: Reached) {
        self.begins = self.is_live.then_some((reached, place));
    }

    /// The current piece ends, and what comes next is not reached.
    fn stop(&mut self, place: Place, kept: Kept) {
        self.end_at(place, kept);
        self.is_live = false;
    }

    fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    fn mark(&mut self, bytes: Range<usize>, change: Change) {
        self.marks.push(Mark { bytes, change });
    }

    /// All changes of a function for which its callers charge.
    pub(crate) fn of_straight(mut self) -> Marked {
        self.marks.retain(|mark| !matches!(mark.change, Change::Charge(_) | Change::Return));
        Marked { marks: self.marks, branches_out: false, returns: false }
    }

    /// All changes. Where fuel is checked everywhere, each piece is charged where it begins.
    pub(crate) fn finish(mut self, checks: Checks) -> Marked {
        if checks == Checks::ByRule {
            self.spread();
        }
        for Piece { charge, mark, .. } in self.pieces {
            self.marks[mark].change = Change::Charge(charge);
        }
        Marked { marks: self.marks, branches_out: self.branches_out, returns: self.returns }
    }

    /// Charges in advance, so that few pieces are charged: first of all not those for which most code would run, and of
    /// these those in the innermost loops.
    fn spread(&mut self) {
        let cost = |charge: &Charge| match (charge.reached, charge.kept) {
            (Reached::Plain | Reached::Back, Kept::Local) => 2,
            (Reached::Exit { .. }, _) => 1,
            _ => 0,
        };
        let mut order: Vec<&Piece> = self.pieces.iter().collect();
        order.sort_by_key(|piece| Reverse((cost(&piece.charge), piece.loops)));
        for Piece { charge, begin, end, .. } in order {
            self.advances.unite(*begin, *end, charge.fuel);
        }
        let seen = self.advances.find(SEEN).1;
        for Piece { charge, begin, end, .. } in &mut self.pieces {
            charge.advance = self.advances.find(*begin).1 - seen;
            charge.fuel += self.advances.find(*end).1 - seen - charge.advance;
        }
    }
}
