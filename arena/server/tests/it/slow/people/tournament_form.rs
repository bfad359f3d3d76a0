//! `/tournaments/new`: the form can be sent as it is.

use crate::client::{get, post};
use crate::fixture::fixture;

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[from..].split('"').next()
}

/// The tags of a kind in a text, each up to its end.
fn tags<'a>(text: &'a str, kind: &str) -> impl Iterator<Item = &'a str> {
    let begins = format!("<{kind} ");
    text.match_indices(&begins)
        .map(|(at, _)| text[at..].split('>').next().unwrap_or_default())
        .collect::<Vec<_>>()
        .into_iter()
}

/// What a browser sends of a form in which only the name was filled in.
fn sent(page: &str) -> String {
    let form =
        page.split("id=\"new-tournament\"").nth(1).and_then(|rest| rest.split("</form>").next()).expect("a form");
    let mut fields: Vec<(&str, &str)> = vec![("name", "x")];
    for input in tags(form, "input") {
        let name = attribute(input, "name").expect("a name");
        let is_box = ["radio", "checkbox"].iter().any(|kind| attribute(input, "type") == Some(kind));
        if name != "name" && (!is_box || input.ends_with(" checked")) {
            fields.push((name, attribute(input, "value").unwrap_or_default()));
        }
    }
    for select in form.split("<select ").skip(1) {
        let options = select.split("</select>").next().expect("its end");
        let chosen = tags(options, "option").find(|option| option.ends_with(" selected"));
        let name = select.split('"').nth(1).expect("a name");
        fields.push((name, chosen.and_then(|option| attribute(option, "value")).expect("one is chosen")));
    }
    fields.push(("keys", ""));
    let coded = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02X}")).collect() };
    fields.iter().map(|(name, value)| format!("{name}={}", coded(value))).collect::<Vec<_>>().join("&")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_can_be_sent_as_it_is_for_each_game_in_each_format() {
    let fixture = fixture().await;
    let (mut opened, mut formats) = (0, Vec::new());
    for game in arena_wire::GAMES {
        let plain = fixture.account(&format!("Host {opened}")).await;
        let ask = |query: &str, code: &str| get(&format!("/tournaments/new?game={}{query}", game.name())).bearer(code);
        let page = fixture.ask(ask("", &plain)).await.text;
        let select = page.split("<select name=\"format\">").nth(1).and_then(|rest| rest.split("</select>").next());
        let offered: Vec<String> = tags(select.expect("formats"), "option")
            .map(|option| attribute(option, "value").expect("a value").to_owned())
            .collect();
        for format in [None].into_iter().chain(offered.iter().map(Some)) {
            // An account has so many open tournaments and no more.
            let code = fixture.account(&format!("Ann {opened}")).await;
            let query = format.map(|format| format!("&format={format}")).unwrap_or_default();
            let page = fixture.ask(ask(&query, &code)).await.text;
            let form = post("/tournaments/new", sent(&page)).form().with("accept", "text/html").bearer(&code);
            let answer = fixture.ask(form).await;
            assert_eq!(answer.status, 303, "{} {format:?}: {}", game.ruleset, answer.text);
            opened += 1;
        }
        formats.push((game.name(), offered.len()));
    }
    let wanted = [("conquerors", 6), ("war-of-life", 6), ("game-of-game-of-life", 7), ("life2", 7)];
    assert_eq!(formats, wanted);
    fixture.end().await;
}
