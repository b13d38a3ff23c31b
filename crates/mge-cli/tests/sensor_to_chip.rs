//! The tutorial from a sensor to a chip, from end to end: windows of an accelerometer, features, a
//! fit, an Arduino library, the tutorial's sketch compiled for an ATmega328P, and its answers in the
//! emulator. `cargo xtask tools` installs what it runs.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Windows that the chip classifies.
const WINDOWS: &str = "20";

/// What the sketch needs of an Arduino: a serial port, and a sensor that replays windows. It stops
/// after the last one.
const BOARD: &str = r#"
#include <stdint.h>
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#define SAMPLES_MEMORY PROGMEM
#include "samples.h"
class __FlashStringHelper;
struct Line {
    void begin(long) { UBRR0 = 0; UCSR0B = 1 << TXEN0; }
    void letter(char c) { while (!(UCSR0A & 1 << UDRE0)) {} UDR0 = c; }
    void end() { letter('>'); letter('\n'); }
    void println(const char *text) { letter('<'); while (*text) letter(*text++); end(); }
    void println(const __FlashStringHelper *text) {
        const char *at = (const char *)text;
        letter('<');
        for (char c; (c = (char)pgm_read_byte(at)) != 0; ++at) letter(c);
        end();
    }
};
static Line Serial;
static void delay(unsigned) {}
static uint8_t window_index, axis_index, sample_index;
int16_t read_axis(uint8_t axis) {
    int16_t sample = (int16_t)pgm_read_word(&recorded[window_index][axis][sample_index]);
    if (axis == 2 && ++sample_index == 64) { sample_index = 0; ++window_index; }
    return sample;
}
"#;

const MAIN: &str = r#"
int main() {
    setup();
    for (uint8_t i = 0; i < WINDOWS; ++i) loop();
    for (volatile uint16_t wait = 0; wait < 20000; ++wait) {}
    (void)kinds; (void)axis_index;
    cli();
    sleep_mode();
}
"#;

fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("cannot run {program}: {error}; run `cargo xtask tools`"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}:\n{printed}\n{said}");
    printed + &said
}

fn mge(arguments: &[&str], folder: &Path) -> String {
    run(env!("CARGO_BIN_EXE_mge"), arguments, folder)
}

#[test]
fn a_sketch_tells_how_a_board_moves() {
    let tutorial = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial");
    let script = tutorial.join("windows.py").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let table = run("python3", &[&script], folder);
    let committed = std::fs::read_to_string(tutorial.join("windows.csv")).unwrap();
    assert!(table == committed, "windows.py makes another windows.csv");
    std::fs::write(folder.join("windows.csv"), table).unwrap();

    let fit = ["fit", "windows.csv", "--seed", "1", "--out", "run", "--quiet", "--no-report"];
    mge(&fit, folder);
    let export =
        ["export", "run/model.json", "--to", "arduino", "--number", "int8", "--inputs", "all"];
    mge(&[&export[..], &["-o", "libraries"]].concat(), folder);

    let header = run("python3", &[&script, "--header", WINDOWS], folder);
    let kinds: Vec<String> = header
        .lines()
        .find(|line| line.contains("kinds[]"))
        .unwrap()
        .split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    std::fs::write(folder.join("samples.h"), header).unwrap();
    let copy = |name: &str, from: PathBuf| std::fs::copy(from, folder.join(name)).unwrap();
    copy("features.h", tutorial.join("features.h"));
    let sketch = std::fs::read_to_string(tutorial.join("motion/motion.ino")).unwrap();
    std::fs::write(folder.join("motion.cpp"), [BOARD, &sketch, MAIN].concat()).unwrap();

    let library = "libraries/windows/src";
    let flags = ["-mmcu=atmega328p", "-Os", "-Wall", "-Wextra", "-I", library, "-I", "."];
    let source = format!("{library}/windows.c");
    let c = ["-std=gnu11", "-c", "-o", "model.o", &source];
    run("avr-gcc", &[&flags[..], &c].concat(), folder);
    let cpp = ["-std=gnu++11", "-o", "motion.elf", "motion.cpp", "model.o"];
    run("avr-gcc", &[&flags[..], &cpp].concat(), folder);
    let size = run("avr-size", &["motion.elf"], folder);
    println!("{size}");

    let printed = run("simavr", &["-m", "atmega328p", "-f", "16000000", "motion.elf"], folder);
    let found: Vec<&str> = printed
        .split('<')
        .skip(1)
        .filter_map(|line| line.split_once('>').map(|(kind, _)| kind))
        .collect();
    assert_eq!(found.len(), kinds.len(), "{printed}");
    let right = found.iter().zip(&kinds).filter(|(found, kind)| found == kind).count();
    println!("{right} of {} windows: {found:?} for {kinds:?}", kinds.len());
    assert!(right * 10 >= kinds.len() * 9, "{right} of {}: {found:?} {kinds:?}", kinds.len());
}

#[test]
fn the_columns_that_an_export_asks_for_are_enough_to_predict() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial/windows.csv");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::copy(&table, folder.join("windows.csv")).unwrap();
    let limits = ["--max-features", "3", "--no-report", "--quiet"];
    mge(&[&["fit", "windows.csv", "--seed", "1", "--out", "run"], &limits[..]].concat(), folder);
    mge(&["export", "run/model.json", "--to", "python", "-o", "."], folder);
    let features = "import windows, json; print(json.dumps(windows.FEATURES))";
    let printed = run("python3", &["-c", features], folder);
    let used: Vec<String> = serde_json::from_str(&printed).unwrap();
    assert!((1..=3).contains(&used.len()), "{used:?}");

    let text = std::fs::read_to_string(table).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let kept: Vec<usize> =
        used.iter().map(|name| names.iter().position(|one| one == name).unwrap()).collect();
    let row =
        |cells: Vec<&str>| kept.iter().map(|&i| cells[i]).collect::<Vec<_>>().join(",") + "\n";
    let small = row(names.clone()) + &lines.map(row).collect::<String>();
    std::fs::write(folder.join("small.csv"), small).unwrap();
    let whole = mge(&["predict", "run/model.json", "windows.csv"], folder);
    assert_eq!(mge(&["predict", "run/model.json", "small.csv"], folder), whole);
    let by_python = run("python3", &["windows.py", "small.csv"], folder);
    let labels: Vec<&str> = by_python.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(labels, whole.lines().collect::<Vec<_>>());
}
