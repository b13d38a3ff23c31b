//! Integer exports on emulated devices compute the same bits as on the host.

use mge_export::device::{Chip, DeviceRows, Footprint, emulate, footprint};
use mge_export::{C, Device, ExportOptions, IntegerProgram, Layout, Number, export};

use crate::any_integer::any_rows;
use crate::cases::{CASES, Case, integer_cases};
use crate::integers::integers;

/// Rows of each case that the emulators predict.
const ROWS: usize = 40;

/// Half of the rows are of the data, half hold any integer, far outside the range of training too.
fn same_bits(device: Device) {
    // The ATtiny85 has 8 KiB of flash, for the program and the rows.
    let is_small = |case: &&'static Case| {
        device != Device::Attiny85 || case.network.inputs() < 70 && case.name != "digits-authors"
    };
    for (index, case) in integer_cases().filter(is_small).enumerate() {
        for number in [Number::Int8, Number::Int16] {
            let layout = if (index % 2 == 0) == (number == Number::Int8) {
                Layout::Table
            } else {
                Layout::Code
            };
            let exported = integers(case, &C, number, layout);
            let integer = exported.integer.as_ref().unwrap();
            let rows = case.rows_for(&exported.program);
            let step = rows.len().div_ceil(ROWS / 2);
            let mut rows: Vec<Vec<u32>> =
                rows.iter().step_by(step).map(|row| integer.quantize(row)).collect();
            rows.extend(any_rows(&exported, ROWS / 2, 5));
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
fn an_attiny85_computes_the_same_bits() {
    same_bits(Device::Attiny85);
}

#[test]
fn an_stm32f103_computes_the_same_bits() {
    same_bits(Device::Stm32f103);
}

#[test]
fn an_rp2040_computes_the_same_bits() {
    same_bits(Device::Rp2040);
}

#[test]
fn risc_v_computes_the_same_bits() {
    same_bits(Device::Riscv32);
    same_bits(Device::Esp32C3);
}

#[test]
fn every_device_has_memory_and_a_clock() {
    for device in Device::ALL {
        let chip = Chip::of(device);
        assert!(chip.flash >= 8 << 10 && chip.ram >= 512, "{device}");
        assert_eq!(chip.clock > 0.0, device != Device::Host);
        assert_eq!(chip.is_estimate(), device == Device::Esp32);
        let small = Footprint { flash: chip.flash.min(1 << 30), ram: 100 };
        assert!(
            chip.fits(small) && !chip.fits(Footprint { ram: u64::MAX, ..small })
                || device == Device::Host
        );
    }
}

#[test]
fn floats_run_on_devices() {
    let case = &CASES[0];
    let exported = export(&case.classifier(), &C, &ExportOptions::default(), None).unwrap();
    let rows: Vec<Vec<f32>> = case.rows_for(&exported.program).into_iter().take(10).collect();
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
