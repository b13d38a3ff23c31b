//! HTML pages: one file each, which loads nothing and is readable on a phone and on paper.
//!
//! The content security policy of a page allows only our own script, by its digest. Names from the
//! data are escaped; even an unescaped one could not run as a script.

mod compare;
mod panel;
mod panels;
mod report;
mod scores;
mod settings_text;
mod threshold_curves;

pub use compare::compare;
pub use report::report;

use crate::theme::Theme;
use mge::net::Activation;
use mge_plot::PlotError;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;
use thiserror::Error;

/// The modules of the script, in the order of use. They share one scope.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("page/script/base.js"),
    include_str!("page/script/axis.js"),
    include_str!("page/script/overflow.js"),
    include_str!("page/script/tabs.js"),
    include_str!("page/script/network.js"),
    include_str!("page/script/front.js"),
    include_str!("page/script/fronts.js"),
    include_str!("page/script/evaluate.js"),
    include_str!("page/script/what_if.js"),
    include_str!("page/script/main.js"),
    "})();\n",
);
const STYLE: &str = concat!(
    include_str!("page/style/page.css"),
    include_str!("page/style/front.css"),
    include_str!("page/style/panels.css"),
    include_str!("page/style/media.css"),
);

/// The script with the activations that networks can have.
static FILLED_SCRIPT: LazyLock<String> =
    LazyLock::new(|| SCRIPT.replace("/*activations*/", &activations()));

/// The part of the script that evaluates networks, for tests that run it by themselves.
pub fn evaluator_script() -> String {
    include_str!("page/script/evaluate.js").replace("/*activations*/", &activations())
}

/// The activations as properties of a JavaScript object.
fn activations() -> String {
    let one = |activation: &Activation| {
        format!("\n  {activation}: {},", activation.source_text().javascript)
    };
    Activation::ALL.iter().map(one).collect::<String>() + "\n"
}

/// A page that could not be made.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the sources document themselves")]
pub enum PageError {
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// The template refused.
    #[error("cannot write the page: {0}")]
    Template(#[from] askama::Error),
}

/// What all pages have in common.
struct Frame {
    style: String,
    script: &'static str,
    /// The digest that allows the script.
    digest: String,
    version: &'static str,
}

impl Frame {
    /// `classes` is the most classes of a drawing on the page.
    fn new(classes: usize) -> Self {
        let drawing = |theme: Theme| {
            let p = theme.palette();
            let variables = format!(
                ":root{{--paper:{};--ink:{};--faint:{};--plus:{};--minus:{}}}",
                p.paper, p.ink, p.faint, p.positive, p.negative
            );
            variables + &theme.css(".net ", classes)
        };
        let (light, dark) = (drawing(Theme::Light), drawing(Theme::Dark));
        let style =
            format!("{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{STYLE}");
        let script = FILLED_SCRIPT.as_str();
        let digest = base64(&Sha256::digest(script.as_bytes()));
        Self { style, script, digest, version: env!("CARGO_PKG_VERSION") }
    }
}

/// JSON for a script element: nothing in it can end the element.
fn json_in_html(value: &serde_json::Value) -> String {
    let text = value.to_string();
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_gives_the_examples_of_rfc_4648() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn json_cannot_end_a_script() {
        let text = json_in_html(&serde_json::json!({"name": "</script><!--&\u{2028}"}));
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["name"], "</script><!--&\u{2028}");
    }
}
