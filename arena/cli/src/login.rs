//! `arena login`: keeps a player code or a token for a site, where `arena submit` finds it.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::remote::{Codes, LOGIN, Site};

#[derive(Args)]
pub(crate) struct Login {
    /// The site's address, such as http://127.0.0.1:8080.
    #[arg(long)]
    server: String,
    /// Claim this name: the site gives you a new player code, shown once.
    #[arg(long, value_name = "NAME")]
    claim: Option<String>,
    /// Trust the certificate authorities in this PEM file instead of the usual ones, also when you submit there.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

pub(crate) fn run(login: &Login, out: &mut dyn Write) -> Result<Exit> {
    let site = Site::new(&login.server, login.ca.as_deref(), LOGIN)?;
    let codes = Codes::read()?;
    let code = match &login.claim {
        Some(name) => {
            let answer = site.post_json("/api/v1/accounts", &json!({ "name": name }))?;
            if answer.status != 201 {
                bail!("{}", answer.problem());
            }
            let code = answer.text("code").to_owned();
            writeln!(out, "your player code at {}, shown this one time:\n\n    {code}\n", site.server())?;
            code
        }
        None => ask()?,
    };
    let answer = site.get("/api/v1/account", &code)?;
    if answer.status != 200 {
        bail!("{}", answer.problem());
    }
    // Wherever the next command runs.
    let ca = login.ca.as_ref().map(|ca| ca.canonicalize()).transpose().context("cannot find the certificates")?;
    let path = codes.keep(site.server(), &code, ca)?;
    writeln!(out, "logged in at {} as {}; the code is kept in {}", site.server(), answer.text("name"), path.display())?;
    writeln!(out, "next: {} submit BOT.wasm --name NAME", crate::exit::program())?;
    Ok(Exit::Yes)
}

/// Reads the code or token, from a person who types it without echo, or from a pipe.
fn ask() -> Result<String> {
    let code = if io::stdin().is_terminal() {
        rpassword::prompt_password("Player code or token: ").context("cannot read the player code")?
    } else {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).context("cannot read the player code")?;
        line
    };
    match code.trim() {
        "" => bail!("no player code given: paste it or a token here, or claim a name with --claim NAME"),
        code => Ok(code.to_owned()),
    }
}
