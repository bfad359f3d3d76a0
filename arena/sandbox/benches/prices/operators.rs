//! Every operator a bot may use, from the parser's own list: one that is new there is new here.

use wasmparser::{Validator, WasmFeatures};

/// An operator as the parser lists it.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    /// The proposal that brought it, as the parser groups them.
    pub(crate) proposal: &'static str,
    /// Its name in the text format.
    pub(crate) name: String,
    /// What stands in the code beside it: the names of its immediates.
    pub(crate) immediates: &'static [&'static str],
    /// How many operands it takes and how many results it leaves, where that is fixed.
    pub(crate) arity: Option<(usize, usize)>,
}

macro_rules! list {
    ($(@$proposal:ident $op:ident $({ $($argument:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
        [$((
            stringify!($proposal),
            stringify!($visit),
            &[$($(stringify!($argument)),*)?] as &'static [&'static str],
            stringify!($($arity)*),
        )),*]
    };
}

/// The operators that the sandbox's features enable.
pub(crate) fn enabled() -> Vec<Operator> {
    // The features are a line of the semantics.
    let semantics = arena_sandbox::semantics();
    let features = semantics.lines().find_map(|line| line.strip_prefix("features: ")).unwrap_or_default();
    let features: Vec<String> = features.split(' ').map(str::to_lowercase).collect();
    let all = wasmparser::for_each_operator!(list).map(|(proposal, visit, immediates, arity)| Operator {
        proposal,
        name: text_name(visit),
        immediates,
        arity: fixed_arity(arity),
    });
    all.into_iter()
        .filter(|operator| operator.proposal == "mvp" || features.iter().any(|f| f == operator.proposal))
        .collect()
}

/// `visit_i32_load8_s` is `i32.load8_s`; operators of the control flow have no point in their names.
fn text_name(visit: &str) -> String {
    let name = visit.trim_start_matches("visit_");
    match name {
        "typed_select" => "select (result i32)".into(),
        _ => match name.split_once('_') {
            Some((kind @ ("br" | "call" | "return" | "typed"), rest)) => format!("{kind}_{rest}"),
            Some((kind, rest)) => format!("{kind}.{rest}"),
            None => name.into(),
        },
    }
}

/// From `arity 2 -> 1` or `arity memarg 1 -> 1`.
fn fixed_arity(arity: &str) -> Option<(usize, usize)> {
    let (operands, results) = arity.split_once("->")?;
    Some((operands.split_whitespace().last()?.parse().ok()?, results.trim().parse().ok()?))
}

/// Types of values.
pub(crate) const TYPES: [&str; 5] = ["i32", "i64", "f32", "f64", "v128"];

impl Operator {
    /// Whether it touches the memory at an address given as its first operand.
    pub(crate) fn is_access(&self) -> bool {
        self.immediates.contains(&"memarg")
    }

    /// The operator with immediates written out; `None` if they name things of the module.
    pub(crate) fn text(&self) -> Option<String> {
        let immediates = match self.immediates {
            [] | ["memarg"] => String::new(),
            ["lane"] | ["memarg", "lane"] => " 0".into(),
            ["lanes"] => " 0 17 2 19 4 21 6 23 8 25 10 27 12 29 14 31".into(),
            ["value"] if self.name == "v128.const" => " i64x2 1 2".into(),
            ["value"] => " 1".into(),
            _ => return None,
        };
        Some(format!("{}{immediates}", self.name))
    }

    /// Operands and result of an operator on numbers and vectors: the first types that the validator takes.
    pub(crate) fn signature(&self) -> Option<(Vec<&'static str>, Option<&'static str>)> {
        let (text, (operands, results)) = (self.text()?, self.arity?);
        let results: &[Option<&str>] = if results == 0 { &[None] } else { &TYPES.map(Some) };
        let takes = |types: &[&str], result: Option<&str>| {
            let gets: String = (0..types.len()).map(|number| format!("local.get {number} ")).collect();
            let result = result.map(|ty| format!("(result {ty})")).unwrap_or_default();
            let module = format!("(module (memory 1) (func (param {}) {result} {gets} {text}))", types.join(" "));
            let bytes = wat::parse_str(&module).unwrap_or_else(|error| panic!("{text}: {error}"));
            Validator::new_with_features(WasmFeatures::all()).validate_all(&bytes).is_ok()
        };
        for number in 0..TYPES.len().pow(operands as u32) {
            let types: Vec<_> =
                (0..operands).map(|place| TYPES[number / TYPES.len().pow(place as u32) % TYPES.len()]).collect();
            if let Some(result) = results.iter().find(|result| takes(&types, **result)) {
                return Some((types, *result));
            }
        }
        None
    }
}
