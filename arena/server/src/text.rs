//! A function for each message of `web/text`, in the language of the current answer. Its arguments are the message's
//! variables in alphabetical order. Templates may take a message with tags as it is: its variables are escaped.

use std::fmt::Display;

use arena_tournaments::svg::escaped;

use crate::language::{Count, Language, Text, language, part};

include!(concat!(env!("OUT_DIR"), "/text.rs"));
