//! SVG to PNG with a font that is part of the program: the same pixels on every machine.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;
use thiserror::Error;

/// Latin, Greek and Cyrillic of DejaVu Sans Condensed; see `font/README.md`.
const FONT: &[u8] = include_bytes!("../font/label.ttf");
/// Pixels for each unit of the SVG: sharp on today's screens.
const SCALE: f32 = 2.0;
/// The most pixels of a side: a square then takes 64 MiB.
const MAX_SIDE: f32 = 4096.0;

/// A picture that cannot be made.
#[derive(Debug, Error)]
pub enum PngError {
    /// The SVG cannot be understood.
    #[error("cannot draw the SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// The picture has no size.
    #[error("a picture of {width} x {height} pixels cannot be made")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The PNG cannot be packed.
    #[error("cannot write the PNG: {reason}")]
    Pack {
        /// Why.
        reason: String,
    },
}

/// A picture in pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Png {
    /// The file.
    pub bytes: Vec<u8>,
    /// Characters that the font lacks, each once; they are drawn as boxes.
    pub boxes: String,
}

/// Draws an SVG of this crate as PNG.
///
/// # Errors
/// When the text is not an SVG.
pub fn png(svg: &str) -> Result<Png, PngError> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first().cloned());
    if let Some((family, _)) = family {
        fonts.set_sans_serif_family(family);
    }
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size();
    let scale = SCALE.min(MAX_SIDE / size.width().max(size.height()));
    let (width, height) =
        ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    let mut pixels =
        tiny_skia::Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let packed = pixels.encode_png();
    let bytes = packed.map_err(|error| PngError::Pack { reason: error.to_string() })?;
    let mut boxes = String::new();
    find_boxes(tree.root(), &mut boxes);
    Ok(Png { bytes, boxes })
}

/// Adds the characters that have the glyph of unknown characters.
fn find_boxes(group: &usvg::Group, boxes: &mut String) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => find_boxes(group, boxes),
            usvg::Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                for glyph in glyphs.filter(|glyph| glyph.id.0 == 0) {
                    let new = glyph.text.chars().filter(|c| !boxes.contains(*c));
                    let new: String = new.collect();
                    boxes.push_str(&new);
                }
            }
            _ => {}
        }
    }
}
