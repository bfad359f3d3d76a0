//! Modules with a script in them.

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ConstExpr, DataCountSection, DataSection, ExportSection, Module, RawSection};
use wasmparser::{DataKind, ExternalKind, Operator, Parser, Payload, TypeRef};

use crate::SCRIPT_BYTES_MAX;

/// The export of an interpreter with the address for its script.
pub const PLACE: &str = "arena_script";

/// Bytes of the length before a script.
const LENGTH_BYTES: usize = 4;

/// An interpreter with a script in it; `None` if it has no place for one.
pub(crate) fn with(interpreter: &[u8], text: &str) -> Option<Vec<u8>> {
    let place = ConstExpr::i32_const(place(interpreter)?);
    let length = u32::try_from(text.len()).ok()?.to_le_bytes();
    let script = [&length[..], text.as_bytes()].concat();
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(interpreter) {
        match payload.ok()? {
            Payload::ExportSection(exports) => {
                let mut kept = ExportSection::new();
                for export in exports {
                    let export = export.ok()?;
                    if export.name != PLACE {
                        let kind = RoundtripReencoder.export_kind(export.kind).ok()?;
                        kept.export(export.name, kind, export.index);
                    }
                }
                module.section(&kept);
            }
            Payload::DataCountSection { count, .. } => {
                module.section(&DataCountSection { count: count + 1 });
            }
            Payload::DataSection(segments) => {
                let mut data = DataSection::new();
                RoundtripReencoder.parse_data_section(&mut data, segments).ok()?;
                module.section(data.active(0, &place, script.iter().copied()));
            }
            payload => {
                if let Some((id, range)) = payload.as_section() {
                    module.section(&RawSection { id, data: interpreter.get(range)? });
                }
            }
        }
    }
    Some(module.finish())
}

/// A module without its custom sections.
pub(crate) fn code(module: &[u8]) -> Option<Vec<u8>> {
    let mut code = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.ok()?;
        if let (Some((id, range)), false) = (payload.as_section(), matches!(payload, Payload::CustomSection(_))) {
            code.section(&RawSection { id, data: module.get(range)? });
        }
    }
    Some(code.finish())
}

/// The address for the script.
fn place(interpreter: &[u8]) -> Option<i32> {
    let (mut globals, mut exported) = (Vec::new(), None);
    for payload in Parser::new(0).parse_all(interpreter) {
        match payload.ok()? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    if matches!(import.ok()?.ty, TypeRef::Global(_)) {
                        globals.push(None);
                    }
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    let first = global.ok()?.init_expr.get_operators_reader().read().ok()?;
                    globals.push(if let Operator::I32Const { value } = first { Some(value) } else { None });
                }
            }
            Payload::ExportSection(exports) => {
                let mut all = exports.into_iter().map_while(Result::ok);
                exported = all.find(|export| export.name == PLACE && export.kind == ExternalKind::Global);
            }
            _ => {}
        }
    }
    *globals.get(exported?.index as usize)?
}

/// The text where a bundle has its script: in the last data segment, after its length. `about` how long the interpreter
/// is, so that other modules are not read to their end.
pub(crate) fn last_text(module: &[u8], about: usize) -> Option<&str> {
    if module.len().abs_diff(about) > 2 * SCRIPT_BYTES_MAX {
        return None;
    }
    let mut last = None;
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::DataSection(segments) = payload.ok()? {
            last = segments.into_iter().last()?.ok();
        }
    }
    let segment = last.filter(|segment| matches!(segment.kind, DataKind::Active { .. }))?;
    str::from_utf8(segment.data.get(LENGTH_BYTES..)?).ok()
}
