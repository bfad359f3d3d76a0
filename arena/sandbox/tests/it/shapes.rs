//! Modules that are many copies of one function, made from a list of pieces: whatever the list is, the module is valid.

use std::iter;

use arena_rules::Rng;
use wasm_encoder::{CodeSection, FunctionSection, Module, RawSection};
use wasmparser::{Parser, Payload};

use crate::slow::sandbox::sweep::operators::{self, TYPES};

/// An operator on numbers and vectors: its code, and the types of its operands and result.
pub(crate) struct Plain {
    code: Vec<u8>,
    takes: Vec<usize>,
    gives: Option<usize>,
}

/// Functions that pieces call: how many parameters and results of which type.
const CALLEES: [(usize, usize, usize); 8] =
    [(0, 0, 0), (1, 1, 0), (8, 1, 1), (100, 0, 0), (100, 1, 4), (0, 16, 1), (16, 16, 4), (30, 2, 3)];

/// A piece of a function. It takes what it needs from the stack, or from locals where the stack has something else.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// An operator, by its index.
    Plain(usize),
    /// A local, or a constant, of a type.
    Get(usize),
    Const(usize),
    /// Stores what is on the stack in a local of its type, or leaves it in both.
    Set,
    Tee,
    Drop,
    /// One of two values of a type.
    Select(usize),
    /// A branch to the label at this depth, or as deep as there is one.
    Branch(u8),
    BranchIf(u8),
    /// A branch table of so many targets, up to this depth.
    Table(u16, u8),
    Return,
    /// A call, or an indirect one.
    Call(usize, bool),
    /// Operators on what the module has: a global, memory, a table.
    Named(usize),
    /// Pieces in a block of a kind with so many results of a type.
    Block(Kind, u8, usize, Vec<Piece>),
    /// Pieces so many times.
    Times(u16, Vec<Piece>),
}

/// A kind of block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Block,
    Loop,
    If,
    IfElse,
}

/// Operators that name something of the module, with the types of their operands and result.
const NAMED: [(&str, &[usize], Option<usize>); 16] = [
    ("global.get $g", &[], Some(1)),
    ("global.set $g", &[1], None),
    ("global.get $v", &[], Some(4)),
    ("global.set $v", &[4], None),
    ("memory.size", &[], Some(0)),
    ("memory.grow", &[0], Some(0)),
    ("memory.fill", &[0, 0, 0], None),
    ("memory.copy", &[0, 0, 0], None),
    ("memory.init $d", &[0, 0, 0], None),
    ("data.drop $d", &[], None),
    ("table.size $t", &[], Some(0)),
    ("ref.func $c0 ref.is_null", &[], Some(0)),
    ("table.get $t ref.is_null", &[0], Some(0)),
    ("ref.func $c0 table.set $t", &[0], None),
    ("table.copy $t $t", &[0, 0, 0], None),
    ("table.init $t $e", &[0, 0, 0], None),
];

/// A function, and how it is repeated.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Parameters and locals by type.
    pub(crate) params: [u16; 5],
    pub(crate) locals: [u16; 5],
    pub(crate) pieces: Vec<Piece>,
    /// How large the function is, of the largest that is allowed: a half to this power.
    pub(crate) halvings: u8,
}

/// The operators and the means to write functions.
pub(crate) struct Writer {
    plain: Vec<Plain>,
    named: Vec<Vec<u8>>,
    fields: String,
}

impl Writer {
    pub(crate) fn new() -> Writer {
        let fields = fields();
        let index = |ty: &str| TYPES.iter().position(|other| *other == ty).expect("a type");
        let operators = operators::enabled();
        let plain = operators.iter().filter(|operator| operator.name != "unreachable").filter_map(|operator| {
            let (takes, gives) = operator.signature()?;
            Some(Plain {
                code: code_of(&fields, &operator.text()?),
                takes: takes.iter().map(|ty| index(ty)).collect(),
                gives: gives.map(index),
            })
        });
        let plain = plain.collect();
        let named = NAMED.iter().map(|(text, ..)| code_of(&fields, text)).collect();
        Writer { plain, named, fields }
    }

    /// How many operators there are on numbers and vectors.
    pub(crate) fn plain_count(&self) -> usize {
        self.plain.len()
    }

    /// A module with the contract and one function of these pieces, so many times; `None` if the function is too long
    /// to be one.
    pub(crate) fn module(&self, shape: &Shape, times: usize) -> Option<Vec<u8>> {
        let mut body = Body::new(self, shape);
        for _ in 0..times {
            body.all(&shape.pieces);
            body.settle(0);
            if body.is_full() {
                return None;
            }
        }
        let list = |counts: [u16; 5]| -> String {
            (0..5).map(|ty| format!(" {}", TYPES[ty]).repeat(counts[ty].into())).collect()
        };
        let text =
            format!("(module {} (func (param{}) (local{})))", self.fields, list(shape.params), list(shape.locals));
        let mut bodies = bodies_of(&assembled(&text));
        let last = bodies.last_mut().expect("a function");
        last.pop();
        last.extend(body.code);
        last.push(0x0b);
        Some(with_bodies(&assembled(&text), &bodies, 0))
    }
}

fn assembled(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What a module has besides the function that is made.
fn fields() -> String {
    let many = |count: usize, ty: usize| format!(" {}", TYPES[ty]).repeat(count);
    let blocks: String = (0..5)
        .flat_map(|ty| (0..16).map(move |count| (ty, count)))
        .map(|(ty, count)| format!("(type (func (result{})))\n", many(count, ty)))
        .collect();
    let callees: String = CALLEES
        .iter()
        .enumerate()
        .map(|(number, (params, results, ty))| {
            let (params, results) = (many(*params, *ty), many(*results, *ty));
            format!("(type $t{number} (func (param{params}) (result{results}))) (func $c{number} (type $t{number}) unreachable)\n")
        })
        .collect();
    format!(
        r#"{blocks} (memory (export "memory") 1) (table $t 10 funcref) (elem $e func $c0) (data $d "x")
        (global $g (mut i64) (i64.const 0)) (global $v (mut v128) (v128.const i64x2 0 0))
        (func (export "arena_observation") (param i32) (result i32) i32.const 1024)
        (func (export "arena_turn") (param i32) (result i64) i64.const 0) {callees} (func data.drop $d)"#
    )
}

/// The bytes of operators given as text.
fn code_of(fields: &str, text: &str) -> Vec<u8> {
    let bodies = bodies_of(&assembled(&format!("(module {fields} (func {text}))")));
    let last = &bodies[bodies.len() - 1];
    last[1..last.len() - 1].to_vec()
}

/// A function while it is written.
struct Body<'a> {
    writer: &'a Writer,
    /// The locals of each type, parameters among them.
    locals: [Vec<usize>; 5],
    code: Vec<u8>,
    /// Types of waiting operands.
    stack: Vec<usize>,
    /// Types that a branch to each open label carries, the outermost first.
    labels: Vec<Vec<usize>>,
    /// Turns the choice of locals.
    next: usize,
}

/// Operands that pieces leave at most.
const STACK_MAX: usize = 950;
/// Bytes that no function may have.
const CODE_MAX: usize = 140_000;
/// The bytes of the types, as operators give them.
const TYPE_CODES: [u8; 5] = [0x7f, 0x7e, 0x7d, 0x7c, 0x7b];

impl<'a> Body<'a> {
    fn new(writer: &'a Writer, shape: &Shape) -> Body<'a> {
        let types = [shape.params, shape.locals].map(|counts| (0..5).flat_map(move |ty| vec![ty; counts[ty].into()]));
        let types: Vec<usize> = types.into_iter().flatten().collect();
        let of = |ty: usize| (0..types.len()).filter(|local| types[*local] == ty).collect();
        let locals = [0, 1, 2, 3, 4].map(of);
        Body { writer, locals, code: Vec::new(), stack: Vec::new(), labels: vec![Vec::new()], next: 0 }
    }

    fn is_full(&self) -> bool {
        self.code.len() > CODE_MAX
    }

    /// An opcode, and a number.
    fn say(&mut self, opcode: u8, number: usize) {
        self.code.push(opcode);
        leb(number, &mut self.code);
    }

    fn all(&mut self, pieces: &[Piece]) {
        let base = self.stack.len();
        for piece in pieces {
            if self.is_full() {
                return;
            }
            self.piece(piece, base);
            if self.stack.len() > STACK_MAX {
                self.settle(base);
            }
        }
    }

    /// Drops operands down to so many.
    fn settle(&mut self, base: usize) {
        while self.stack.len() > base {
            self.stack.pop();
            self.code.push(0x1a);
        }
    }

    /// A local of this type, if there is one.
    fn local(&mut self, ty: usize) -> Option<usize> {
        let locals = &self.locals[ty];
        let local = locals[self.next.checked_rem(locals.len())?];
        self.next = self.next.wrapping_add(7);
        Some(local)
    }

    fn get(&mut self, ty: usize) {
        match self.local(ty) {
            Some(local) => self.say(0x20, local),
            None => self.constant(ty),
        }
        self.stack.push(ty);
    }

    fn constant(&mut self, ty: usize) {
        let bytes = [4, 8, 16][[0, 0, 0, 1, 2][ty]];
        match ty {
            0 | 1 => self.code.extend([0x41 + ty as u8, 1]),
            2 | 3 => {
                self.code.push(0x41 + ty as u8);
                self.code.extend(&[1; 8][..bytes]);
            }
            _ => {
                self.code.extend([0xfd, 0x0c]);
                self.code.extend([1; 16]);
            }
        }
    }

    /// Makes these types the topmost operands, none of them from below `base`.
    fn want(&mut self, types: &[usize], base: usize) {
        let is_there = |have: &usize| {
            let from = self.stack.len().checked_sub(*have);
            from.is_some_and(|from| from >= base && self.stack[from..] == types[..*have])
        };
        let there = (0..=types.len()).rev().find(is_there).unwrap_or(0);
        for ty in &types[there..] {
            self.get(*ty);
        }
    }

    /// An operator in full: its operands leave the stack, its results come.
    fn apply(&mut self, code: &[u8], takes: &[usize], gives: &[usize], base: usize) {
        self.want(takes, base);
        self.stack.truncate(self.stack.len() - takes.len());
        self.code.extend(code);
        self.stack.extend(gives);
    }

    fn piece(&mut self, piece: &Piece, base: usize) {
        let writer = self.writer;
        match piece {
            Piece::Plain(number) => {
                let plain = &writer.plain[*number];
                self.apply(&plain.code, &plain.takes, plain.gives.as_slice(), base);
            }
            Piece::Named(number) => {
                let number = number % NAMED.len();
                let (_, takes, gives) = NAMED[number];
                self.apply(&writer.named[number], takes, gives.as_slice(), base);
            }
            Piece::Get(ty) => self.get(*ty),
            Piece::Const(ty) => {
                self.constant(*ty);
                self.stack.push(*ty);
            }
            Piece::Set | Piece::Tee if self.stack.len() > base => {
                let ty = self.stack[self.stack.len() - 1];
                let Some(local) = self.local(ty) else { return };
                if matches!(piece, Piece::Tee) {
                    self.say(0x22, local);
                } else {
                    self.stack.pop();
                    self.say(0x21, local);
                }
            }
            Piece::Drop if self.stack.len() > base => self.settle(self.stack.len() - 1),
            Piece::Set | Piece::Tee | Piece::Drop => {}
            Piece::Select(ty) => {
                let code: &[u8] = if *ty == 4 { &[0x1c, 1, 0x7b] } else { &[0x1b] };
                self.apply(code, &[*ty, *ty, 0], &[*ty], base);
            }
            Piece::BranchIf(depth) => {
                let (depth, types) = self.label(*depth);
                self.want(&types, base);
                self.get(0);
                self.stack.pop();
                self.say(0x0d, depth);
            }
            Piece::Branch(_) | Piece::Return | Piece::Table(..) => self.leave(piece),
            Piece::Call(number, indirect) => {
                let number = number % CALLEES.len();
                let (params, results, ty) = CALLEES[number];
                let mut takes = vec![ty; params];
                let mut code = Vec::new();
                if *indirect {
                    takes.push(0);
                    // After the types of blocks.
                    code.push(0x11);
                    leb(80 + number, &mut code);
                    code.push(0);
                } else {
                    // After the contract's.
                    code.extend([0x10, 2 + number as u8]);
                }
                self.apply(&code, &takes, &vec![ty; results], base);
            }
            Piece::Block(kind, results, ty, pieces) => self.block(*kind, *results, *ty, pieces, base),
            Piece::Times(times, pieces) => {
                for _ in 0..*times {
                    if self.is_full() {
                        return;
                    }
                    self.all(pieces);
                }
            }
        }
    }

    /// A label at most so deep, and what a branch to it carries.
    fn label(&self, depth: u8) -> (usize, Vec<usize>) {
        let depth = usize::from(depth).min(self.labels.len() - 1);
        (depth, self.labels[self.labels.len() - 1 - depth].clone())
    }

    /// A branch that is always taken, in a block of its own, so that what follows is reached.
    fn leave(&mut self, piece: &Piece) {
        self.code.extend([0x02, 0x40]);
        let held = self.stack.len();
        match piece {
            Piece::Branch(depth) => {
                let (depth, types) = self.label(*depth);
                types.iter().for_each(|ty| self.get(*ty));
                self.say(0x0c, depth + 1);
            }
            Piece::Table(targets, deepest) => {
                // All targets carry the same as the last.
                let (last, types) = self.label(*deepest);
                let alike = |depth: &usize| self.labels[self.labels.len() - 1 - depth] == types;
                let depths: Vec<usize> = (0..=last).filter(alike).collect();
                types.iter().for_each(|ty| self.get(*ty));
                self.get(0);
                self.say(0x0e, (*targets).into());
                for target in 0..usize::from(*targets) {
                    leb(depths[target % depths.len()] + 1, &mut self.code);
                }
                leb(last + 1, &mut self.code);
            }
            _ => self.code.push(0x0f),
        }
        self.stack.truncate(held);
        self.code.push(0x0b);
    }

    fn block(&mut self, kind: Kind, results: u8, ty: usize, pieces: &[Piece], base: usize) {
        if self.labels.len() > 195 {
            return self.all(pieces);
        }
        let results = vec![ty; results.min(15).into()];
        if matches!(kind, Kind::If | Kind::IfElse) {
            self.want(&[0], base);
            self.stack.pop();
        }
        let opcode = match kind {
            Kind::Block => 0x02,
            Kind::Loop => 0x03,
            Kind::If | Kind::IfElse => 0x04,
        };
        self.code.push(opcode);
        match results.len() {
            0 => self.code.push(0x40),
            1 => self.code.push(TYPE_CODES[ty]),
            // Signed, so that a byte holds 63.
            count => signed(16 * ty + count, &mut self.code),
        }
        let held = self.stack.len();
        self.labels.push(if kind == Kind::Loop { Vec::new() } else { results.clone() });
        let twice = kind == Kind::IfElse || (kind == Kind::If && !results.is_empty());
        for part in 0..=usize::from(twice) {
            if part == 1 {
                self.code.push(0x05);
            }
            if part == 0 || kind == Kind::IfElse {
                self.all(pieces);
            }
            // What is left may be the results already.
            if self.stack[held..] != results {
                self.settle(held);
                results.iter().for_each(|ty| self.get(*ty));
            }
            self.stack.truncate(held);
        }
        self.labels.pop();
        self.code.push(0x0b);
        self.stack.extend(results);
    }
}

fn leb(mut number: usize, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

fn signed(number: usize, into: &mut Vec<u8>) {
    if number < 0x40 { into.push(number as u8) } else { into.extend([number as u8 | 0x80, (number >> 7) as u8]) }
}

/// The bodies of a module's functions.
fn bodies_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let payloads = Parser::new(0).parse_all(bytes).map(|payload| payload.expect("valid"));
    let body = |payload: Payload<'_>| match payload {
        Payload::CodeSectionEntry(body) => Some(bytes[body.range()].to_vec()),
        _ => None,
    };
    payloads.filter_map(body).collect()
}

/// The module with so many copies of its last function.
pub(crate) fn copies(bytes: &[u8], count: usize) -> Vec<u8> {
    with_bodies(bytes, &bodies_of(bytes), count - 1)
}

/// The module with these bodies, the last one so many times more, and without names.
fn with_bodies(bytes: &[u8], bodies: &[Vec<u8>], more: usize) -> Vec<u8> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(bytes).map(|payload| payload.expect("valid")) {
        match payload {
            Payload::FunctionSection(types) => {
                let types: Vec<u32> = types.into_iter().map(|ty| ty.expect("a type")).collect();
                let mut section = FunctionSection::new();
                for ty in types.iter().chain(iter::repeat_n(&types[types.len() - 1], more)) {
                    section.function(*ty);
                }
                module.section(&section);
            }
            Payload::CodeSectionStart { .. } => {
                let mut section = CodeSection::new();
                for body in bodies.iter().chain(iter::repeat_n(&bodies[bodies.len() - 1], more)) {
                    section.raw(body);
                }
                module.section(&section);
            }
            other => {
                if let Some((id, range)) = other.as_section().filter(|(id, _)| ![0, 10].contains(id)) {
                    module.section(&RawSection { id, data: &bytes[range] });
                }
            }
        }
    }
    module.finish()
}

/// A random piece; blocks nest so deep at most.
pub(crate) fn random(rng: &mut Rng, writer: &Writer, depth: usize) -> Piece {
    let below = |rng: &mut Rng, n: usize| rng.below(n as u32) as usize;
    let ty = below(rng, 5);
    match rng.below(if depth == 0 { 14 } else { 18 }) {
        0..5 => Piece::Plain(below(rng, writer.plain_count())),
        5 => Piece::Get(ty),
        6 => Piece::Const(ty),
        7 => Piece::Set,
        8 => [Piece::Tee, Piece::Drop][below(rng, 2)].clone(),
        9 => Piece::Select(ty),
        10 => Piece::BranchIf(below(rng, 6) as u8 * below(rng, 30) as u8),
        11 => match rng.below(3) {
            0 => Piece::Branch(below(rng, 6) as u8),
            1 => Piece::Return,
            _ => Piece::Table(1 << below(rng, 10), below(rng, 200) as u8),
        },
        12 => Piece::Call(below(rng, CALLEES.len()), rng.below(2) == 0),
        13 => Piece::Named(below(rng, NAMED.len())),
        14 => Piece::Times(1 << below(rng, 8), some(rng, writer, depth - 1)),
        _ => {
            let kind = [Kind::Block, Kind::Loop, Kind::If, Kind::IfElse][below(rng, 4)];
            let results = if rng.below(2) == 0 { 0 } else { below(rng, 16) as u8 };
            Piece::Block(kind, results, ty, some(rng, writer, depth - 1))
        }
    }
}

fn some(rng: &mut Rng, writer: &Writer, depth: usize) -> Vec<Piece> {
    (0..=rng.below(4)).map(|_| random(rng, writer, depth)).collect()
}

/// A random shape.
pub(crate) fn shape(rng: &mut Rng, writer: &Writer) -> Shape {
    let mut shape =
        Shape { params: [0; 5], locals: [0; 5], pieces: some(rng, writer, 3), halvings: rng.below(4) as u8 };
    for _ in 0..rng.below(4) {
        change(rng, writer, &mut shape);
    }
    shape
}

/// Changes a shape a little.
pub(crate) fn change(rng: &mut Rng, writer: &Writer, shape: &mut Shape) {
    match rng.below(10) {
        0 => shape.locals[rng.below(5) as usize] = [0, 1, 8, 60, 490][rng.below(5) as usize],
        1 => shape.params[rng.below(5) as usize] = [0, 1, 8, 40][rng.below(4) as usize],
        2 => shape.halvings = rng.below(9) as u8,
        _ => change_pieces(rng, writer, &mut shape.pieces, 3),
    }
}

fn change_pieces(rng: &mut Rng, writer: &Writer, pieces: &mut Vec<Piece>, depth: usize) {
    if pieces.is_empty() {
        pieces.push(random(rng, writer, depth));
        return;
    }
    let at = rng.below(pieces.len() as u32) as usize;
    match rng.below(8) {
        0..2 => pieces.insert(at, random(rng, writer, depth)),
        2 if pieces.len() > 1 => drop(pieces.remove(at)),
        3 => pieces[at] = random(rng, writer, depth),
        4 => pieces.insert(at, pieces[at].clone()),
        5 if depth > 0 => {
            let from = at.saturating_sub(rng.below(3) as usize);
            let inner: Vec<Piece> = pieces.drain(from..=at).collect();
            let wrapped = match random(rng, writer, depth) {
                Piece::Block(kind, results, ty, _) => Piece::Block(kind, results, ty, inner),
                _ => Piece::Times(1 << rng.below(9), inner),
            };
            pieces.insert(from, wrapped);
        }
        _ => match &mut pieces[at] {
            Piece::Times(times, inner) => match rng.below(3) {
                0 => *times = (*times * 2).min(512),
                1 => *times = (*times / 2).max(1),
                _ => change_pieces(rng, writer, inner, depth.saturating_sub(1)),
            },
            Piece::Block(kind, results, ty, inner) => match rng.below(5) {
                0 => *kind = [Kind::Block, Kind::Loop, Kind::If, Kind::IfElse][rng.below(4) as usize],
                1 => *results = rng.below(16) as u8,
                2 => *ty = rng.below(5) as usize,
                _ => change_pieces(rng, writer, inner, depth.saturating_sub(1)),
            },
            other => *other = random(rng, writer, depth),
        },
    }
}
