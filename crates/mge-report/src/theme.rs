//! Colours. Positive and negative are blue and orange. Classes have colours of their own, apart from
//! those two.

mge_names::named_enum! {
    /// Light or dark.
    #[derive(Default)]
    pub enum Theme: "theme" {
        /// Dark on white, for paper and most pages.
        #[default]
        Light = "light",
        /// Light on near-black.
        Dark = "dark",
    }
}

/// The colours of one theme, such as `#1f2328`.
#[derive(Debug)]
pub(crate) struct Palette {
    /// The background.
    pub paper: &'static str,
    /// Text.
    pub ink: &'static str,
    /// Less important text, frames, axes.
    pub faint: &'static str,
    /// Positive weights.
    pub positive: &'static str,
    /// Negative weights.
    pub negative: &'static str,
    /// Inputs, and neurons that feed several outputs.
    pub shared: &'static str,
}

impl Theme {
    /// Its colours.
    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &Palette {
                paper: "#ffffff",
                ink: "#1f2328",
                faint: "#68707a",
                positive: "#0072b2",
                negative: "#d55e00",
                shared: "#9aa1ab",
            },
            Theme::Dark => &Palette {
                paper: "#14171c",
                ink: "#e8eaed",
                faint: "#9aa4b0",
                positive: "#5ab4ee",
                negative: "#f08a4b",
                shared: "#7d8590",
            },
        }
    }

    /// The rules of a style sheet of drawings with up to so many classes. `scope` stands before each
    /// selector.
    pub(crate) fn css(self, scope: &str, classes: usize) -> String {
        let Palette { paper, ink, faint, positive, negative, shared } = self.palette();
        let mut css = format!(
            "{scope}.bg{{fill:{paper}}}\
             {scope}.t{{fill:{ink};stroke:{paper};stroke-width:3;paint-order:stroke;stroke-linejoin:round}}\
             {scope}.f{{fill:{faint}}}{scope}.w{{fill:#fff}}\
             {scope}.p,{scope}.n{{fill:none;stroke-linecap:round}}\
             {scope}.p{{stroke:{positive}}}{scope}.n{{stroke:{negative}}}\
             {scope}.c{{stroke:{paper};stroke-width:1.2}}{scope}.cp{{fill:{positive}}}\
             {scope}.cn{{fill:{negative}}}{scope}.s{{fill:{shared}}}\
             {scope}.g{{fill:none;stroke:{faint}}}"
        );
        for class in 0..classes {
            css += &format!("{scope}.m{class}{{fill:{}}}", class_colour(class));
        }
        css
    }
}

/// Colours of classes. None is near the colours of signs, and white text can be read on each.
const CLASSES: [&str; 12] = [
    "#1b8a6b", "#9b4fa5", "#94861a", "#d1649b", "#6b4c3b", "#4f9a35", "#5b4fbf", "#b0184f",
    "#4a7a7c", "#41591f", "#a084c4", "#6d2140",
];

/// The colour of a class. After the first twelve, hues are spread by the golden ratio over the circle
/// without blue and orange.
pub(crate) fn class_colour(class: usize) -> String {
    if let Some(colour) = CLASSES.get(class) {
        return (*colour).to_owned();
    }
    let fraction = (class as f64 * 0.618_033_988_749_894_9).fract();
    // From yellow (50°) to cyan (190°), and from violet (250°) to red (350°).
    let at = fraction * 240.0;
    let hue = if at < 140.0 { 50.0 + at } else { 110.0 + at };
    let lightness = [0.42, 0.34, 0.5][class % 3];
    hsl(hue, 0.55, lightness)
}

/// A colour of hue (in degrees), saturation and lightness.
fn hsl(hue: f64, saturation: f64, lightness: f64) -> String {
    let reach = saturation * lightness.min(1.0 - lightness);
    let part = |n: f64| {
        let k = (n + hue / 30.0) % 12.0;
        let value = lightness - reach * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (255.0 * value).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", part(0.0), part(8.0), part(4.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn classes_have_colours_of_their_own_apart_from_those_of_signs() {
        let colours: BTreeSet<String> = (0..40).map(class_colour).collect();
        assert_eq!(colours.len(), 40);
        let parts = |colour: &str| {
            [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()))
        };
        for theme in [Theme::Light, Theme::Dark] {
            let palette = theme.palette();
            for sign in [palette.positive, palette.negative] {
                for class in &colours {
                    let squares = parts(class).into_iter().zip(parts(sign));
                    let distance = squares.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
                    assert!(distance > 45.0, "{class} and {sign}: {distance}");
                }
            }
        }
        for (index, class) in (0..12).map(class_colour).enumerate() {
            for other in (0..index).map(class_colour) {
                let squares = parts(&class).into_iter().zip(parts(&other));
                let distance = squares.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
                assert!(distance > 40.0, "{class} and {other}: {distance}");
            }
        }
        assert_eq!(hsl(0.0, 1.0, 0.5), "#ff0000");
    }
}
