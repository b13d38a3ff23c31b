//! The table of targets: each writes the files that it lists, for every form that it can write.

use std::collections::BTreeSet;

use mge_export::{EXPORTERS, ExportError, ExportOptions, Layout, Number, export};

use crate::cases::CASES;
use crate::integers::integers;

#[test]
fn every_target_writes_the_files_that_it_lists() {
    let case = &CASES[0];
    for exporter in EXPORTERS {
        for &number in exporter.capabilities().numbers {
            for &layout in exporter.capabilities().layouts {
                let exported = integers(case, *exporter, number, layout);
                let written: Vec<String> =
                    exported.files.iter().map(|file| file.path.clone()).collect();
                assert_eq!(written, exporter.paths(&exported.program.name), "{}", exporter.name());
                let unique: BTreeSet<&String> = written.iter().collect();
                assert_eq!(unique.len(), written.len(), "{}", exporter.name());
                assert!(exported.files.iter().all(|file| !file.bytes.is_empty()));
            }
        }
    }
}

#[test]
fn forms_that_a_target_cannot_write_are_refused() {
    let case = &CASES[0];
    for exporter in EXPORTERS {
        for number in Number::ALL {
            for layout in Layout::ALL {
                if exporter.capabilities().allow(number, layout) {
                    continue;
                }
                let options = ExportOptions { number, layout, ..ExportOptions::default() };
                let error = export(&case.classifier(), *exporter, &options, None).unwrap_err();
                assert!(matches!(error, ExportError::Unsupported { .. }), "{error}");
            }
        }
    }
}

#[test]
fn integers_without_calibration_rows_are_refused() {
    let options = ExportOptions { number: Number::Int8, ..ExportOptions::default() };
    let error = export(&CASES[0].classifier(), EXPORTERS[0], &options, None).unwrap_err();
    assert!(matches!(error, ExportError::NoCalibration { .. }), "{error}");
}

#[test]
fn summaries_are_one_line() {
    for exporter in EXPORTERS {
        let summary = exporter.summary();
        assert!((10..90).contains(&summary.len()) && !summary.contains('\n'), "{summary}");
    }
}
