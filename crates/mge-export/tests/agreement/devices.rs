//! Integer exports on emulated devices compute the same bits as on the host.

use mge_export::device::{DeviceRows, emulate, footprint};
use mge_export::{C, Device, ExportOptions, IntegerProgram, Layout, Number, export};

use crate::cases::CASES;
use crate::integers::integers;

/// Rows of each case that the emulators predict.
const ROWS: usize = 40;

fn same_bits(device: Device) {
    for (index, case) in CASES.iter().enumerate() {
        for number in [Number::Int8, Number::Int16] {
            let layout = if (index % 2 == 0) == (number == Number::Int8) {
                Layout::Table
            } else {
                Layout::Code
            };
            let exported = integers(case, &C, number, layout);
            let integer = exported.integer.as_ref().unwrap();
            let rows = case.rows();
            let step = rows.len().div_ceil(ROWS);
            let rows: Vec<Vec<u32>> =
                rows.iter().step_by(step).map(|row| integer.quantize(row)).collect();
            let found = emulate(&exported.form(), device, DeviceRows::Integers(&rows)).unwrap();
            for (row, cells) in rows.iter().enumerate() {
                let scores = integer.scores(cells);
                let found_scores: Vec<i64> =
                    found.scores[row].iter().map(|&s| i64::from(s)).collect();
                assert_eq!(
                    found_scores, scores,
                    "{} {number} {layout} {device}, row {row}",
                    case.name
                );
                assert_eq!(found.classes[row], IntegerProgram::class(&scores));
            }
            assert!(found.ticks.iter().all(|&ticks| ticks > 0), "{:?}", found.ticks);
            footprint(&exported.form(), device).unwrap();
        }
    }
}

#[test]
fn an_atmega328p_computes_the_same_bits() {
    same_bits(Device::Atmega328p);
}

#[test]
fn a_cortex_m0_computes_the_same_bits() {
    same_bits(Device::CortexM0);
}

#[test]
fn a_cortex_m4_computes_the_same_bits() {
    same_bits(Device::CortexM4);
}

#[test]
fn floats_run_on_devices() {
    let case = &CASES[0];
    let exported = export(&case.classifier(), &C, &ExportOptions::default(), None).unwrap();
    let rows: Vec<Vec<f32>> = case.rows().into_iter().take(10).collect();
    for device in [Device::Atmega328p, Device::CortexM0, Device::CortexM4] {
        let found = emulate(&exported.form(), device, DeviceRows::Floats(&rows)).unwrap();
        let expected: Vec<usize> = case.answers.iter().take(10).map(|(class, _)| *class).collect();
        assert_eq!(found.classes, expected, "{device}");
    }
}

#[test]
fn digits_stay_within_the_limits_of_small_devices() {
    let case = CASES.iter().find(|case| case.name == "digits-authors").unwrap();
    assert!(mge_net::Size::of(&case.network).connections >= 270);
    let exported = integers(case, &C, Number::Int8, Layout::Table);
    let form = exported.form();
    let avr = footprint(&form, Device::Atmega328p).unwrap();
    let arm = footprint(&form, Device::CortexM0).unwrap();
    println!("ATmega328P {avr:?}, Cortex-M0 {arm:?}");
    assert!(avr.flash <= 1000 && avr.ram <= 86, "{avr:?}");
    assert!(arm.flash <= 2800, "{arm:?}");
}
