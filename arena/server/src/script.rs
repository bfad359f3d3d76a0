//! Bundles a script with everything that it imports into one file.
//!
//! In the repository each module has a file of its own. Separate files would be slow on a slow line: a browser loads at most six at a
//! time, and each is compressed without the others. The bundle has no comments.
//!
//! Modules must be written like ours: `import { a, b as c } from './folder/file.js';` on a line of its own, and `export` before a function, a
//! class or a constant.

use std::collections::BTreeSet;

use thiserror::Error;

/// The start of comments that are removed wherever they are; other comments are removed if they have a line of their own.
const COMMENT: &str = "/**";

/// Why a script cannot be bundled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ScriptError {
    /// It imports a missing file.
    #[error("there is no script {0}")]
    Missing(String),
    /// Modules import each other in a circle.
    #[error("{0} imports itself, through others")]
    Circle(String),
    /// A module is written in an unsupported form.
    #[error("{file} imports or exports in another way: {line}")]
    Form {
        /// The module.
        file: String,
        /// The line.
        line: String,
    },
}

/// Bundles a script: the modules that it imports come first, each in a function that returns its exports. `text` reads a file.
pub(crate) fn whole<'a>(name: &str, text: impl Fn(&str) -> Option<&'a str>) -> Result<String, ScriptError> {
    let mut whole = Whole { text: &text, begun: Vec::new(), done: BTreeSet::new(), script: String::new() };
    let own = whole.with_imports(name)?;
    let mut script = whole.script;
    script += &own.bound();
    script += &own.lines;
    Ok(script)
}

/// The files that a script imports directly.
pub(crate) fn imports<'a>(name: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    text.lines().filter_map(move |line| Some(import(name, line.strip_prefix("import ")?)?.1))
}

/// A bundle being made.
struct Whole<'t, T> {
    text: &'t T,
    /// Modules whose imports are being added.
    begun: Vec<String>,
    /// Modules that are in the bundle.
    done: BTreeSet<String>,
    script: String,
}

/// A module without comments, with its imports apart.
struct Module {
    /// Imported names, and the files they come from.
    imports: Vec<(String, String)>,
    /// Exported names.
    exports: Vec<String>,
    /// The rest of its text, with exports unchanged.
    lines: String,
}

impl<'a, T: Fn(&str) -> Option<&'a str>> Whole<'_, T> {
    /// The module, after all its imports are in the bundle.
    fn with_imports(&mut self, name: &str) -> Result<Module, ScriptError> {
        if self.begun.iter().any(|begun| begun == name) {
            return Err(ScriptError::Circle(name.into()));
        }
        self.begun.push(name.into());
        let text = (self.text)(name).ok_or_else(|| ScriptError::Missing(name.into()))?;
        let module = Module::read(name, text)?;
        for (_, file) in &module.imports {
            if self.done.contains(file) {
                continue;
            }
            let other = self.with_imports(file)?;
            self.script += &other.as_function(file);
            self.done.insert(file.clone());
        }
        self.begun.pop();
        Ok(module)
    }
}

impl Module {
    fn read(file: &str, text: &str) -> Result<Module, ScriptError> {
        let (mut imports, mut exports, mut lines) = (Vec::new(), Vec::new(), String::new());
        for line in without_comments(text).lines() {
            let other_form = || ScriptError::Form { file: file.into(), line: line.into() };
            if let Some(rest) = line.strip_prefix("import ") {
                let (names, from) = import(file, rest).ok_or_else(other_form)?;
                imports.push((names.replace(" as ", ": "), from));
                continue;
            }
            if let Some(rest) = line.strip_prefix("export ") {
                exports.push(exported(rest).ok_or_else(other_form)?.into());
            }
            // A script that is loaded later would bring second copies of its modules.
            if line.contains("import(") {
                return Err(other_form());
            }
            lines.push_str(line);
            lines.push('\n');
        }
        Ok(Module { imports, exports, lines })
    }

    /// The statements that bind its imports.
    fn bound(&self) -> String {
        self.imports.iter().map(|(names, file)| format!("const {{{names}}} = {};\n", named(file))).collect()
    }

    /// Whether it has an `await` at its top level.
    fn waits(&self) -> bool {
        let waits =
            |line: &str| line.starts_with("await ") || (line.starts_with("const ") && line.contains(" = await "));
        self.lines.lines().any(waits)
    }

    fn as_function(&self, file: &str) -> String {
        let lines: Vec<&str> = self.lines.lines().map(|line| line.strip_prefix("export ").unwrap_or(line)).collect();
        let (bound, lines, exports) = (self.bound(), lines.join("\n"), self.exports.join(", "));
        // A worker misses messages while its script waits, so only modules that need it are awaited.
        let (before, function) = if self.waits() { ("await ", "async () =>") } else { ("", "() =>") };
        format!("const {} = {before}({function} {{\n{bound}{lines}\nreturn {{ {exports} }};\n}})();\n", named(file))
    }
}

/// A module's name in a bundle, which nothing else has.
fn named(file: &str) -> String {
    format!("${}", file.trim_end_matches(".js").replace(['-', '/'], "_"))
}

/// The names of an import of this module, and the file they come from.
fn import<'a>(module: &str, rest: &'a str) -> Option<(&'a str, String)> {
    let (names, from) = rest.strip_prefix('{')?.split_once("} from '.")?;
    Some((names, file_at(module, &format!(".{}", from.strip_suffix("';")?))?))
}

/// The file that a module names from its own folder.
fn file_at(module: &str, from: &str) -> Option<String> {
    let mut path: Vec<&str> = module.split('/').collect();
    path.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()?),
            part => path.push(part),
        }
    }
    Some(path.join("/"))
}

/// The name of an export.
fn exported(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    let rest = ["function ", "class ", "const "].into_iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once(COMMENT) {
        code += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code += rest;
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    code.lines().filter(is_code).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "// A page.\n\nimport { double as twice, ONE } from './numbers/of.js';\nimport { say } from './say.js';\n\n/** Says it. @param {number} n */\nexport function show(n) {\n  say(twice(n) + ONE);\n}\n";
    const NUMBERS: &str = "import { say } from '../say.js';\n/** One. */\nexport const ONE = 1;\nexport async function double(n) { return 2 * /** @type {any} */ (n); }\nsay(ONE);\n";
    const SAY: &str = "export class Voice {}\nconst out = await made();\nexport const say = (what) => out(what);\n";

    fn made(name: &str, files: &[(&str, &'static str)]) -> Result<String, ScriptError> {
        whole(name, |name| files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text))
    }

    #[test]
    fn a_script_comes_with_what_it_imports_once_each_and_before_it() {
        let files = [("page.js", PAGE), ("numbers/of.js", NUMBERS), ("say.js", SAY)];
        let expected = "const $say = await (async () => {\nclass Voice {}\nconst out = await made();\n\
            const say = (what) => out(what);\nreturn { Voice, say };\n})();\n\
            const $numbers_of = (() => {\nconst { say } = $say;\nconst ONE = 1;\n\
            async function double(n) { return 2 *  (n); }\nsay(ONE);\nreturn { ONE, double };\n})();\n\
            const { double: twice, ONE } = $numbers_of;\nconst { say } = $say;\n\
            export function show(n) {\n  say(twice(n) + ONE);\n}\n";
        assert_eq!(made("page.js", &files).as_deref(), Ok(expected));
        assert_eq!(imports("page.js", PAGE).collect::<Vec<_>>(), ["numbers/of.js", "say.js"]);
    }

    #[test]
    fn what_cannot_be_made_whole_is_refused() {
        let refused = |files: &[(&str, &'static str)]| made("a.js", files).expect_err("refused").to_string();
        assert_eq!(refused(&[("a.js", "import { b } from './b.js';\n")]), "there is no script b.js");
        let circle = [("a.js", "import { b } from './b.js';\n"), ("b.js", "import { a } from './a.js';\n")];
        assert_eq!(refused(&circle), "a.js imports itself, through others");
        for line in ["import './b.js';", "export default 1;", "  const b = await import('./b.js');", "export { b };"] {
            let text: &'static str = Box::leak(line.to_owned().into_boxed_str());
            assert_eq!(refused(&[("a.js", text)]), format!("a.js imports or exports in another way: {line}"));
        }
    }
}
