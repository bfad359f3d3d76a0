//! A function for each message of `web/text`, in the language of the current answer. Its arguments are the message's
//! variables in alphabetical order.

use std::fmt::Display;

use crate::language::{Count, Language, Text, language, part};

include!(concat!(env!("OUT_DIR"), "/text.rs"));
