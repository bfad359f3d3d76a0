//! `arena guide`: the guide of sites, chapter by chapter, as Markdown.

use std::ffi::OsStr;
use std::io::Write;

use anyhow::Result;
use arena_server::guide_texts;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command, Error};

use crate::exit::Exit;

/// Where links lead.
const HELP: &str =
    "A link to /guide/NAME.md is `arena guide NAME`, and one to /guide/files/PATH is `arena guide files/PATH`.";

#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Guide {
    /// The chapter to print as Markdown [default: a list of all chapters].
    #[arg(value_parser = Names)]
    chapter: Option<String>,
}

/// The names of all chapters and sources. They are gathered only where one is given: every command starts with this.
#[derive(Clone)]
struct Names;

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let named = guide_texts().iter().map(|text| PossibleValue::new(&*text.name).hide(text.title.is_none()));
        PossibleValuesParser::new(named).parse_ref(command, arg, value)
    }
}

pub(crate) fn run(guide: &Guide, out: &mut dyn Write) -> Result<Exit> {
    let texts = guide_texts();
    match &guide.chapter {
        Some(name) => {
            let text = texts.iter().find(|text| text.name == *name).map(|text| text.text);
            out.write_all(text.unwrap_or_default().as_bytes())?;
        }
        None => {
            let width = texts.iter().filter(|text| text.title.is_some()).map(|text| text.name.len()).max().unwrap_or(0);
            for (name, title) in texts.iter().filter_map(|text| Some((&text.name, text.title?))) {
                writeln!(out, "{name:width$}  {title}")?;
            }
        }
    }
    Ok(Exit::Yes)
}
