//! `arena submit`: submits a bot to a site and prints the verdict.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use arena_record::Budgets;
use arena_store::Licence;
use arena_wire::Game;
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::bots;
use crate::exit::Exit;
use crate::game::named;
use crate::remote::Codes;

#[derive(Args)]
pub(crate) struct Submit {
    /// The bot's .wasm file.
    bot: PathBuf,
    /// The bot's name on the site: the name of one of your bots adds a version to it; a new name creates a bot.
    #[arg(long)]
    name: String,
    /// The bot's game, fixed by its first version [default: that of its earlier versions; conquerors for a new bot].
    #[arg(long, value_name = "GAME", value_parser = named)]
    game: Option<&'static Game>,
    /// Let the site show the source on its page, a script or a small module as text, under this licence: MIT,
    /// Apache-2.0, GPL-3.0-or-later or CC0-1.0 [default: it does not].
    #[arg(long, value_name = "SPDX", value_parser = PossibleValuesParser::new(Licence::ALL.map(Licence::spdx)))]
    licence: Option<String>,
    /// The site's address [default: where you logged in].
    #[arg(long)]
    server: Option<String>,
    /// Print the site's JSON answer: the version, or the problem.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(submit: &Submit, out: &mut dyn Write) -> Result<Exit> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if submit.name.is_empty() || !submit.name.chars().all(plain) {
        bail!("a bot's name is letters, digits, dots, dashes and underscores, not {:?}", submit.name);
    }
    let file = bots::read(&submit.bot, &Budgets::DEFAULT)?;
    if let Some(refusal) = file.refusal(&Budgets::DEFAULT) {
        bail!("{refusal} ({}); hint: {}", refusal.code, refusal.hint);
    }
    let (site, code) = Codes::read()?.find(submit.server.as_deref())?;
    let game = submit.game.map(|game| format!("game={}", game.name()));
    let licence = submit.licence.as_ref().map(|licence| format!("licence={licence}"));
    let query: Vec<String> = game.into_iter().chain(licence).collect();
    let path = format!("/api/v1/bots/{}/versions?{}", submit.name, query.join("&"));
    let answer = site.post_module(&path, &code, &file.bytes)?;
    // A missing permission or a failure of the site says nothing about the bot.
    let judged = ![401, 403].contains(&answer.status) && answer.status < 500;
    if submit.json && judged {
        writeln!(out, "{}", answer.body)?;
    }
    let page = |number: u64| format!("{}/bots/{}/versions/{number}", site.server(), submit.name);
    let number = answer.body["number"].as_u64().unwrap_or_default();
    let say = |out: &mut dyn Write, text: String| if submit.json { Ok(()) } else { writeln!(out, "{text}") };
    match answer.status {
        200 | 201 => {
            let again = if answer.status == 200 { ", as before" } else { "" };
            let version = format!("version {number} of {}", submit.name);
            let plays = match answer.body["out"].as_str() {
                None => format!("{version} plays"),
                Some(why) => format!("{version} does not play: {why}"),
            };
            say(out, format!("accepted{again}: {plays}. {}", page(number)))?;
            Ok(Exit::Yes)
        }
        202 => {
            say(out, format!("submitted, but not judged yet: the verdict will be at {}", page(number)))?;
            Ok(Exit::Yes)
        }
        _ if judged => {
            let at = answer.body["offset"].as_u64().map_or_else(String::new, |offset| format!(" (at byte {offset})"));
            say(out, format!("REFUSED, {}: {}{at}", answer.text("code"), answer.text("detail")))?;
            say(out, format!("  hint: {}", answer.text("hint")))?;
            Ok(Exit::No)
        }
        _ => bail!("{}", answer.problem()),
    }
}
