//! Volunteers who play games of a site over the network.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use tokio::runtime::Runtime;

use crate::cluster;
use crate::disk::does;
use crate::left_out::left_out;
use crate::night::machines::{account_to_volunteer, furnished, volunteer, volunteer_command, volunteered};
use crate::process::{Process, finished};
use crate::site::{HONEST, Site, post_json};
use crate::tls::Authority;

#[test]
fn a_volunteer_whose_token_is_revoked_says_so_and_ends() {
    if !cluster::is_there() {
        return;
    }
    let runtime = Runtime::new().unwrap();
    let (_, url) = furnished(&runtime, cluster::cluster());
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--database", &url, "--games", "elsewhere", "--volunteers", "0.1"]);
    let (code, token) = runtime.block_on(account_to_volunteer(&site));
    let (number, secret) = (token["number"].as_i64().unwrap(), token["secret"].as_str().unwrap());
    let mut theirs = volunteer_command(folder.path(), &format!("http://{}", site.address), secret);
    let mut theirs = Process::start("the volunteer", &mut theirs);
    volunteered(&runtime, &site, 1);
    let revocation = format!("/api/v1/account/tokens/{number}/revocation");
    let revoked = runtime.block_on(site.ask(HONEST, post_json(&revocation, &json!({})).bearer(&code)));
    assert!((200..300).contains(&revoked.status), "{}", revoked.body);
    let (ended, said) = (theirs.ended(), theirs.log());
    assert!(!ended.success() && said.contains("no account has this token (unknown_token)"), "{said}");
}

#[test]
fn a_site_says_how_probable_it_is_that_forged_games_stay_undetected() {
    if !cluster::is_there() {
        return;
    }
    let (folder, url) = (tempfile::tempdir().unwrap(), cluster::cluster().database(None));
    let flags = ["--database", url.as_str(), "--games", "elsewhere", "--no-standing", "--volunteers", "0.1"];
    let mut site = Site::command(folder.path(), &flags);
    let (_site, said) = Process::heard("the site", site.stdin(Stdio::null()));
    assert_eq!(
        said.rest().nth(2).unwrap(),
        "chance that forged games stay undetected, after a volunteer's first 50 games: 1: 90.0 %, 10: 34.9 %, 100: 0.0 %"
    );
}

#[test]
fn a_volunteer_plays_over_tls_for_a_site_whose_authority_it_was_given() {
    if !cluster::is_there() {
        return;
    }
    if !does("openssl", &["version"]) {
        return left_out("a volunteer of a site with a private certificate needs openssl, to make one");
    }
    let runtime = Runtime::new().unwrap();
    let (_, url) = furnished(&runtime, cluster::cluster());
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--database", &url, "--games", "elsewhere", "--volunteers", "0.1"]);
    let token = runtime.block_on(volunteer(&site));
    let [own, other] = ["own", "other"].map(|name| Authority::new(folder.path().join(name)));
    let address = format!("https://{}", own.in_front_of(site.address));
    let plays = |ca: Option<&Path>| {
        let mut command = volunteer_command(folder.path(), &address, &token);
        if let Some(ca) = ca {
            command.arg("--ca").arg(ca);
        }
        command
    };
    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "no certificate\n").unwrap();
    let nowhere = folder.path().join("nowhere.pem");
    for (file, sentence) in
        [(nowhere, "cannot read"), (empty, "has no certificate in PEM"), (own.key(), "leave private keys out of it")]
    {
        let refused = finished(&mut plays(Some(&file)));
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && said.contains(sentence), "{said}");
        assert!(said.contains(file.to_str().unwrap()), "{said}");
    }
    // It asks again and again: the site may get another certificate.
    for ca in [None, Some(other.certificate())] {
        Process::start("the volunteer", &mut plays(ca.as_deref())).logs("`arena worker --ca FILE`");
    }
    let mut theirs = Process::start("the volunteer", &mut plays(Some(&own.certificate())));
    volunteered(&runtime, &site, 1);
    assert!(theirs.stop().success());
}
