//! No form loses what was typed: the answer to a refused one is its page with all of that, but for secrets, and the
//! reason.

use std::collections::BTreeSet;

use serde_json::json;

use super::submit::form;
use crate::client::{Answer, Ask, get, post, post_json};
use crate::fixture::{MODULE, OPERATOR, fixture};

/// What is typed into every field for a text: it has what HTML and forms write otherwise.
const TYPED: &str = "a \"b\" <c> & 'd' + 100%";

/// A form of a page.
struct Form<'a> {
    /// Its opening tag, and what follows.
    tag: &'a str,
    content: &'a str,
}

/// A field of a form: its tag, and the value that is sent.
struct Field<'a> {
    name: &'a str,
    value: String,
    kind: &'a str,
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = tag.split_once(&format!(" {name}=\""))?;
    after.split('"').next()
}

/// The forms of a page or a template that are posted, without files.
fn forms(page: &str) -> impl Iterator<Item = Form<'_>> {
    let forms = page.split("<form").skip(1).filter_map(|rest| rest.split("</form>").next()?.split_once('>'));
    let forms = forms.map(|(tag, content)| Form { tag, content });
    forms.filter(|form| form.tag.contains("method=\"post\"") && !form.tag.contains("multipart"))
}

impl Form<'_> {
    /// The fields with what a person types or chooses: the last one of several.
    fn fields(&self) -> Vec<Field<'_>> {
        let mut fields: Vec<Field<'_>> = Vec::new();
        let mut rest = self.content;
        while let Some((_, found)) = rest.split_once('<') {
            let (tag, after) = found.split_once('>').expect("a tag ends");
            rest = after;
            let named = || attribute(tag, "name").expect("a name");
            let value = attribute(tag, "value").map(str::to_owned);
            let kind = attribute(tag, "type").unwrap_or("text");
            match tag.split(' ').next() {
                Some("input") if ["radio", "hidden", "checkbox"].contains(&kind) => {
                    fields.retain(|field| kind != "radio" || field.name != named());
                    fields.push(Field { name: named(), value: value.expect("a value"), kind });
                }
                Some("input" | "textarea") => fields.push(Field { name: named(), value: TYPED.into(), kind }),
                Some("select") => fields.push(Field { name: named(), value: String::new(), kind: "select" }),
                Some("option") => {
                    let field = fields.last_mut().expect("a select");
                    field.value = value.unwrap_or_else(|| after.split('<').next().expect("its text").to_owned());
                }
                _ => {}
            }
        }
        fields
    }

    /// Whether a field has the value that was sent, or nothing if it is for a secret.
    fn has(&self, field: &Field<'_>) -> bool {
        let tags = || self.content.split('<').filter(|tag| attribute(tag, "name") == Some(field.name));
        let escaped = escaped(&field.value);
        let is_value = |tag: &str| attribute(tag, "value") == Some(&escaped);
        match field.kind {
            "hidden" => true,
            "password" => tags().all(|tag| attribute(tag, "value").is_none()),
            "radio" | "checkbox" => tags().any(|tag| is_value(tag) && tag.contains(" checked>")),
            "select" => self.content.split("<select ").skip(1).any(|select| {
                let select = select.split("</select>").next().expect("its end");
                let chosen = select.split("<option").find(|option| option.contains(" selected>"));
                let is_text = |option: &str| option.split('>').nth(1).is_some_and(|text| text.starts_with(&escaped));
                chosen.is_some_and(|option| is_value(option) || is_text(option))
            }),
            _ => tags().any(|tag| is_value(tag) || tag.ends_with(&format!(">{escaped}"))),
        }
    }

    fn is_typed_in(&self) -> bool {
        self.fields().iter().any(|field| field.kind != "hidden")
    }
}

fn escaped(text: &str) -> String {
    let html = [('&', "&#38;"), ('"', "&#34;"), ('<', "&#60;"), ('>', "&#62;"), ('\'', "&#39;")];
    html.iter().fold(text.to_owned(), |text, (from, to)| text.replace(*from, to))
}

/// Whether an answer has a button that sends these fields to the same address again, and nothing else.
fn sends_again(answer: &str, action: &str, fields: &[Field<'_>]) -> bool {
    let Some(again) = forms(answer).find(|form| form.tag.contains("class=\"send-again\"")) else { return false };
    let to = attribute(again.tag, "action").and_then(|to| to.split('?').next());
    let found = again.content.split("<input ").skip(1).map(|field| field.split('>').next().unwrap_or_default());
    let sent = fields
        .iter()
        .chain(fields.last())
        .map(|field| format!("type=\"hidden\" name=\"{}\" value=\"{}\"", field.name, escaped(&field.value)));
    to == action.split('?').next() && found.eq(sent)
}

/// As a browser sends it. The last field comes twice, which no form takes.
fn sent(fields: &[Field<'_>]) -> String {
    let coded = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02X}")).collect() };
    let fields = fields.iter().chain(fields.last());
    fields.map(|field| format!("{}={}", field.name, coded(&field.value))).collect::<Vec<_>>().join("&")
}

/// The templates of pages.
fn templates() -> impl Iterator<Item = String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/templates");
    let files = std::fs::read_dir(folder).expect("templates");
    files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("text"))
}

/// The names of all forms in which something is typed.
fn of_templates() -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for text in templates() {
        let typed_in = forms(&text).filter(Form::is_typed_in);
        known.extend(typed_in.filter_map(|form| attribute(form.tag, "id").map(str::to_owned)));
    }
    known
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_form_is_answered_with_itself_and_what_was_typed() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    fixture.accepted(&ann, MODULE).await;
    fixture.accepted_as(&ann, "second", b"a second bot").await;
    fixture.accepted_as(&bob, "other", b"another bot").await;
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "bots": ["talker"], "entry": "open", "places": 4 });
    assert_eq!(fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&ann)).await.status, 201);
    let room = fixture.ask(post_json("/api/v1/lobby", json!({ "seat": 0 })).bearer(&ann)).await.json()["room"].clone();
    let room = format!("/rooms/{}", room.as_str().expect("an id"));
    let signed = fixture.ask(post("/operator/session", format!("token={OPERATOR}")).form()).await;
    let operator = signed.cookies().remove(0);
    let (as_ann, as_stranger) = (|ask: Ask| ask.bearer(&ann), |ask: Ask| ask);
    let as_operator = |ask: Ask| ask.with("cookie", operator.clone());
    let mut asked: Vec<(&str, &dyn Fn(Ask) -> Ask)> =
        vec![("/account", &as_stranger), ("/operator", &as_stranger), ("/operator", &as_operator)];
    for page in ["/account", "/bots/other", "/bots/talker", "/lobby", "/play", "/play?game=war-of-life"] {
        asked.push((page, &as_ann));
    }
    for page in ["/tournaments/new?game=war-of-life", "/tournaments/cup-1"] {
        asked.push((page, &as_ann));
    }
    // A room does not wait for long.
    asked.insert(0, (&room, &as_ann));

    let mut seen = BTreeSet::new();
    for (page, whose) in asked {
        let shown = fixture.ask(whose(get(page).with("accept", "text/html"))).await.text;
        for form in forms(&shown).filter(Form::is_typed_in) {
            seen.extend(attribute(form.tag, "id").map(str::to_owned));
            let (action, fields) = (attribute(form.tag, "action").expect("an address"), form.fields());
            // What requests and changes cost comes back.
            fixture.clock.advance(std::time::Duration::from_secs(60));
            let refused = post(action, sent(&fields)).form().with("accept", "text/html");
            let refused = fixture.ask(whose(refused)).await;
            let said = format!("{page}: {}\n{}", form.tag, refused.text);
            assert!(refused.status.is_client_error(), "{}: {said}", refused.status);
            let again = forms(&refused.text).find(|form| form.content.contains("data-refused")).expect(&said);
            let address = |form: &Form<'_>| {
                attribute(form.tag, "action").map(|to| to.split('?').next() == action.split('?').next())
            };
            assert_eq!(address(&again), Some(true), "{said}");
            for field in &fields {
                assert!(again.has(field), "{} = {}\n{said}", field.name, field.value);
            }
            let opened = refused.text.split("data-refused").next().expect("a part");
            let around = opened.rfind("<details").filter(|at| !opened[*at..].contains("</details>"));
            assert!(around.is_none_or(|at| opened[at..].starts_with("<details open")), "it is seen: {said}");
        }
    }
    assert!(seen.len() > 25, "{seen:?}");
    assert_eq!(seen, of_templates(), "every form that has a name");
    fixture.end().await;
}

/// Where the page of a form cannot be shown, its content is sent again by a button: after a session has ended, while
/// the site takes no changes, and when a share of requests is used up.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_no_page_can_take_is_sent_again_by_a_button() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    fixture.accepted(&ann, MODULE).await;
    let mut pages = Vec::new();
    for page in ["/account", "/bots/talker", "/tournaments/new", "/lobby"] {
        pages.push(fixture.ask(get(page).with("accept", "text/html").bearer(&ann)).await.text);
    }
    let typed_in: Vec<Form<'_>> = pages.iter().flat_map(|page| forms(page)).filter(Form::is_typed_in).collect();
    assert!(typed_in.len() > 8, "{} forms", typed_in.len());
    let ask = async |form: &Form<'_>, code: Option<&str>| {
        let (action, fields) = (attribute(form.tag, "action").expect("an address"), form.fields());
        let ask = post(action, sent(&fields)).form().with("accept", "text/html");
        let answer = fixture.ask(if let Some(code) = code { ask.bearer(code) } else { ask }).await;
        let is_secret = fields.iter().any(|field| field.kind == "password");
        let is_kept = sends_again(&answer.text, action, &fields);
        (answer.status.as_u16(), is_kept || is_secret, format!("{action}: {}", answer.text))
    };
    let mut signed_out = 0;
    for form in &typed_in {
        fixture.clock.advance(std::time::Duration::from_secs(60));
        // Some are for anybody.
        if let (401, is_kept, said) = ask(form, None).await {
            assert!(is_kept, "{said}");
            signed_out += 1;
        }
    }
    assert!(signed_out > 5, "{signed_out} of {} forms", typed_in.len());
    let act = async |word: &str| {
        let acted = fixture.act(json!({ "act": word, "reason": "a test" })).await;
        assert_eq!(acted.status, 200, "{}", acted.text);
    };
    act("close_changes").await;
    for form in &typed_in {
        fixture.clock.advance(std::time::Duration::from_secs(60));
        let (status, is_kept, said) = ask(form, Some(&ann)).await;
        assert_eq!((status, is_kept), (503, true), "{said}");
    }
    act("open_changes").await;
    for asked in 0.. {
        assert!(asked < 1_000, "a share of requests ends");
        if fixture.ask(get("/standings")).await.status == 429 {
            break;
        }
    }
    for form in &typed_in {
        let (status, is_kept, said) = ask(form, Some(&ann)).await;
        assert_eq!((status, is_kept), (429, true), "{said}");
    }
    fixture.clock.advance(std::time::Duration::from_secs(600));
    act("close_changes").await;
    let limits = fixture.ask(get("/api/v1/limits")).await.json();
    let limit = |name: &str| {
        let row = limits.as_array().expect("rows").iter().find(|row| row["name"] == name).expect("a row");
        row["value"].as_u64().expect("a number") as usize
    };
    // The longest form comes back as often as its network has a share of that. Then a browser stays on the page, unless
    // it has kept what was typed; a program is answered.
    let longest = "a".repeat(limit("body_bytes") - "name=".len());
    let ask = async |address: &str, mode: &str| {
        let ask =
            post(address, format!("name={longest}")).form().with("accept", "text/html").with("sec-fetch-mode", mode);
        fixture.ask(ask).await
    };
    for asked in 0..limit("forms_burst_network") {
        let answer = ask("/account", "navigate").await;
        let is_kept = answer.text.contains(&format!("value=\"{longest}\""));
        assert_eq!((answer.status.as_u16(), is_kept), (503, true), "form {asked}");
    }
    let answer = ask("/account", "navigate").await;
    assert_eq!((answer.status.as_u16(), &*answer.text), (204, ""));
    let unsaid = post("/account", format!("name={longest}")).form().with("accept", "text/html,*/*");
    assert_eq!(fixture.ask(unsaid).await.status, 204, "browsers say no more where the line is open");
    for (address, mode) in [("/account?kept=", "navigate"), ("/account", "cors")] {
        let answer = ask(address, mode).await;
        assert_eq!((answer.status.as_u16(), answer.text.lines().count()), (503, 2), "{}", answer.text);
    }
    fixture.end().await;
}

/// An account's share is charged once for a form and its page, and where it is used up the form comes back, too; and so
/// does what was typed into a form that is gone.
#[tokio::test(flavor = "multi_thread")]
async fn neither_an_accounts_share_nor_a_page_that_is_gone_loses_a_form() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let mut refused = 0;
    for asked in 0.. {
        assert!(asked < 1_000, "the share of an account ends");
        // Its network's share is another one each time.
        let from = format!("2001:db8:{asked:x}::1");
        let ask = post("/account/tokens", "name=typed&scope=none").form().with("accept", "text/html");
        let answer = fixture.ask(ask.with("x-forwarded-for", from).bearer(&ann)).await;
        assert!(answer.text.contains("value=\"typed\""), "{}: {}", answer.status, answer.text);
        if answer.status == 429 {
            refused += 1;
            if refused == 3 {
                break;
            }
        }
    }
    fixture.clock.advance(std::time::Duration::from_secs(600));
    let ask = post("/tournaments/cup-99/cancellation", "reason=typed+here").form().with("accept", "text/html");
    let gone = fixture.ask(ask.bearer(&ann)).await;
    assert_eq!(gone.status, 404);
    assert!(gone.text.contains("<dt>reason</dt><dd>typed here</dd>"), "{}", gone.text);
    fixture.end().await;
}

/// A form of another site is refused and never offered as one of ours, admitted or not.
#[tokio::test(flavor = "multi_thread")]
async fn the_form_of_another_site_does_not_come_back() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let foreign = async || {
        let ask = post("/account/deletion", "name=Ann").form().with("accept", "text/html").bearer(&ann);
        fixture.ask(ask.with("origin", "http://evil.example").with("sec-fetch-site", "cross-site")).await
    };
    let closed = async |word: &str| fixture.act(json!({ "act": word, "reason": "a test" })).await.status;
    for act in [None, Some("close_changes"), Some("open_changes")] {
        if let Some(act) = act {
            assert_eq!(closed(act).await, 200);
        }
        let answer = foreign().await;
        assert_eq!((answer.status.as_u16(), answer.text.contains("<form")), (403, false), "{act:?}: {}", answer.text);
    }
    for asked in 0.. {
        assert!(asked < 1_000, "a share of requests ends");
        if fixture.ask(get("/standings")).await.status == 429 {
            break;
        }
    }
    let answer = foreign().await;
    assert_eq!((answer.status.as_u16(), answer.text.contains("<form")), (403, false), "{}", answer.text);
    fixture.end().await;
}

/// Of the form of a file, what was typed goes back to the form, where the file is chosen again.
#[tokio::test(flavor = "multi_thread")]
async fn the_form_of_a_file_keeps_what_was_typed_before_it() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let (typed, written) = ([("name", "my-bot"), ("game", "life2")], [("game", "life2"), ("language", "wat")]);
    let ask = |fields: &[(&str, &str)], last: (&str, &str)| {
        let heads: Vec<String> = fields.iter().map(|(name, _)| format!("name=\"{name}\"")).collect();
        let parts = heads.iter().zip(fields).map(|(head, (_, value))| (&**head, *value));
        form(&parts.chain([last]).collect::<Vec<_>>()).with("accept", "text/html")
    };
    let file = ("name=\"file\"; filename=\"bot.wasm\"", "no module");
    // More than is read of it, and no more than is sent at once.
    let much = "0".repeat(12 << 10);
    let goes_back = |answer: &Answer, page: &str, fields: &[(&str, &str)]| {
        let form = format!("<form class=\"send-again\" action=\"{page}\">\n");
        let fields: String = fields
            .iter()
            .map(|(name, value)| format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">\n"))
            .collect();
        assert!(answer.text.contains(&format!("{form}{fields}<button>")), "{}", answer.text);
    };
    let signed_out = fixture.ask(ask(&typed, file)).await;
    assert_eq!(signed_out.status, 401);
    goes_back(&signed_out, "/submit", &typed);
    let shown = fixture.ask(get("/submit?name=my-bot&game=life2").with("accept", "text/html").bearer(&ann)).await.text;
    assert!(shown.contains("value=\"my-bot\"") && shown.contains("value=\"life2\" selected"), "{shown}");

    let closed = fixture.act(json!({ "act": "close_changes", "reason": "a test" })).await;
    assert_eq!(closed.status, 200);
    for content in ["no module", &much] {
        let refused = fixture.ask(ask(&typed, (file.0, content)).bearer(&ann)).await;
        assert_eq!(refused.status, 503);
        goes_back(&refused, "/submit", &typed);
    }
    // What comes back is bounded, whatever is sent in place of a name.
    let long = fixture.ask(ask(&[("name", &much)], file).bearer(&ann)).await;
    assert!(long.text.len() < 4 << 10, "{}", long.text.len());
    // What is written in the workshop is in the browser.
    let refused = fixture.ask(ask(&written, ("name=\"text\"", "(module)")).bearer(&ann)).await;
    goes_back(&refused, "/workshop", &written);
    fixture.end().await;
}

/// No form can be filled until it is too long to be read: its fields say how long they may be.
#[test]
fn no_form_is_longer_than_what_is_read() {
    // A letter takes nine bytes at most as it is sent.
    let (letter, body) = (9, 64 << 10);
    let longest = |tag: &str| match attribute(tag, "maxlength")? {
        "{{ crate::limits::NAMES_CHARS_MAX }}" => Some(64 * (32 + 2)),
        // Of one name.
        constant if constant.starts_with("{{ ") => Some(64),
        number => number.parse().ok(),
    };
    let mut counted = 0;
    for text in templates() {
        for form in forms(&text) {
            let mut rest = form.content;
            let mut bytes = 0;
            while let Some((_, found)) = rest.split_once('<') {
                let (tag, after) = found.split_once('>').expect("a tag ends");
                rest = after;
                let kind = attribute(tag, "type").unwrap_or("text");
                let is_typed =
                    tag.starts_with("textarea") || tag.starts_with("input") && ["text", "password"].contains(&kind);
                let Some(name) = attribute(tag, "name").filter(|_| is_typed) else { continue };
                let longest = longest(tag).unwrap_or_else(|| panic!("{name} of {} has no end", form.tag));
                bytes += name.len() + 2 + letter * longest;
                counted += 1;
            }
            assert!(bytes < body - (1 << 10), "{bytes} bytes of {}", form.tag);
        }
    }
    assert!(counted > 30, "{counted} fields");
}
