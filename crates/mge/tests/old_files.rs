//! Files of earlier programs: runs resume to what those programs found, and models load.
//!
//! Each folder of `tests/corpus/old` holds a run of three generations (`run.json`,
//! `checkpoint.bin`), and the model that the same program found in six.

#![allow(clippy::unwrap_used)]

use mge::data::load;
use mge::{Method, Model, NetworkFront, RunFolder, RunOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn folders() -> impl Iterator<Item = (Method, PathBuf)> {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/old");
    Method::all().into_iter().map(move |method| (method, old.join(method.name())))
}

#[test]
fn runs_resume_to_what_the_old_program_found() {
    let data = load("wine", &Default::default()).unwrap();
    for (method, folder) in folders() {
        let (_, plan) = RunFolder::read(&folder).unwrap();
        assert_eq!(plan.settings.method.method(), method);
        let here = tempfile::tempdir().unwrap();
        let checkpoint = here.path().join("checkpoint.bin");
        std::fs::copy(folder.join("checkpoint.bin"), &checkpoint).unwrap();
        let mut settings = plan.settings;
        settings.stop.generations = Some(6);
        let prepared = settings.prepare(&data, RunOptions::new()).unwrap();
        let found = prepared.run_with_checkpoints(checkpoint, Duration::ZERO).unwrap().model;
        let old = Model::load(&folder.join("model.json")).unwrap();
        assert_eq!(found.network, old.network, "{method}");
        assert_eq!(found.metrics, old.metrics, "{method}");
        assert_eq!(found.search, old.search, "{method}");
        assert_eq!(found.settings, old.settings, "{method}");
    }
}

#[test]
fn models_and_fronts_load_and_models_predict() {
    let data = load("wine", &Default::default()).unwrap();
    for (method, folder) in folders() {
        let model = Model::load(&folder.join("model.json")).unwrap();
        assert_eq!(model.predict(&data.table).unwrap().classes().len(), 178, "{method}");
        if method.info().keeps_front {
            let front = NetworkFront::load(&folder.join("front.json")).unwrap();
            let picked = front.points.iter().any(|point| point.member.network == model.network);
            assert!(picked, "{method}");
        }
    }
}
