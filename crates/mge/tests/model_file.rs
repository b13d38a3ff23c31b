//! The model file: it comes back as it was, and nothing else is taken for one.

#![allow(clippy::unwrap_used)]

use mge::data::load;
use mge::{Fit, Method, Model, ModelError, Variant};
use proptest::prelude::*;
use serde_json::{Value, json};

fn model(variant: Variant, name: &str) -> Model {
    let data = load(name, &Default::default()).unwrap();
    let fit = Fit::new().method(Method::MGE).variant(variant).population(20).generations(4);
    fit.seed(9).run(&data).unwrap().model
}

fn read(value: &Value) -> Result<Model, ModelError> {
    Model::from_json("test.json", value.to_string().as_bytes())
}

#[test]
fn save_and_load_give_an_equal_model() {
    let folder = tempfile::tempdir().unwrap();
    for variant in Variant::ALL {
        for name in ["wine", "heart"] {
            let model = model(variant, name);
            let file = folder.path().join("model.json");
            model.save(&file).unwrap();
            let again = Model::load(&file).unwrap();
            assert_eq!(again, model);
            let table = load(name, &Default::default()).unwrap().table;
            assert_eq!(again.predict(&table).unwrap(), model.predict(&table).unwrap());
        }
    }
}

#[test]
fn unknown_versions_and_other_files_are_named() {
    let good: Value = serde_json::from_str(&model(Variant::Mge, "wine").to_json()).unwrap();
    let with = |key: &str, value: Value| {
        let mut changed = good.clone();
        changed[key] = value;
        read(&changed).unwrap_err().to_string()
    };
    assert_eq!(with("version", json!(1)), "test.json is a model of version 1, expected version 2");
    assert!(with("format", json!("other")).contains("expected \"format\": \"mge-model\""));
    assert!(with("version", json!(null)).contains("it has no version"));
    assert!(with("surprise", json!(1)).contains("unknown field `surprise`"));
    let message = |bytes: &[u8]| Model::from_json("x", bytes).unwrap_err().to_string();
    assert!(message(b"").contains("x is not a model"));
    assert!(message(b"[1, 2]").contains("x is not a model"));
    assert!(message(b"\xff\xfe").contains("x is not a model"));
    assert!(message("[".repeat(100_000).as_bytes()).contains("x is not a model"));
}

#[test]
fn hostile_content_is_an_error() {
    let good: Value = serde_json::from_str(&model(Variant::Mu, "wine").to_json()).unwrap();
    assert!(read(&good).is_ok());
    let attacks: [(&str, Value); 10] = [
        ("/network/neurons/0/links", json!([{"neuron": 0, "weight": 1.0}])),
        ("/network/neurons/0/links", json!([{"input": 4_000_000_000u32, "weight": 1.0}])),
        ("/network/neurons/0/links", json!([{"input": 0, "weight": 1e300}])),
        ("/network/neurons/0/bias", json!("NaN")),
        ("/network/inputs", json!(18_446_744_073_709_551_615u64)),
        ("/network/outputs", json!([])),
        ("/classes", json!(["a", "b"])),
        ("/classes", json!(["a", "a", "b"])),
        ("/preprocess/features/0/factor", json!(0.0)),
        ("/size/operations", json!(1)),
    ];
    for (pointer, value) in attacks {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value.clone();
        assert!(read(&bad).is_err(), "{pointer} = {value}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_files_never_panic(cut in 0usize..6000, at in 0usize..6000, byte: u8) {
        thread_local!(static GOOD: String = model(Variant::Beta, "wine").to_json());
        GOOD.with(|good| {
            let mut bytes = good.clone().into_bytes();
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = Model::from_json("damaged", &bytes);
            bytes.truncate(cut);
            let _ = Model::from_json("cut", &bytes);
        });
    }
}
