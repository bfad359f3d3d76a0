//! Pieces of SVG for plots: the same bytes for the same figures, on every machine.

use std::fmt::Write as _;

/// The maximum width of a label's character, in pixels: names are set in a monospaced font of 12 pixels.
pub const CHAR_WIDTH: usize = 8;
/// The height of a line of text, in pixels.
pub const LINE: usize = 20;
/// The maximum length of a displayed name: a column of a table. Definitions allow no more; names of a match's files may
/// be longer.
const NAME_CHARS_MAX: usize = 32;

/// Colours for both themes. The page's own rules do not apply inside an image, so the picture has its own background.
const STYLE: &str = "svg{background:#fff;color:#1b1f24;font:12px ui-monospace,monospace}\
    text{fill:currentColor}.soft{opacity:.65}.line{stroke:currentColor}.grid{stroke:currentColor;opacity:.2}\
    .dot{fill:#2f6fb7}.bar{stroke:#2f6fb7;stroke-width:3}\
    @media(prefers-color-scheme:dark){svg{background:#14171a;color:#e8eaed}.dot{fill:#7db4f0}.bar{stroke:#7db4f0}}";

/// A picture being drawn.
pub struct Picture(String);

impl Picture {
    /// An empty picture of this size, with a title and a description for people who cannot see it.
    pub fn new(width: usize, height: usize, title: &str, description: &str) -> Picture {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">{}</title>\n\
             <desc id=\"description\">{}</desc>\n<style>{STYLE}</style>",
            escaped(title),
            escaped(description)
        );
        Picture(text)
    }

    /// Adds a line of markup.
    pub fn add(&mut self, markup: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{markup}");
    }

    /// The text of the picture.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

/// A name as displayed: cut if it is too long for a label.
pub fn label(name: &str) -> String {
    if name.chars().count() <= NAME_CHARS_MAX {
        return name.into();
    }
    name.chars().take(NAME_CHARS_MAX - 1).chain(['…']).collect()
}

/// The width of the longest of these names, in pixels.
pub fn names_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| label(name).chars().count()).max().unwrap_or(0) * CHAR_WIDTH
}

/// Text escaped for use between tags or in an attribute. Characters that are not allowed in XML are replaced. Source:
/// XML 1.0, 2.2 and 2.4.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(escaped("a<b>&\"'\u{0}\n\u{ffff}é"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}\u{fffd}é");
        assert_eq!(escaped("plain-1.2_x"), "plain-1.2_x");
    }

    #[test]
    fn long_names_are_cut_at_a_character() {
        let name = |length| "é".repeat(length);
        assert_eq!(label(&name(NAME_CHARS_MAX)), name(NAME_CHARS_MAX));
        assert_eq!(label(&name(NAME_CHARS_MAX + 1)), name(NAME_CHARS_MAX - 1) + "…");
        assert_eq!(names_width(["ab", "abc"].into_iter()), 3 * CHAR_WIDTH);
        assert_eq!(names_width([].into_iter()), 0);
    }
}
