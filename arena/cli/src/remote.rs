//! A site of the arena as the command line sees it, and the saved player codes for sites.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use arena_files::{TextError, open_with, read_text};
use arena_store::MODULE_BYTES_MAX;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// Time limit of an answer. A verdict takes longest; the server gives up earlier than this.
const ANSWER_LIMIT: Duration = Duration::from_secs(120);
/// Most bytes that are read of an answer.
const ANSWER_BYTES_MAX: u64 = 4 << 20;
/// The greatest size of a file with certificates, in bytes: all authorities that browsers trust take a fifth of it.
const PEM_BYTES_MAX: u64 = 1 << 20;
/// The greatest size of the saved codes, in bytes: those of ten thousand sites.
const CODES_BYTES_MAX: u64 = 1 << 20;
/// The start of rustls's errors about a site's certificate. ureq has no error of its own for them.
const DISTRUST: &str = "invalid peer certificate";
/// The variable that names another folder for the codes.
const CONFIG: &str = "ARENA_CONFIG";

/// What a site answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Answer {
    /// The text of a field; empty if it is missing.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.body[field].as_str().unwrap_or_default()
    }

    /// The problem in words, if the answer is one.
    pub(crate) fn problem(&self) -> String {
        let detail = match self.text("detail") {
            "" => "the site gave no reason",
            detail => detail,
        };
        let mut words =
            format!("{detail} ({})", if self.text("code").is_empty() { "no code" } else { self.text("code") });
        if !self.text("hint").is_empty() {
            words.push_str(&format!("; {}", self.text("hint")));
        }
        if self.status >= 500 && !self.text("request").is_empty() {
            words.push_str(&format!("; the site's operator finds it as request {}", self.text("request")));
        }
        words
    }
}

/// A site at an address.
pub(crate) struct Site {
    server: String,
    agent: Agent,
    /// The command that takes `--ca`, for the error about a certificate.
    trusted_by: &'static str,
}

impl Site {
    /// The site at an address such as `http://127.0.0.1:8080`. Its certificate must be signed by one of those in a
    /// file; without a file, by a usual authority. `trusted_by` is the command whose `--ca` names the file.
    pub(crate) fn new(server: &str, ca: Option<&Path>, trusted_by: &'static str) -> Result<Site> {
        let server = normal(server)?;
        let mut config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWER_LIMIT));
        if let Some(ca) = ca {
            config = config.tls_config(TlsConfig::builder().root_certs(certificates(ca)?).build());
        }
        Ok(Site { server, agent: config.build().into(), trusted_by })
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    pub(crate) fn get(&self, path: &str, code: &str) -> Result<Answer> {
        let request = self.agent.get(self.url(path));
        let is_public = code.is_empty();
        let request = if is_public { request } else { request.header("Authorization", format!("Bearer {code}")) };
        self.answer(request.call())
    }

    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Result<Answer> {
        self.answer(self.agent.post(self.url(path)).send_json(body))
    }

    pub(crate) fn post_json_as(&self, path: &str, code: &str, body: &Value) -> Result<Answer> {
        let request = self.agent.post(self.url(path)).header("Authorization", format!("Bearer {code}"));
        self.answer(request.send_json(body))
    }

    pub(crate) fn post_module(&self, path: &str, code: &str, module: &[u8]) -> Result<Answer> {
        let request = self.agent.post(self.url(path)).header("Authorization", format!("Bearer {code}"));
        self.answer(request.header("Content-Type", "application/wasm").send(module))
    }

    /// A bot's bytes; `None` if the site lacks them.
    pub(crate) fn module(&self, path: &str, code: &str) -> Result<Option<Vec<u8>>> {
        let request = self.agent.get(self.url(path)).header("Authorization", format!("Bearer {code}"));
        let mut response = self.reached(request.call())?;
        let bytes = response.body_mut().with_config().limit(MODULE_BYTES_MAX).read_to_vec();
        let bytes = bytes.with_context(|| format!("the connection to {} broke off", self.server))?;
        match response.status().as_u16() {
            200 => Ok(Some(bytes)),
            404 => Ok(None),
            status => bail!("{} does not hand out a bot (status {status})", self.server),
        }
    }

    /// The answer, or why there is none.
    fn reached(&self, sent: Result<Response<ureq::Body>, ureq::Error>) -> Result<Response<ureq::Body>> {
        sent.map_err(|error| {
            let Site { server, trusted_by, .. } = self;
            let why = if error.to_string().contains(DISTRUST) {
                format!(
                    "this machine does not trust the certificate of {server}: `arena {trusted_by} --ca FILE` trusts the authorities in a PEM file"
                )
            } else {
                format!("cannot reach {server}: is `arena serve` running there?")
            };
            anyhow::Error::new(error).context(why)
        })
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server)
    }

    fn answer(&self, sent: Result<Response<ureq::Body>, ureq::Error>) -> Result<Answer> {
        let mut response = self.reached(sent)?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_string();
        let text = text.with_context(|| format!("the connection to {} broke off", self.server))?;
        let parsed = if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(&text) };
        let Ok(body) = parsed else {
            bail!("{} does not answer like an arena (status {status}): is the address right?", self.server);
        };
        Ok(Answer { status, body })
    }
}

/// Reads the certificates in a file.
fn certificates(path: &Path) -> Result<RootCerts> {
    let pem = read_text(path, PEM_BYTES_MAX).with_context(|| format!("cannot read {}", path.display()))?;
    let mut found = Vec::new();
    for item in parse_pem(pem.as_bytes()) {
        match item.with_context(|| format!("{} is not a PEM file of certificates", path.display()))? {
            PemItem::Certificate(certificate) => found.push(certificate),
            _ => bail!("{} has something besides certificates: leave private keys out of it", path.display()),
        }
    }
    ensure!(!found.is_empty(), "{} has no certificate in PEM", path.display());
    Ok(RootCerts::new_with_certs(&found))
}

/// An address in its normal form.
fn normal(server: &str) -> Result<String> {
    let server = server.trim().trim_end_matches('/').to_ascii_lowercase();
    if !server.starts_with("http://") && !server.starts_with("https://") {
        bail!("the address of a site starts with http:// or https://, such as http://127.0.0.1:8080");
    }
    Ok(server)
}

/// The saved codes for sites, by address. Only the file's owner can read it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Codes {
    sites: BTreeMap<String, String>,
    /// The PEM files of the authorities that sign the certificates of some of these sites.
    #[serde(default)]
    authorities: BTreeMap<String, PathBuf>,
}

/// The command that saves a code, and the authorities of its site.
pub(crate) const LOGIN: &str = "login";

impl Codes {
    /// Reads the saved codes.
    pub(crate) fn read() -> Result<Codes> {
        let path = file()?;
        match read_text(&path, CODES_BYTES_MAX) {
            Ok(text) => toml::from_str(&text)
                .with_context(|| format!("{} is damaged: remove it and log in again", path.display())),
            Err(TextError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(Codes::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// The code for a site, or for the only one that has a code.
    pub(crate) fn find(&self, server: Option<&str>) -> Result<(Site, String)> {
        let server = match server {
            Some(server) => normal(server)?,
            None => match self.sites.keys().collect::<Vec<_>>()[..] {
                [only] => only.clone(),
                [] => bail!("you are not logged in at any site: run `arena login --server ADDRESS` first"),
                _ => bail!("you are logged in at several sites: choose one with --server: {}", self.known()),
            },
        };
        match self.sites.get(&server) {
            Some(code) => {
                let ca = self.authorities.get(&server).map(PathBuf::as_path);
                Ok((Site::new(&server, ca, LOGIN)?, code.clone()))
            }
            None => bail!("you are not logged in at {server}: run `arena login --server {server}` first"),
        }
    }

    fn known(&self) -> String {
        self.sites.keys().cloned().collect::<Vec<_>>().join(", ")
    }

    /// Saves a code durably, and the site's authorities, if not the usual ones; returns the file.
    pub(crate) fn keep(mut self, server: &str, code: &str, ca: Option<PathBuf>) -> Result<PathBuf> {
        self.sites.insert(server.into(), code.into());
        self.authorities.remove(server);
        self.authorities.extend(ca.map(|ca| (server.into(), ca)));
        let path = file()?;
        write(&path, &toml::to_string(&self)?).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

fn file() -> Result<PathBuf> {
    let folder = match std::env::var_os(CONFIG) {
        Some(folder) => PathBuf::from(folder),
        None => dirs::config_dir()
            .with_context(|| format!("there is no folder for settings; name one with {CONFIG}"))?
            .join("arena"),
    };
    Ok(folder.join("codes.toml"))
}

/// Writes a file that only its owner can read, entirely or not at all.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let fresh = path.with_extension("new");
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = open_with(&mut options, &fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(fresh, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_spelling() {
        assert_eq!(normal(" HTTP://Arena.Example:8080/ ").ok().as_deref(), Some("http://arena.example:8080"));
        assert!(normal("arena.example").is_err());
    }

    #[test]
    fn the_only_site_needs_no_name_and_several_do() {
        let codes = |sites: &[&str]| Codes {
            sites: sites.iter().map(|site| (site.to_string(), "code".into())).collect(),
            ..Codes::default()
        };
        assert!(codes(&[]).find(None).is_err());
        let (site, code) = codes(&["http://a"]).find(None).expect("one");
        assert_eq!((site.server(), code.as_str()), ("http://a", "code"));
        let both = codes(&["http://a", "http://b"]);
        assert!(both.find(None).is_err() && both.find(Some("http://c")).is_err());
        assert_eq!(both.find(Some("http://b/")).expect("known").0.server(), "http://b");
    }
}
