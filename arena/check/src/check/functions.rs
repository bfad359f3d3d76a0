//! The functions of a module, and whether a linker wrapped those that the arena calls.

use std::collections::BTreeSet;

use wasmparser::{FuncType, FunctionBody};

use super::beginning::{Event, Place, Value, events};
use crate::TYPES_MAX;

/// Calls within calls that are followed: a wrapper calls one function that calls all constructors.
const FOLLOWED_MAX: usize = 8;
/// Questions of a beginning that are remembered: a set-up asks once.
const ASKED_MAX: usize = 8;

/// The functions of a module.
#[derive(Default)]
pub(super) struct Functions<'a> {
    /// Function types, as many as are allowed; nothing for others.
    pub(super) types: Vec<Option<FuncType>>,
    /// The type of every imported function, then of others, as many as are allowed.
    pub(super) types_of: Vec<u32>,
    pub(super) imported: u32,
    /// The functions of its own, as many as are allowed.
    pub(super) bodies: Vec<FunctionBody<'a>>,
}

/// What a function does first, before it looks at its arguments.
struct Beginning {
    deed: Deed,
    /// The places that it read before.
    read: BTreeSet<Place>,
    /// What it asked about before; `None` where that is unknown.
    asked: Vec<Option<Place>>,
    entered: BTreeSet<u32>,
}

#[derive(PartialEq, Eq)]
enum Deed {
    /// It writes memory that it has not read. Not a constant by the export itself: compilers leave no constructors for
    /// these, and bots clear what they use in each call.
    Writes(Place, Value),
    /// It runs a function that takes and gives nothing, or only itself.
    Runs(u32),
}

impl<'a> Functions<'a> {
    pub(super) fn note_type(&mut self, ty: Option<FuncType>) {
        if self.types.len() < TYPES_MAX as usize {
            self.types.push(ty);
        }
    }

    /// The type of a function, if it is within the limits; `Some(None)` if it is none of a function.
    pub(super) fn known_type(&self, index: u32) -> Option<&Option<FuncType>> {
        self.types.get(*self.types_of.get(index as usize)? as usize)
    }

    /// The type of the function whose body comes next.
    pub(super) fn next_type(&self) -> Option<&FuncType> {
        self.known_type(self.imported + self.bodies.len() as u32)?.as_ref()
    }

    /// A function of the module's own.
    pub(super) fn own(&self, index: u32) -> Option<&FunctionBody<'a>> {
        self.bodies.get(index.checked_sub(self.imported)? as usize)
    }

    /// Whether these functions begin with the same deed: a linker wrapped them, so that each runs the constructors.
    /// Where they ask first for something that the module changes, it is none of the linker's: a set-up that runs once,
    /// or a check that it ran.
    pub(super) fn begin_alike(&self, functions: &[u32]) -> bool {
        let mut beginnings = functions.iter().map(|index| self.beginning(*index));
        beginnings.next().is_some_and(|first| {
            beginnings.all(|other| other.deed == first.deed)
                && first.asked.first() != Some(&None)
                && !self.changes(&first.asked)
        })
    }

    fn beginning(&self, index: u32) -> Beginning {
        let (read, entered) = <(BTreeSet<Place>, BTreeSet<u32>)>::default();
        let mut begins = Beginning { deed: Deed::Runs(index), read, asked: Vec::new(), entered };
        self.follow(index, 0, &mut begins);
        begins
    }

    /// Follows a function to its first deed, also in others that take and give nothing; returns whether to stop.
    fn follow(&self, index: u32, depth: usize, begins: &mut Beginning) -> bool {
        for event in self.events(index) {
            match event {
                Event::Argument => return true,
                Event::Reads(place) => _ = begins.read.insert(place),
                Event::Asks(place) if begins.asked.len() < ASKED_MAX => begins.asked.push(place),
                Event::Writes(_, _, Value::Constant(_)) if depth == 0 => {}
                Event::Writes(Some(place @ Place::Memory(_)), _, value) if !begins.read.contains(&place) => {
                    begins.deed = Deed::Writes(place, value);
                    return true;
                }
                Event::Calls(index, _) if self.arity(index) == Some((0, 0)) && self.own(index).is_some() => {
                    let is_new = depth < FOLLOWED_MAX && begins.entered.insert(index);
                    if is_new && self.follow(index, depth + 1, begins) {
                        return true;
                    }
                    if depth == 0 {
                        begins.deed = Deed::Runs(index);
                        return true;
                    }
                }
                Event::Asks(_) | Event::Writes(..) | Event::Calls(..) => {}
            }
        }
        false
    }

    /// Whether a function writes to one of these places, or gives one away.
    fn changes(&self, places: &[Option<Place>]) -> bool {
        let is_there = |of: Place, bytes: u64| {
            places.iter().flatten().any(|place| match (of, *place) {
                (Place::Memory(at), Place::Memory(place)) => place >= at && place - at < bytes,
                (of, place) => of == place,
            })
        };
        let is_given = |value: &Value| matches!(value, Value::Constant(at) if is_there(Place::Memory(*at), 1));
        !places.is_empty()
            && (0..self.bodies.len() as u32).flat_map(|own| self.events(self.imported + own)).any(|event| match event {
                Event::Writes(of, bytes, _) => of.is_some_and(|of| is_there(of, bytes)),
                Event::Calls(_, given) => given.iter().any(is_given),
                _ => false,
            })
    }

    fn events(&self, index: u32) -> Vec<Event> {
        let params = self.arity(index).map_or(0, |(params, _)| params);
        self.own(index).map_or_else(Vec::new, |body| events(body, params, |index| self.arity(index)))
    }

    /// The number of parameters and results of a function.
    fn arity(&self, index: u32) -> Option<(usize, usize)> {
        let ty = self.known_type(index)?.as_ref()?;
        Some((ty.params().len(), ty.results().len()))
    }
}
