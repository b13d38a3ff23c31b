//! Names that do their worst: quotes, markup, newlines, NUL, right-to-left marks. Whatever is
//! drawn or written stays well formed, and no part of a name becomes markup.

#![allow(clippy::unwrap_used)]

use mge::Model;
use mge_report::{
    NetworkDiagram, ReportData, Style, Theme, compare, dot, input_maps, report, svg, terminal,
};
use proptest::prelude::*;
use resvg::usvg::roxmltree;

const HOSTILE: [&str; 8] = [
    "</text></svg><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "two\nlines\r\n\tand a tab",
    "nul \0 bell \u{7} escape \u{1b}[31m",
    "\u{202e}gnirts desrever\u{202c} \u{2066}",
    "]]><!-- ' \" & &amp; %s {{x}} ${y} `z`",
    "\\N \\\" \\",
    "大小 größe 🦀 \u{fffe}\u{ffff}",
];

fn quick() -> mge::Fit<'static> {
    mge::Fit::new().method(mge::Method::MGE).seed(1).population(20)
}

/// A small model whose names are all hostile.
fn hostile_model() -> Model {
    let data = mge::data::load("wine", &Default::default()).unwrap();
    let fitted = quick().generations(3).run(&data).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&fitted.model.to_json()).unwrap();
    for (index, class) in json["classes"].as_array_mut().unwrap().iter_mut().enumerate() {
        *class = HOSTILE[index].into();
    }
    for part in ["columns", "features"] {
        for (index, entry) in
            json["preprocess"][part].as_array_mut().unwrap().iter_mut().enumerate()
        {
            let name = format!("{} {index}", HOSTILE[index % HOSTILE.len()]);
            entry["name"] = name.clone().into();
            if part == "features" {
                entry["column"] = name.into();
            }
        }
    }
    json["data"]["name"] = HOSTILE[1].into();
    json["target"] = HOSTILE[0].into();
    Model::from_json("hostile", json.to_string().as_bytes()).unwrap()
}

fn run_of(model: Model) -> ReportData {
    let fingerprint = model.data.fingerprint.clone();
    let source = mge::RunSource {
        data: HOSTILE[0].to_owned(),
        fingerprint,
        data_dir: None,
        test: None,
        target: None,
    };
    let plan = mge::RunPlan::new(source, model.settings.clone());
    let plan = plan.with_command(HOSTILE.map(String::from).to_vec());
    let member = mge::hybrid::Member {
        budget: 100,
        operations: model.size.operations,
        cost: None,
        loss: 0.5,
        standard_error: 0.1,
        accuracy: 0.75,
        l2: 0.0,
        range_scaled: false,
        network: model.network.clone(),
    };
    let points = vec![mge::FrontNetwork { member, metrics: None }];
    let front = Some(mge::NetworkFront { part: HOSTILE[0].to_owned(), points });
    let (history, curves) = (Vec::new(), Vec::new());
    let baseline =
        mge::BaselineResult { name: HOSTILE[0].to_owned(), ..mge::BaselineResult::of(&model) };
    let baselines = vec![baseline];
    let device = mge_report::DeviceFigure {
        device: HOSTILE[1].to_owned(),
        form: HOSTILE[5].to_owned(),
        flash: Some(1000),
        ram: None,
        time: Some("100 cycles".to_owned()),
        is_measured: true,
    };
    ReportData {
        name: HOSTILE[0].to_owned(),
        folder: HOSTILE[0].into(),
        plan,
        model,
        history,
        curves,
        front,
        baselines,
        calibration: None,
        devices: vec![device],
    }
}

/// Well formed, and made only of what we draw with.
fn check_svg(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap();
    let known = ["svg", "style", "g", "path", "rect", "circle", "text", "title"];
    for node in document.descendants().filter(|node| node.is_element()) {
        let name = node.tag_name().name();
        assert!(known.contains(&name), "<{name}> came from a name");
        assert!(node.attributes().all(|attribute| !attribute.name().starts_with("on")));
    }
}

#[test]
fn drawings_of_hostile_names_are_well_formed() {
    let model = hostile_model();
    let diagram = NetworkDiagram::of(&model);
    check_svg(&svg(&diagram, Style::Own(Theme::Light)).unwrap());
    check_svg(&svg(&diagram, Style::OfPage).unwrap());
    let text = terminal(&diagram, 80).unwrap();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    check_dot(&dot(&diagram, Theme::Dark).unwrap());
}

/// Quoted strings hold together: outside of them there is nothing but DOT.
fn check_dot(text: &str) {
    for line in text.lines() {
        let mut outside = String::new();
        let mut characters = line.chars();
        while let Some(c) = characters.next() {
            if c != '"' {
                outside.push(c);
                continue;
            }
            loop {
                match characters.next() {
                    Some('\\') => drop(characters.next()),
                    Some('"') => break,
                    Some(_) => {}
                    None => panic!("a string does not end: {line}"),
                }
            }
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || " {}[]=,;->._".contains(c);
        assert!(outside.chars().all(plain), "{outside:?} in {line}");
    }
}

#[test]
fn pages_of_hostile_names_have_no_script_but_ours() {
    let runs = [run_of(hostile_model()), run_of(hostile_model())];
    let links = [Some("a/report.html".to_owned()), None];
    for (page, scripts) in [(report(&runs[0]).unwrap(), 4), (compare(&runs, &links).unwrap(), 2)] {
        assert_eq!(page.matches("<script").count(), scripts);
        assert_eq!(page.matches("</script").count(), scripts);
        assert_eq!(page.matches("<img").count(), 0);
        assert_eq!(page.matches("<!--").count(), 0);
        assert!(page.contains("script-src 'sha256-") && !page.contains("https://"));
        assert!(!page.contains(['\0', '\u{202e}', '\u{7}']), "control characters reach the page");
    }
}

#[test]
fn input_maps_are_for_images_only() {
    let model = hostile_model();
    let error = mge_report::PixelGrid::of(&model).unwrap_err();
    assert!(error.to_string().contains("expected names such as pixel_3_14"), "{error}");
    let data = mge::data::load("digits", &Default::default()).unwrap();
    let fitted = quick().generations(2).run(&data).unwrap();
    let grid = mge_report::PixelGrid::of(&fitted.model).unwrap();
    assert_eq!((grid.width, grid.height), (8, 8));
    let maps = input_maps(&fitted.model, &grid, Style::Own(Theme::Dark));
    check_svg(&maps);
    assert_eq!(maps.matches("class=\"map\"").count(), 10);
}

#[cfg(feature = "png")]
#[test]
fn a_png_is_drawn_with_letters() {
    let sample = mge_report::samples::layered(1, 3, 1, 3);
    let drawing = svg(&sample.diagram(), Style::Own(Theme::Light)).unwrap();
    let without = drawing.replace("feature_", "").replace("class ", "");
    let foreign = drawing.replace("class ", "größe 日本日");
    let [with, without, foreign] =
        [drawing, without, foreign].map(|drawing| mge_report::png(&drawing).unwrap());
    assert!(with.bytes.starts_with(b"\x89PNG"));
    assert_ne!(with.bytes, without.bytes, "names are not drawn");
    assert_eq!(with.boxes, "");
    assert_eq!(foreign.boxes, "日本", "each once, and no letter that the font has");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_name_is_harmless(
        names in proptest::collection::vec(any::<String>(), 4),
        classes in proptest::collection::vec(any::<String>(), 3),
        seed in 0u64..50,
    ) {
        let sample = mge_report::samples::layered(seed, 4, 2, 3);
        let diagram = NetworkDiagram::new(&sample.network, &names, &classes).unwrap();
        check_svg(&svg(&diagram, Style::OfPage).unwrap());
        check_dot(&dot(&diagram, Theme::Light).unwrap());
        let text = terminal(&diagram, 80).unwrap();
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
