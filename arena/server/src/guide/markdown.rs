//! Renders the guide's Markdown as HTML for the site: headings with anchors, tables and code that scroll on their own,
//! links to the site's addresses. HTML in the text is shown as text.

use std::fmt::Write as _;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use super::highlight::highlighted;
use super::{address, address_of, escaped, text, workshop};

/// A chapter's heading as text, and its rendered body.
pub(super) struct Rendered {
    pub(super) title: String,
    pub(super) html: String,
}

/// Renders a chapter.
///
/// `path` is its path in the repository, `chapters` are the paths of the chapters that have pages.
pub(super) fn render(markdown: &str, path: &str, chapters: &[&str]) -> Rendered {
    let mut ids = Ids::default();
    let mut title = String::new();
    let mut out = Vec::new();
    let mut events = parse(markdown);
    // A link that leads nowhere on the site is replaced by its text.
    let mut is_dropped = false;
    // Where the workshop opens what is linked to.
    let mut opens = None;
    let mut listings = 0;
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inner: Vec<Event<'_>> =
                    events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
                let words = plain(&inner);
                if level == HeadingLevel::H1 && title.is_empty() {
                    title = words;
                    continue;
                }
                let id = ids.give(&words);
                out.push(Event::Html(format!("<{level} id=\"{id}\">").into()));
                out.extend(inner);
                let anchor = format!(
                    " <a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to this section\">#</a></{level}>\n"
                );
                out.push(Event::Html(anchor.into()));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let inner: Vec<Event<'_>> =
                    events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock))).collect();
                let words = match &kind {
                    CodeBlockKind::Fenced(words) => words.as_ref(),
                    CodeBlockKind::Indented => "",
                };
                listings += 1;
                out.push(Event::Html(code(words, &plain(&inner), listings).into()));
            }
            Event::Start(Tag::Table(alignments)) => {
                out.push(Event::Html("<div class=\"scroll\" tabindex=\"0\">\n".into()));
                out.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                out.push(Event::End(TagEnd::Table));
                out.push(Event::Html("</div>\n".into()));
            }
            Event::Start(Tag::Link { dest_url, .. }) => match here(path, &dest_url, chapters, "") {
                Some(address) => {
                    opens = target(path, &dest_url).and_then(|(path, _)| workshop(&path));
                    out.push(Event::Start(Tag::Link {
                        link_type: LinkType::Inline,
                        dest_url: address.into(),
                        title: CowStr::Borrowed(""),
                        id: CowStr::Borrowed(""),
                    }));
                }
                None => is_dropped = true,
            },
            Event::End(TagEnd::Link) if is_dropped => is_dropped = false,
            Event::End(TagEnd::Link) => {
                out.push(Event::End(TagEnd::Link));
                let link = |address| format!(" (<a href=\"{address}\">open in the workshop</a>)");
                out.extend(opens.take().map(|address| Event::Html(link(address).into())));
            }
            Event::Start(Tag::Image { dest_url, title, .. }) => out.push(Event::Start(Tag::Image {
                link_type: LinkType::Inline,
                dest_url: here(path, &dest_url, chapters, "").unwrap_or_default().into(),
                title,
                id: CowStr::Borrowed(""),
            })),
            Event::Html(html) | Event::InlineHtml(html) => out.push(Event::Text(html)),
            event => out.push(event),
        }
    }
    let mut rendered = String::new();
    html::push_html(&mut rendered, out.into_iter());
    // Pages allow no style in an element. Quotes in text are escaped, so nothing else looks like this.
    let html = rendered.replace(" style=\"text-align: right\"", " class=\"num\"");
    Rendered { title, html }
}

/// The targets of the links, as written.
pub(super) fn links(markdown: &str) -> Vec<String> {
    let link = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    parse(markdown).filter_map(link).collect()
}

/// The target of a link in a file of the repository: a path there, and a heading. `None` for external addresses.
pub(super) fn target<'a>(from: &str, link: &'a str) -> Option<(String, Option<&'a str>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    if file.is_empty() {
        return Some((from.to_owned(), anchor));
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    Some((parts.join("/"), anchor))
}

/// The anchors of a text's headings.
#[cfg(test)]
pub(super) fn anchors(markdown: &str) -> Vec<String> {
    let mut ids = Ids::default();
    let mut anchors = Vec::new();
    let mut events = parse(markdown);
    while let Some(event) = events.next() {
        if matches!(event, Event::Start(Tag::Heading { .. })) {
            let inner: Vec<Event<'_>> =
                events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
            anchors.push(ids.give(&plain(&inner)));
        }
    }
    anchors
}

/// The first HTML in a text. It would be shown as text.
#[cfg(test)]
pub(super) fn html_in(markdown: &str) -> Option<String> {
    parse(markdown).find_map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Some(html.into_string()),
        _ => None,
    })
}

pub(super) fn parse(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
}

/// The address of a link's target on the site, if there is one; that of a chapter has this ending.
pub(super) fn here(from: &str, link: &str, chapters: &[&str], ending: &str) -> Option<String> {
    let Some((path, anchor)) = target(from, link) else { return Some(link.to_owned()) };
    let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    if path == from {
        return Some(anchor);
    }
    if chapters.contains(&path.as_str()) {
        return Some(address(&path) + ending + &anchor);
    }
    text(&path).map(|_| address_of(&path))
}

/// The text of a heading or a block.
fn plain(events: &[Event<'_>]) -> String {
    let words = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        Event::SoftBreak => Some(" "),
        _ => None,
    });
    words.collect()
}

/// The block of code with this number. Commands stand out from their output, and a listing names its file. A button
/// copies the code; of commands, only what is typed.
fn code(words: &str, code: &str, number: usize) -> String {
    let mut words = words.split_whitespace();
    let language = words.next().unwrap_or_default();
    let mut lines = String::new();
    if language == "console" {
        let mut is_command = false;
        for line in code.lines() {
            let command = line.strip_prefix("$ ");
            match command.or_else(|| is_command.then_some(line)) {
                Some(typed) => {
                    let prompt = if command.is_some() { "<span class=\"prompt\">$ </span>" } else { "" };
                    let _ = writeln!(lines, "{prompt}<b>{}</b>", escaped(typed));
                }
                None => lines.push_str(&(escaped(line) + "\n")),
            }
            // A command continues after a line that ends with a backslash.
            is_command = line.ends_with('\\') && (command.is_some() || is_command);
        }
    } else {
        lines = highlighted(code, language);
    }
    let part = if lines.contains("<b>") { " data-part=\"b\"" } else { "" };
    let block = format!(
        "<div class=\"listing\"><pre tabindex=\"0\"><code id=\"code-{number}\">{lines}</code></pre>\
         <button type=\"button\" class=\"quiet\" data-copies=\"code-{number}\"{part} hidden>Copy</button></div>"
    );
    match words.find_map(|word| word.strip_prefix("file=")) {
        Some(path) => {
            let caption = match text(path) {
                Some(_) => format!("<a href=\"{}\">{}</a>", address_of(path), escaped(path)),
                None => escaped(path),
            };
            let open = |address| format!(" · <a href=\"{address}\">Open in the workshop</a>");
            let opens = workshop(path).map(open).unwrap_or_default();
            format!("<figure><figcaption>{caption}{opens}</figcaption>\n{block}</figure>\n")
        }
        None => block + "\n",
    }
}

/// A heading and the text below it.
pub(super) struct Section {
    /// Its anchor; `None` for the chapter's own heading.
    pub(super) id: Option<String>,
    pub(super) title: String,
    pub(super) text: String,
}

/// The sections of a chapter.
pub(super) fn sections(markdown: &str) -> Vec<Section> {
    let mut ids = Ids::default();
    let mut sections: Vec<Section> = Vec::new();
    let mut events = parse(markdown);
    while let Some(event) = events.next() {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            let inner: Vec<Event<'_>> =
                events.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
            let title = plain(&inner);
            let is_chapters = level == HeadingLevel::H1 && sections.is_empty();
            let id = (!is_chapters).then(|| ids.give(&title));
            sections.push(Section { id, title, text: String::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                section.text.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => section.text.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock) => {
                section.text.push(' ')
            }
            _ => {}
        }
    }
    sections
}

/// Makes anchors of headings like GitHub's, so that links work in both places.
#[derive(Default)]
struct Ids {
    given: Vec<String>,
}

impl Ids {
    fn give(&mut self, words: &str) -> String {
        let kept = words.to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let id: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let before = self.given.iter().filter(|given| **given == id).count();
        self.given.push(id.clone());
        if before == 0 { id } else { format!("{id}-{before}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(markdown: &str) -> String {
        render(markdown, "guide/a.md", &["guide/README.md", "guide/a.md", "guide/b.md", "sdk/ABI.md"]).html
    }

    #[test]
    fn links_lead_to_where_things_are_here() {
        for (link, address) in [
            ("b.md", "/guide/b"),
            ("b.md#the-end", "/guide/b#the-end"),
            ("#here", "#here"),
            ("README.md", "/guide"),
            ("../sdk/ABI.md#fuel", "/guide/abi#fuel"),
            ("../sdk/wat/arena.wat", "/guide/files/sdk/wat/arena.wat"),
            ("https://example.org/x", "https://example.org/x"),
        ] {
            let html = rendered(&format!("see [it]({link})."));
            assert_eq!(html, format!("<p>see <a href=\"{address}\">it</a>.</p>\n"), "{link}");
        }
        assert_eq!(rendered("see [`x`](../Cargo.toml)."), "<p>see <code>x</code>.</p>\n");
    }

    #[test]
    fn headings_have_anchors_and_the_first_is_the_title() {
        let chapter = render("# A `bot`\n\n## What's *it*?\n\n## What's it?\n", "guide/a.md", &[]);
        assert_eq!(chapter.title, "A bot");
        assert!(chapter.html.contains("<h2 id=\"whats-it\">What"), "{}", chapter.html);
        assert!(chapter.html.contains("<h2 id=\"whats-it-1\">"), "{}", chapter.html);
        assert_eq!(anchors("# One\n## Two words\n"), ["one", "two-words"]);
    }

    #[test]
    fn commands_stand_out_and_a_listing_names_its_file() {
        let html = rendered("```console\n$ a <b \\\n    c\n1 < 2\n```\n");
        let expected = "<div class=\"listing\"><pre tabindex=\"0\"><code id=\"code-1\"><span class=\"prompt\">$ </span><b>a &lt;b \\</b>\n\
            <b>    c</b>\n1 &lt; 2\n</code></pre><button type=\"button\" class=\"quiet\" data-copies=\"code-1\" data-part=\"b\" hidden>Copy</button></div>\n";
        assert_eq!(html, expected);
        let html = rendered("```c file=sdk/c/arena.h\n#x\n```\n");
        assert!(html.contains("<figcaption><a href=\"/guide/files/sdk/c/arena.h\">sdk/c/arena.h</a>"), "{html}");
    }

    #[test]
    fn a_whole_bot_opens_in_the_workshop() {
        let html = rendered("see [it](../bots/gallery/mason/bot.wat) and [`x`](../sdk/wat/arena.wat).");
        let mason = "bots/gallery/mason/bot.wat";
        let opens = format!("<a href=\"/workshop?listing={mason}\">open in the workshop</a>");
        let link = format!("<a href=\"/guide/files/{mason}\">it</a> ({opens}) and");
        assert!(html.contains(&link) && html.matches("/workshop").count() == 1, "{html}");
        let html = rendered(&format!("```wat file={mason}\n(x)\n```\n"));
        assert!(html.contains(&format!(" · <a href=\"/workshop?listing={mason}\">Open in")), "{html}");
    }

    #[test]
    fn html_is_text() {
        let html = rendered("a <b>b</b>\n\n<script>x</script>\n\n| a |\n|---|\n| <i> |\n");
        for tag in ["<b>", "<script>", "<i>"] {
            assert!(!html.contains(tag), "{html}");
        }
        assert!(html.contains("<div class=\"scroll\" tabindex=\"0\">\n<table>"), "{html}");
        let aligned = rendered("| a |\n|--:|\n| 1 |\n");
        assert!(aligned.contains("<td class=\"num\">1</td>") && !aligned.contains("style="), "{aligned}");
        assert_eq!(html_in("a `<b>` b"), None);
        assert_eq!(html_in("a <b> b").as_deref(), Some("<b>"));
    }
}
