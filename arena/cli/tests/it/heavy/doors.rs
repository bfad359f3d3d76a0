//! Who a site believes, to which names it answers, and how it reads the heads of requests.

use std::time::Instant;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::eventually::within;
use crate::night::floods::Shares;
use crate::site::{HONEST, Site, flood, post_json};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_proxy_says_is_believed_when_it_is_trusted_and_not_otherwise() {
    for (flags, visitors) in
        [(&["--no-standing"][..], 1), (&["--no-standing", "--trusted-proxy", "127.0.0.0/8"][..], 2)]
    {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::start(folder.path(), flags);
        let (mut accounts, began) = (0, Instant::now());
        for number in 0..80 {
            let claim = post_json("/api/v1/accounts", &json!({ "name": format!("flood {number}") }));
            // Two visitors behind one proxy, of networks with nothing in common; each puts another's address before its
            // own.
            let hops = format!("203.0.113.{number}, 198.{}.100.7", 51 + number % 2);
            accounts += u64::from(!site.ask(flood(1), claim.with("x-forwarded-for", &hops)).await.refuses());
        }
        let share = Shares::of(&site).await.share("accounts", "network", 1, began.elapsed());
        let made = (visitors * share.start()).min(80)..=(visitors * share.end()).min(80);
        assert!(made.contains(&accounts), "{accounts} of {made:?}, {flags:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_answers_to_its_own_name_and_to_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--public-url", "https://arena.example"]);
    let ask = async |head: &str| {
        let mut stream = site.connect(HONEST).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        within("an answer", stream.read_to_end(&mut bytes)).await.unwrap();
        String::from_utf8_lossy(&bytes)[9..12].to_owned()
    };
    let close = "Connection: close\r\n\r\n";
    for (hosts, status) in [
        ("Host: arena.example\r\n", "200"),
        ("Host: evil.example\r\n", "421"),
        ("Host: evil.example\r\nOrigin: http://evil.example\r\n", "421"),
        ("Host: arena.example\r\nHost: evil.example\r\n", "400"),
        ("", "400"),
    ] {
        assert_eq!(ask(&format!("GET / HTTP/1.1\r\n{hosts}{close}")).await, status, "{hosts}");
    }
    assert_eq!(ask(&format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n{close}", site.address)).await, "200");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_are_read_in_one_way_only() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    let host = format!("Host: {}", site.address);
    let answers = async |text: String| {
        let mut stream = site.connect(HONEST).await;
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        within("all answers", stream.read_to_end(&mut bytes)).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.split("HTTP/1.1 ").skip(1).map(|answer| answer[..3].to_owned()).collect::<Vec<_>>().join(" ")
    };
    let get = "GET /healthz HTTP/1.1";
    for (text, wanted) in [
        (format!("{get}\r\n{host}\r\nConnection: close\r\n\r\n"), "200"),
        // RFC 9112 §2.2 lets a server accept a single line feed as the end of a line. All heads are read in this way,
        // so none can hide another.
        (format!("{get}\n{host}\nConnection: close\n\n"), "200"),
        (format!("{get}\n{host}\n\n{get}\r\n{host}\r\nConnection: close\r\n\r\n"), "200 200"),
        (format!("{get}\r\n\r\n"), "400"),
        (format!("{get}\r\n{host}\r\n{host}\r\n\r\n"), "400"),
        (format!("{get}\r\n{host}\r\nHost : other\r\n\r\n"), "400"),
        (format!("{get}\r\n{host}\r\n folded: line\r\n\r\n"), "400"),
        // Read by its chunks, and the connection ends after it (§6.3), so that there is no disagreement about its end.
        (
            format!(
                "{get}\r\n{host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{get}\r\n{host}\r\n\r\n"
            ),
            "200",
        ),
        (format!("{get}\r\n{host}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), "400"),
    ] {
        let answers = answers(text.clone()).await;
        assert_eq!(answers, wanted, "{text:?}");
    }
}
