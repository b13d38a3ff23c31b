//! Colours. Positive and negative are blue and orange. Modules take the colours of
//! [`mge_plot::PALETTE`], which repeat where there are more modules; position and label then tell
//! them apart.

use mge_plot::PALETTE;

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

    /// The rules of a drawing's style sheet. `scope` stands before each selector.
    pub(crate) fn css(self, scope: &str) -> String {
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
        for (module, colour) in PALETTE.iter().enumerate() {
            css += &format!("{scope}.m{module}{{fill:{colour}}}");
        }
        css
    }
}
