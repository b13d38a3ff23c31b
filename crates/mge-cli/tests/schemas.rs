//! The JSON files of real runs keep to the schemas in `docs/reference/schema`.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, from_str};
use std::path::Path;
use std::process::Command;

#[test]
fn files_of_a_run_keep_to_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let hybrid = ["wine", "--seed", "1", "--generations", "2", "--out", "hybrid"];
    fit(folder.path(), &hybrid);
    let mge = ["wine", "--method", "mge", "--seed", "1", "--generations", "3", "--folds", "2"];
    fit(folder.path(), &[&mge[..], &["--out", "mge"]].concat());
    check(folder.path(), "hybrid", &["run", "model", "front", "front-metrics"]);
    check(folder.path(), "mge", &["run", "model"]);
    check(folder.path(), "mge/fold-1", &["model"]);
    let rows: String = (0..60).map(|row| format!("{row},{}.5,{}\n", row % 7, row * row)).collect();
    std::fs::write(folder.path().join("numbers.csv"), format!("a,b,y\n{rows}")).unwrap();
    let numbers = ["numbers.csv", "--target", "b,y", "--seed", "1", "--generations", "2"];
    fit(folder.path(), &[&numbers[..], &["--loss", "huber", "--out", "numbers"]].concat());
    check(folder.path(), "numbers", &["run", "model", "front", "front-metrics"]);
}

#[test]
fn a_file_that_differs_from_its_schema_is_noticed() {
    let schema = schema("model");
    let mut mistakes = Vec::new();
    let model = from_str(r#"{"format": "mge-modell", "classes": [1], "more": 0}"#).unwrap();
    validate(&schema, &schema, &model, "", &mut mistakes);
    let text = mistakes.join("\n");
    assert!(text.contains("/format"), "{text}");
    assert!(text.contains("/classes/0"), "{text}");
    assert!(text.contains("`network` is missing"), "{text}");
    assert!(text.contains("`more` is not in the schema"), "{text}");
}

fn fit(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    command.arg("fit").args(arguments).args(["--quiet", "--no-report"]).current_dir(folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn schema(name: &str) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schema");
    from_str(&std::fs::read_to_string(root.join(format!("{name}.json"))).unwrap()).unwrap()
}

fn check(folder: &Path, run: &str, names: &[&str]) {
    for name in names {
        let text = std::fs::read_to_string(folder.join(run).join(format!("{name}.json"))).unwrap();
        let schema = schema(name);
        let mut mistakes = Vec::new();
        validate(&schema, &schema, &from_str(&text).unwrap(), "", &mut mistakes);
        assert!(mistakes.is_empty(), "{run}/{name}.json:\n{}", mistakes.join("\n"));
    }
}

/// Checks the keywords of JSON Schema that our schemas use. Others are a mistake, too.
fn validate(root: &Value, schema: &Value, value: &Value, at: &str, mistakes: &mut Vec<String>) {
    for (keyword, wanted) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "required" => {}
            "additionalProperties" => assert_eq!(wanted, false, "only false is understood"),
            "$ref" => {
                let path = wanted.as_str().unwrap().trim_start_matches('#');
                validate(root, root.pointer(path).unwrap(), value, at, mistakes);
            }
            "const" if wanted == value => {}
            "const" => mistakes.push(format!("{at}: {value}, expected {wanted}")),
            "enum" if wanted.as_array().unwrap().contains(value) => {}
            "enum" => mistakes.push(format!("{at}: {value}, expected one of {wanted}")),
            "minimum" if value.as_f64() < wanted.as_f64() => {
                mistakes.push(format!("{at}: {value} is below {wanted}"));
            }
            "minimum" => {}
            "type" if is_of_type(value, wanted.as_str().unwrap()) => {}
            "type" => mistakes.push(format!("{at}: {value}, expected {wanted}")),
            "anyOf" => {
                let fits = |one: &Value| {
                    let mut own = Vec::new();
                    validate(root, one, value, at, &mut own);
                    own.is_empty()
                };
                if !wanted.as_array().unwrap().iter().any(fits) {
                    mistakes.push(format!("{at}: {value} fits none of {wanted}"));
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, wanted, item, &format!("{at}/{index}"), mistakes);
                }
            }
            "properties" => properties(root, schema, value, at, mistakes),
            other => panic!("{other} is a keyword that this test does not know"),
        }
    }
}

fn properties(root: &Value, schema: &Value, value: &Value, at: &str, mistakes: &mut Vec<String>) {
    let Some(object) = value.as_object() else { return };
    let known = schema["properties"].as_object().unwrap();
    for (name, inner) in object {
        match known.get(name) {
            Some(schema) => validate(root, schema, inner, &format!("{at}/{name}"), mistakes),
            None if schema.get("additionalProperties").is_none() => {}
            None => mistakes.push(format!("{at}: `{name}` is not in the schema")),
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap()) {
            mistakes.push(format!("{at}: {name} is missing").replace('"', "`"));
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other} is a type that this test does not know"),
    }
}
