//! A small writer of SVG: shapes in pixels, numbers with one digit, text escaped.

use std::fmt::Write;

/// A picture that is being drawn. Later shapes lie over earlier ones.
pub(super) struct Canvas {
    body: String,
    width: f32,
    height: f32,
}

/// How a line looks.
#[derive(Clone, Copy)]
pub(super) struct Pen<'a> {
    pub colour: &'a str,
    pub width: f32,
    pub opacity: f32,
    /// Lengths of dash and gap; `None` for a whole line.
    pub dash: Option<(f32, f32)>,
}

impl<'a> Pen<'a> {
    pub const fn new(colour: &'a str, width: f32) -> Self {
        Self { colour, width, opacity: 1.0, dash: None }
    }
    pub const fn opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
    pub const fn dash(self, dash: f32, gap: f32) -> Self {
        Self { dash: Some((dash, gap)), ..self }
    }
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Type<'a> {
    pub size: f32,
    pub colour: &'a str,
    pub bold: bool,
}

/// A point in pixels.
pub(super) type Dot = (f32, f32);

impl Canvas {
    pub fn new(width: f32, height: f32, ground: &str) -> Self {
        let mut canvas = Self { body: String::new(), width, height };
        canvas.rect((0.0, 0.0), (width, height), ground, 0.0);
        canvas
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.body.write_fmt(text).expect("BUG: writing to a string cannot fail");
    }

    pub fn rect(&mut self, at: Dot, size: Dot, fill: &str, corner: f32) {
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{fill}\"/>\n",
            short(at.0),
            short(at.1),
            short(size.0),
            short(size.1),
            short(corner)
        ));
    }

    pub fn line(&mut self, from: Dot, to: Dot, pen: Pen<'_>) {
        self.polyline(&[from, to], pen);
    }

    /// A line through points; one point alone is nothing.
    pub fn polyline(&mut self, points: &[Dot], pen: Pen<'_>) {
        if points.len() < 2 {
            return;
        }
        self.path(points, "", &format!("fill=\"none\" {}", stroke(pen)));
    }

    pub fn polygon(&mut self, points: &[Dot], fill: &str, pen: Pen<'_>) {
        self.path(points, "Z", &format!("fill=\"{fill}\" {}", stroke(pen)));
    }

    fn path(&mut self, points: &[Dot], end: &str, look: &str) {
        self.body.push_str("<path d=\"");
        for (at, (x, y)) in points.iter().enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            self.put(format_args!("{letter}{} {}", short(*x), short(*y)));
        }
        self.put(format_args!("{end}\" {look}/>\n"));
    }

    pub fn disc(&mut self, at: Dot, radius: f32, fill: &str, pen: Pen<'_>) {
        self.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" {}/>\n",
            short(at.0),
            short(at.1),
            short(radius),
            stroke(pen)
        ));
    }

    /// A text that begins at `at`, on its base line, with a halo so that lines do not cut it.
    pub fn text(&mut self, at: Dot, text: &str, look: Type<'_>) {
        let weight = if look.bold { " font-weight=\"700\"" } else { "" };
        self.put(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{weight} \
             stroke=\"#fcfcfa\" stroke-width=\"3\" stroke-opacity=\"0.85\" paint-order=\"stroke\">{}</text>\n",
            short(at.0),
            short(at.1),
            short(look.size),
            look.colour,
            escape(text)
        ));
    }

    /// Whatever `draw` draws is cut off at the edge of a rectangle.
    pub fn clipped(&mut self, at: Dot, size: Dot, name: &str, draw: impl FnOnce(&mut Canvas)) {
        self.put(format_args!("<clipPath id=\"{name}\">"));
        self.rect(at, size, "none", 0.0);
        self.put(format_args!("</clipPath>\n<g clip-path=\"url(#{name})\">\n"));
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// The whole document.
    pub fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"Inter, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\n{}</svg>\n",
            self.body,
            w = short(self.width),
            h = short(self.height)
        )
    }
}

fn stroke(pen: Pen<'_>) -> String {
    if pen.width <= 0.0 {
        return String::new();
    }
    let dash = pen.dash.map_or(String::new(), |(dash, gap)| {
        format!(" stroke-dasharray=\"{} {}\" stroke-linecap=\"butt\"", short(dash), short(gap))
    });
    let opacity =
        if pen.opacity < 1.0 { format!(" stroke-opacity=\"{:.2}\"", pen.opacity) } else { String::new() };
    format!("stroke=\"{}\" stroke-width=\"{}\"{opacity}{dash}", pen.colour, short(pen.width))
}

/// A number with at most one digit behind the point.
fn short(number: f32) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    (if text == "-0" { "0" } else { text }).to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_number_has_one_digit_at_most_and_zero_no_sign() {
        for (number, text) in [(-0.04, "0"), (-0.0, "0"), (-0.06, "-0.1"), (3.0, "3"), (2.34, "2.3")] {
            assert_eq!(short(number), text);
        }
    }
}
