//! Pictures on disk: the SVG as it is, or rendered as PNG.

use super::Result;
use resvg::{tiny_skia, usvg};
use std::path::Path;

/// How many pixels of a PNG one of the SVG is, so that it stays sharp.
const SCALE: f32 = 2.0;
/// The longest side of a PNG, in pixels.
const LONGEST: f32 = 8192.0;

pub fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |end| end.to_string_lossy().to_lowercase())
}

pub fn write(path: &Path, svg: &str) -> Result<()> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: cannot be written: {error}", path.display());
    if ending(path) == "svg" {
        return std::fs::write(path, svg).map_err(|error| fault(&error));
    }
    let bytes = render(svg)?;
    std::fs::write(path, bytes).map_err(|error| fault(&error))
}

fn render(svg: &str) -> Result<Vec<u8>> {
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        eprintln!("there are no fonts on this system: the picture has no text (--picture FILE.svg has)");
    }
    let tree =
        usvg::Tree::from_str(svg, &options).map_err(|error| format!("the picture is no SVG: {error}"))?;
    let size = tree.size();
    let scale = SCALE.min(LONGEST / size.width().max(size.height()));
    let (width, height) = ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or("the picture has no size")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| format!("the picture cannot be encoded: {error}"))
}
