//! Modules taken apart and put together with a change.

use std::ops::Range;

use wasm_encoder::{CodeSection, Module, RawSection};
use wasmparser::{Operator, Parser, Payload};

/// A module as sections of bytes, with its bodies apart.
#[derive(Clone)]
pub(crate) struct Parts {
    sections: Vec<(u8, Vec<u8>)>,
    pub(crate) bodies: Vec<Vec<u8>>,
}

/// The number of the section of code.
const CODE: u8 = 10;

impl Parts {
    pub(crate) fn of(module: &[u8]) -> Parts {
        let mut parts = Parts { sections: Vec::new(), bodies: Vec::new() };
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload.expect("a module");
            if let Payload::CodeSectionEntry(body) = &payload {
                parts.bodies.push(module[body.range()].to_vec());
            }
            if let Some((id, range)) = payload.as_section() {
                parts.sections.push((id, if id == CODE { Vec::new() } else { module[range].to_vec() }));
            }
        }
        parts
    }

    pub(crate) fn module(&self) -> Vec<u8> {
        let mut module = Module::new();
        for (id, data) in &self.sections {
            if *id == CODE {
                let mut code = CodeSection::new();
                for body in &self.bodies {
                    code.raw(body);
                }
                module.section(&code);
            } else {
                module.section(&RawSection { id: *id, data });
            }
        }
        module.finish()
    }

    /// The content of a section is changed, or it is added before another.
    pub(crate) fn with_section(&self, id: u8, before: u8, data: &[u8]) -> Vec<u8> {
        let mut parts = self.clone();
        match parts.sections.iter_mut().find(|(other, _)| *other == id) {
            Some((_, old)) => *old = data.to_vec(),
            None => {
                let at = parts.sections.iter().position(|(other, _)| *other == before).expect("a section");
                parts.sections.insert(at, (id, data.to_vec()));
            }
        }
        parts.module()
    }

    /// The module with other bytes for some of a body's.
    pub(crate) fn with_code(&self, body: usize, bytes: Range<usize>, code: &[u8]) -> Vec<u8> {
        let mut parts = self.clone();
        parts.bodies[body].splice(bytes, code.iter().copied());
        parts.module()
    }
}

/// The operators of a body, with the bytes of each.
pub(crate) fn operators(body: &[u8]) -> Vec<(Operator<'_>, Range<usize>)> {
    let body = wasmparser::FunctionBody::new(wasmparser::BinaryReader::new(body, 0));
    let mut reader = body.get_operators_reader().expect("code");
    let mut all = Vec::new();
    while !reader.eof() {
        let (operator, at) = reader.read_with_offset().expect("an operator");
        all.push((operator, at..reader.original_position()));
    }
    all
}
