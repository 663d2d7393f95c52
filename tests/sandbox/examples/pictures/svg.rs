//! SVG of text, boxes and lines, in colours for light and dark pages.

use std::fmt::Write;

const STYLE: &str = "\
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.small { font-size: 11px }
.head { font-weight: 600 }
.dim { fill: #59636e }
.on { fill: #ffffff; font-weight: 600 }
.spent { fill: #2f6fdb }
.reserved { fill: #6e7781 }
.risk { fill: #c2620a }
.empty { fill: none; stroke: #8b949e; stroke-dasharray: 3 3 }
line { stroke: #8b949e }
.pause { stroke-dasharray: 2 4; stroke-width: 2 }
.limit { stroke: #d1242f; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .dim { fill: #9198a1 }
}
";

/// A picture that is not finished.
pub(crate) struct Picture {
    title: &'static str,
    width: u64,
    body: String,
}

impl Picture {
    pub(crate) fn new(title: &'static str, width: u64) -> Self {
        Self {
            title,
            width,
            body: String::new(),
        }
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        _ = writeln!(self.body, "{element}");
    }

    /// Writes text around this x.
    pub(crate) fn middle(&mut self, x: u64, y: u64, class: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            r#"<text x="{x}" y="{y}" class="{class}" text-anchor="middle">{text}</text>"#
        ));
    }

    /// Writes text from this x on.
    pub(crate) fn text(&mut self, x: u64, y: u64, class: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            r#"<text x="{x}" y="{y}" class="{class}">{text}</text>"#
        ));
    }

    /// Draws a box, with text in its middle.
    pub(crate) fn tile(&mut self, (x, y): (u64, u64), (w, h): (u64, u64), class: &str, text: &str) {
        self.push(format_args!(
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="2" class="{class}"/>"#
        ));
        if !text.is_empty() {
            self.middle(x + w / 2, y + h / 2 + 5, "on", text);
        }
    }

    /// Draws a level line.
    pub(crate) fn level(&mut self, x: u64, y: u64, length: u64, class: &str) {
        let end = x + length;
        self.push(format_args!(
            r#"<line x1="{x}" y1="{y}" x2="{end}" y2="{y}" class="{class}"/>"#
        ));
    }

    /// Explains the three colours, from this x on.
    pub(crate) fn legend(&mut self, mut x: u64, y: u64) {
        for (class, name) in [
            ("spent", "spent"),
            ("reserved", "reserved"),
            ("risk", "at risk"),
        ] {
            self.tile((x, y - 10), (12, 12), class, "");
            self.text(x + 18, y, "small", name);
            x += 85;
        }
    }

    pub(crate) fn finish(self, height: u64) -> String {
        let Self { title, width, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n<desc>Made by `cargo run -p company-intel-sandbox --example pictures`: do not edit.</desc>\n<style>\n{STYLE}</style>\n{body}</svg>\n"
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
