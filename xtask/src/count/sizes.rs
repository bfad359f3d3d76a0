//! A test of product code in Rust: what is long is hard to read, and has a seam where it can be split.

use super::language::Language;
use super::rust::Source;
use super::{product, tree};
use crate::workspace::Workspace;

/// Lines of code in a file.
const FILE_LINES_MAX: usize = 450;

/// Lines of code between the braces of a function: a screen or two.
const FUNCTION_LINES_MAX: usize = 80;

#[test]
fn no_file_and_no_function_is_long() {
    let workspace = Workspace::here().expect("the workspace");
    let tree = tree::here(&workspace).expect("files");
    let mut long = Vec::new();
    for file in product::of(&tree.files).into_iter().filter(|file| file.language == Language::Rust) {
        let Source { code_lines, functions, .. } = Source::read(&file.text);
        if code_lines > FILE_LINES_MAX {
            long.push(format!("{}: {code_lines} lines", file.path));
        }
        let functions = functions.into_iter().filter(|(_, lines)| *lines > FUNCTION_LINES_MAX);
        long.extend(functions.map(|(name, lines)| format!("{}: {name} has {lines} lines", file.path)));
    }
    assert!(long.is_empty(), "too long: {long:#?}");
}
