//! What the first pass notes of a module.

use std::collections::BTreeSet;

use wasmparser::{FuncType, FunctionBody, ValType};

use crate::marks::Marked;
use crate::prices::ENTRY;

/// A function that bots may import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Import {
    /// `arena.log`
    Log,
    /// `arena.fuel`
    Fuel,
}

impl Import {
    pub(crate) fn named(module: &str, name: &str) -> Option<Import> {
        match (module, name) {
            ("arena", "log") => Some(Import::Log),
            ("arena", "fuel") => Some(Import::Fuel),
            _ => None,
        }
    }

    pub(crate) fn ty(self) -> FuncType {
        match self {
            Import::Log => FuncType::new([ValType::I32, ValType::I32], []),
            Import::Fuel => FuncType::new([], [ValType::I64]),
        }
    }
}

/// The type of the function that bots may import by this name, if there is one.
pub fn import_type(module: &str, name: &str) -> Option<FuncType> {
    Import::named(module, name).map(Import::ty)
}

/// What is known of a module besides its bytes.
#[derive(Default)]
pub(crate) struct Facts<'a> {
    pub(crate) types: Vec<FuncType>,
    /// The type of each function, imported ones first.
    pub(crate) functions: Vec<u32>,
    pub(crate) imports: Vec<Import>,
    pub(crate) globals: u32,
    /// What each function uses is counted.
    pub(crate) counts: bool,
    /// The start function.
    pub(crate) start: Option<u32>,
    /// Functions of which there are references, so that any indirect call may call them.
    pub(crate) taken: BTreeSet<u32>,
    /// Functions that are named outside of code. Code can make references to these alone.
    pub(crate) named: BTreeSet<u32>,
    pub(crate) bodies: Vec<Body<'a>>,
    /// The units that a call of each of these takes, `None` where they are not counted.
    pub(crate) units: Vec<Option<u32>>,
    /// Fuel for active data segments.
    pub(crate) data_fuel: u64,
}

/// A function that the module defines.
pub(crate) struct Body<'a> {
    pub(crate) body: FunctionBody<'a>,
    /// Where its code is to be changed, in order.
    pub(crate) marked: Marked,
    /// Parameters and locals.
    pub(crate) locals: u32,
    /// Units of the stack for a call of it alone.
    pub(crate) units: u32,
    /// Fuel for a call of it, its entry included, if each takes the same.
    pub(crate) fuel: Option<i64>,
    /// Functions that it calls.
    pub(crate) calls: BTreeSet<u32>,
    /// Types of which it calls functions indirectly.
    pub(crate) indirect: BTreeSet<u32>,
}

impl Facts<'_> {
    /// The number of imported functions.
    pub(crate) fn imported(&self) -> u32 {
        self.imports.len() as u32
    }

    /// The fuel of each function for which its callers charge: each call takes the same, it is not counted on the
    /// stack, and it can be called by its number alone.
    pub(crate) fn straight(&self) -> Vec<Option<i64>> {
        let is_called_otherwise = |function: &u32| self.taken.contains(function) || self.named.contains(function);
        let own = (self.imported()..)
            .zip(self.bodies.iter().zip(&self.units))
            .map(|(function, (body, units))| body.fuel.filter(|_| units.is_none() && !is_called_otherwise(&function)));
        self.imports.iter().map(|_| None).chain(own).collect()
    }

    /// Fuel that a game's start takes before any code of the bot runs.
    pub(crate) fn start_fuel(&self) -> u64 {
        let call = u64::from(self.start.is_some());
        let entry = if self.data_fuel + call > 0 { ENTRY.unsigned_abs() } else { 0 };
        entry + self.data_fuel + call
    }
}
