//! `docs/operating.md` and `deploy/`: every command of the arena in them is run, or read by the arena where it would
//! not end.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::assets;
use crate::left_out::left_out;
use crate::process::{Process, finished};

fn arena(arguments: &[&str]) -> Output {
    finished(Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).stdin(Stdio::null()))
}

/// The exit code and what was said.
fn said(output: &Output) -> (Option<i32>, String) {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8(all).unwrap())
}

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// The lines of the blocks of a document.
fn commands(text: &str) -> Vec<&str> {
    let (mut inside, mut found) = (false, Vec::new());
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside {
            found.push(line);
        }
    }
    found
}

#[test]
fn the_commands_for_operators_do_what_the_document_says() {
    let text = read("docs/operating.md");
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().to_str().unwrap();
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/data-0.1.0.tar.gz");
    let data = ["-xzf", archive, "-C", here];
    assert!(Command::new("tar").args(data).status().unwrap().success());
    let mut run = 0;
    for command in commands(&text) {
        let Some(arguments) = command.strip_prefix("arena ") else { continue };
        let arguments = arguments
            .replace("/var/lib/arena", &format!("{here}/data"))
            .replace("/var/backups", here)
            .replace("/var/tmp", here);
        let arguments: Vec<&str> = arguments.split(' ').collect();
        if matches!(arguments[0], "serve" | "worker") || arguments.contains(&"--database") {
            // They would not end, or their database is not there.
            reads(arguments.into_iter());
            continue;
        }
        let (code, text) = said(&arena(&arguments));
        assert_eq!(code, Some(0), "{command}: {text}");
        run += 1;
    }
    assert!(run >= 5, "only {run} commands of the arena");
}

#[test]
fn what_the_document_and_the_services_name_is_there() {
    let text = read("docs/operating.md");
    let beside = ["server.conf", "worker.conf", "compose.yaml", "several.Caddyfile"];
    let alone = ["arena.service", "Caddyfile", "nginx.conf", "Containerfile"];
    // A key of a request is known where it was used.
    let to_one_server =
        [("several.Caddyfile", "lb_policy client_ip_hash"), ("nginx.conf", "hash $remote_addr consistent;")];
    for (file, line) in to_one_server {
        assert!(read(&format!("deploy/{file}")).contains(line), "{file} spreads an address over servers");
    }
    for file in alone.into_iter().chain(beside).map(|name| format!("deploy/{name}")) {
        assert!(text.contains(&file), "{file} is not in the document");
        assert!(!read(&file).is_empty());
    }
    for file in ["server.conf", "compose.yaml", "worker.conf"] {
        let text = read(&format!("deploy/{file}"));
        let workers = text.lines().filter(|line| line.contains("arena worker") || line.contains("\"worker\""));
        assert!(workers.into_iter().all(|line| !line.contains("postgres")), "{file}: a worker knows the database");
    }
    for unit in ["deploy/arena.service", "deploy/server.conf", "deploy/worker.conf"].map(read) {
        let commands = unit.lines().filter_map(|line| line.strip_prefix("ExecStart="));
        let commands: Vec<&str> = commands.filter(|command| !command.is_empty()).collect();
        assert_eq!(commands.len(), 1);
        reads(commands[0].split(' ').skip(1));
    }
    let compose = read("deploy/compose.yaml");
    let commands = compose.lines().filter_map(|line| line.trim().strip_prefix("command: "));
    let commands: Vec<Vec<String>> = commands.map(|command| serde_json::from_str(command).unwrap()).collect();
    assert_eq!(commands.len(), 2);
    commands.iter().for_each(|arguments| reads(arguments.iter().map(String::as_str)));
    let image = read("deploy/Containerfile");
    let arguments = image.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
    let arguments: Vec<String> = serde_json::from_str(arguments).unwrap();
    reads(arguments.iter().map(String::as_str));
}

/// As it is, but for the places of its certificate and its sockets, which belong to root.
#[test]
fn nginx_takes_its_configuration() {
    const NGINX: &str = "/usr/sbin/nginx";
    if !Path::new(NGINX).exists() {
        return left_out("nginx reads deploy/nginx.conf where it is installed (Debian: `apt-get install nginx-light`)");
    }
    let folder = tempfile::tempdir().unwrap();
    let (at, own) = (folder.path().display(), folder.path().join("arena.conf"));
    let key =
        "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=arena.example -keyout privkey.pem -out fullchain.pem";
    let made = Command::new("openssl").args(key.split(' ')).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", said(&made).1);
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|of| format!("{of}_temp_path {at}/{of};"));
    let around = format!(
        "pid {at}/pid; error_log stderr; events {{}} http {{ access_log off; {} include {}; }}",
        temporary.concat(),
        own.display()
    );
    fs::write(folder.path().join("nginx.conf"), around).unwrap();
    let text = read("deploy/nginx.conf").replace("/etc/letsencrypt/live/arena.example", &at.to_string());
    let text = text.replace("listen [::]:", "# ").replace("listen 80;", &format!("listen unix:{at}/plain;"));
    let text = text.replace("listen 443 ssl;", &format!("listen unix:{at}/tls ssl;"));
    for (text, taken) in [(text.clone(), true), (text.replace("proxy_buffering", "proxy_bufering"), false)] {
        fs::write(&own, text).unwrap();
        let read =
            Command::new(NGINX).arg("-t").arg("-p").arg(folder.path()).args(["-c", "nginx.conf"]).output().unwrap();
        assert_eq!(read.status.success(), taken, "{}", said(&read).1);
    }
}

/// Whether this release takes the arguments: help is asked for last, and only given if all before it is known.
fn reads<'a>(arguments: impl Iterator<Item = &'a str>) {
    let arguments: Vec<&str> = arguments.chain(["--help"]).collect();
    let (code, text) = said(&arena(&arguments));
    assert_eq!(code, Some(0), "{arguments:?}: {text}");
    let (code, text) = said(&arena(&[&arguments[..1], &["--no-such-option"], &arguments[1..]].concat()));
    assert_eq!(code, Some(2), "help is given only for what is known: {text}");
}

#[test]
fn the_service_of_deploy_starts_with_the_documents_token_is_ready_and_stops() {
    if ["openssl", "curl"].into_iter().any(|program| Command::new(program).arg("--version").output().is_err()) {
        return left_out("the commands of docs/operating.md need openssl and curl");
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().to_str().unwrap();
    let text = read("docs/operating.md");
    let told = |command: &str| {
        let lines: Vec<&str> = commands(&text).into_iter().filter(|line| line.starts_with(command)).collect();
        assert_eq!(lines.len(), 1, "{command} is in the document once");
        lines[0].to_owned()
    };
    let does = |command: &str| said(&finished(Command::new("sh").args(["-c", command])));
    for command in ["openssl rand", "chmod 600"] {
        let (code, said) = does(&told(command).replace("/etc", here));
        assert_eq!(code, Some(0), "{command}: {said}");
    }
    let key = folder.path().join("arena-operator-token");
    let token = fs::read_to_string(&key).unwrap();
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o077, 0);

    // The unit's own command, on a free port, and with the option that the document adds.
    let unit = read("deploy/arena.service");
    let command = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let (host, site) = ("127.0.0.1:8080", command.replace("/var/lib/arena", &format!("{here}/data")));
    assert!(site.contains(host));
    let mut serve = Command::new(env!("CARGO_BIN_EXE_arena"));
    serve.args(site.replace(host, "127.0.0.1:0").split(' ').skip(1));
    serve.arg("--operator-token-file").arg(&key).arg("--assets").arg(assets::copy_into(folder.path()));
    let (mut site, out) = Process::heard("the site", serve.stdin(Stdio::null()));
    let address = out.find(|line| Some(line.strip_prefix("listening on http://")?.to_owned()));

    let (code, ready) = does(&format!("{} --silent", told("curl --fail").replace(host, &address)));
    assert!(code == Some(0) && ready.contains("ready"), "{code:?}: {ready}");
    let operator = |bearer: &str| {
        let ask = format!("curl --silent --header 'Host: arena.example' http://{address}/api/v1/operator");
        does(&format!("{ask} --header 'Authorization: Bearer {bearer}'")).1
    };
    assert!(operator(token.trim()).contains("\"draining\":false"));
    assert!(operator("another").contains("not_the_operator"));
    assert!(does(&format!("kill -TERM {}", site.id())).0 == Some(0) && site.ended().success());
}

/// Asks a program about a file of `deploy/`, if the program is there.
fn judged_by(program: &str, arguments: &[&str]) -> Option<(Option<i32>, String)> {
    match Command::new(program).args(arguments).stdin(Stdio::null()).output() {
        Ok(output) => Some(said(&output)),
        Err(_) => {
            left_out(&format!("what {program} says of the files of deploy/ needs {program}"));
            None
        }
    }
}

#[test]
fn systemd_and_caddy_take_the_files_of_deploy() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // Where the binary is not installed, systemd would miss it.
    let unit = read("deploy/arena.service").replace("/usr/local/bin/arena", env!("CARGO_BIN_EXE_arena"));
    let unit = put("arena.service", &unit);
    if let Some((code, text)) = judged_by("systemd-analyze", &["verify", "--man=no", &unit]) {
        assert!(code == Some(0) && !text.contains("arena.service"), "{code:?}: {text}");
    }
    for name in ["Caddyfile", "several.Caddyfile"] {
        let caddy = put(name, &read(&format!("deploy/{name}")));
        if let Some((code, text)) = judged_by("caddy", &["validate", "--adapter", "caddyfile", "--config", &caddy]) {
            assert_eq!(code, Some(0), "{text}");
        }
    }
}
