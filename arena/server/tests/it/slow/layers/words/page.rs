//! A page as its readers find it: lines of text, links, and what its elements are called.

use std::collections::BTreeSet;

/// Elements that stand within a line.
const INLINE: [&str; 16] =
    ["a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup", "time"];
/// Attributes with text that is shown or read aloud.
const SAID: [&str; 4] = ["aria-label", "title", "placeholder", "alt"];
/// Attributes that name other elements.
const NAMING: [&str; 4] = ["aria-labelledby", "aria-describedby", "aria-controls", "for"];

/// What a page has.
#[derive(Default)]
pub(super) struct Page {
    pub(super) lines: Vec<String>,
    /// Addresses of this site that it links to.
    pub(super) links: Vec<String>,
    pub(super) ids: BTreeSet<String>,
    /// Attributes that name elements, and the ids.
    pub(super) named: Vec<(String, String)>,
}

impl Page {
    /// Reads the pages that this site's templates make, whose attributes are all quoted.
    pub(super) fn of(html: &str) -> Page {
        let (mut page, mut line) = (Page::default(), String::new());
        let mut rest = html;
        while let Some((text, tag)) = rest.split_once('<') {
            line += text;
            let Some((tag, after)) = tag.split_once('>') else { break };
            rest = after;
            let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            // What a field for a program holds is no text of the page.
            if matches!(name.as_str(), "script" | "style" | "textarea") && !tag.starts_with('/') {
                rest = after.split_once(&format!("</{name}>")).map_or("", |(_, rest)| rest);
            }
            if !INLINE.contains(&name.as_str()) {
                page.end(&mut line);
            }
            page.element(tag);
        }
        line += rest;
        page.end(&mut line);
        page
    }

    fn end(&mut self, line: &mut String) {
        let words: Vec<String> = plain(line).split_whitespace().map(str::to_owned).collect();
        if !words.is_empty() {
            self.lines.push(words.join(" "));
        }
        line.clear();
    }

    fn element(&mut self, tag: &str) {
        let mut parts = tag.split('"');
        while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
            let name = before.trim().trim_end_matches('=').rsplit(' ').next().unwrap_or_default();
            let value = plain(value);
            match name {
                "id" => drop(self.ids.insert(value)),
                "href" if value.starts_with('/') || value.starts_with('#') => self.links.push(value),
                _ if SAID.contains(&name) => self.lines.push(value),
                _ if NAMING.contains(&name) => {
                    self.named.extend(value.split(' ').map(|id| (name.to_owned(), id.to_owned())));
                }
                _ => {}
            }
        }
    }
}

/// Text without entities, and without the characters that isolate names.
fn plain(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'")];
    let text =
        entities.iter().fold(text.replace(['\u{2068}', '\u{2069}'], ""), |text, (from, to)| text.replace(from, to));
    text.replace("&#60;", "<").replace("&#62;", ">").replace("&nbsp;", " ").replace("&#38;", "&").replace("&amp;", "&")
}
