//! Writes the modules of scripts' messages where Node finds them: run it in the root of the tree.

use std::path::Path;

use arena_text::{Catalogue, TextError};

fn main() -> Result<(), TextError> {
    Catalogue::read(Path::new("web/text"))?.write_javascript(Path::new("web/static/text"))
}
