//! A script for a page that stands alone. Its modules, if it is not bundled, are in the page's import map, each as a
//! `data:` address, from which no other file can be named: imports by path become imports by name.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// How a line with the source of an import begins, and what is before the path.
const IMPORTS: [&str; 2] = ["import ", "} from "];
const FROM: &str = " from '";

/// A script, and the modules that it and they import.
pub(crate) struct Alone {
    pub(crate) text: String,
    /// Their addresses, by name.
    pub(crate) modules: BTreeMap<String, String>,
}

impl Alone {
    /// A script of this name; `read` is asked for it and for the modules.
    pub(crate) fn new(name: &str, read: impl Fn(&str) -> Option<&'static str>) -> Alone {
        let (mut modules, mut open) = (BTreeMap::new(), Vec::new());
        let text = by_name(name, read(name).unwrap_or_default(), &mut open);
        while let Some(name) = open.pop() {
            if let Some(text) = read(&name).filter(|_| !modules.contains_key(&name)) {
                let text = by_name(&name, text, &mut open);
                modules.insert(name, format!("data:text/javascript;base64,{}", STANDARD.encode(text)));
            }
        }
        Alone { text, modules }
    }

    /// The content of the page's import map.
    pub(crate) fn import_map(&self) -> String {
        json!({ "imports": self.modules }).to_string()
    }
}

/// The text of a module that imports by name; the names are added to `imported`.
fn by_name(module: &str, text: &str, imported: &mut Vec<String>) -> String {
    let line = |line: &str| {
        let import = || {
            IMPORTS.iter().find(|start| line.starts_with(**start))?;
            let at = line.find(FROM)? + FROM.len();
            let name = file_at(module, line[at..].strip_suffix("';")?)?;
            let line = format!("{}{name}';", &line[..at]);
            Some((line, name))
        };
        let Some((line, name)) = import() else { return line.to_owned() };
        imported.push(name);
        line
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The file at a path from a module's folder.
fn file_at(module: &str, path: &str) -> Option<String> {
    let mut folders: Vec<&str> = module.split('/').collect();
    folders.pop();
    for part in path.strip_prefix("./").unwrap_or(path).split('/') {
        match part {
            ".." => drop(folders.pop()?),
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Option<&'static str> {
        Some(match name {
            "page.js" => "import { show } from './board/show.js';\nshow();",
            "board/show.js" => {
                "import {\n  say,\n} from '../say.js';\nimport { page } from '../board/show.js';\nexport const show = say;"
            }
            "say.js" => "// '} from ' begins no line here.\nexport const say = (words) => words;",
            _ => return None,
        })
    }

    #[test]
    fn every_module_is_there_once_and_imported_by_its_name() {
        let Alone { text, modules } = Alone::new("page.js", read);
        assert_eq!(text, "import { show } from 'board/show.js';\nshow();");
        let text = |name: &str| {
            let address = modules[name].strip_prefix("data:text/javascript;base64,").expect("an address");
            String::from_utf8(STANDARD.decode(address).expect("base64")).expect("text")
        };
        assert_eq!(modules.len(), 2);
        assert_eq!(
            text("board/show.js"),
            "import {\n  say,\n} from 'say.js';\nimport { page } from 'board/show.js';\nexport const show = say;"
        );
        assert_eq!(Some(text("say.js").as_str()), read("say.js"));
    }

    #[test]
    fn a_bundle_needs_no_modules() {
        let bundled = Alone::new("page.js", |_| Some("var say=n=>n;say();"));
        assert!(bundled.text == "var say=n=>n;say();" && bundled.modules.is_empty());
    }
}
