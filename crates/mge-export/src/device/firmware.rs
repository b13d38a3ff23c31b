//! Test programs for emulated devices: they hold rows, predict each one and print the result.
//!
//! A row's line is `<class ticks score score ...>` in hexadecimal words.

use super::{DeviceRows, Emulated};
use crate::c::value_type;
use crate::error::ExportError;
use crate::exporter::Form;
use crate::options::Device;
use crate::text::{f32_text, filled, list};

/// Rows of one firmware, in C.
type RowBatch = Vec<String>;

pub struct Firmware<'a> {
    pub form: &'a Form<'a>,
    pub device: Device,
}

impl Firmware<'_> {
    /// Rows in batches that fit the device's flash.
    pub fn batches(&self, rows: DeviceRows<'_>) -> Vec<RowBatch> {
        let (rows, bytes): (Vec<String>, usize) = match rows {
            DeviceRows::Floats(rows) => {
                let number = |x: &f32| {
                    if x.is_nan() {
                        "(0.0f / 0.0f)".to_owned()
                    } else {
                        format!("{}f", f32_text(f64::from(*x)))
                    }
                };
                (rows.iter().map(|row| list(row.iter().map(number))).collect(), 4)
            }
            DeviceRows::Integers(rows) => {
                let bytes = if value_type(self.form) == "uint16_t" { 2 } else { 1 };
                (rows.iter().map(list).collect(), bytes)
            }
        };
        let space = if self.device == Device::Atmega328p { 12_000 } else { 150_000 };
        let rows_in_batch = (space / (bytes * self.form.program.inputs.len().max(1))).max(1);
        rows.chunks(rows_in_batch).map(<[String]>::to_vec).collect()
    }

    pub fn source(&self, rows: &RowBatch) -> String {
        let outputs = if self.form.integer.is_some() { self.form.program.outputs.len() } else { 0 };
        let hook = if outputs > 0 {
            "static int32_t scores[@outputs@];\n#define @NAME@_ON_SCORE(output, score) (scores[output] = (score))\n"
        } else {
            ""
        };
        let values = [
            ("name", self.form.program.name.clone()),
            ("NAME", self.form.program.name.to_ascii_uppercase()),
            ("outputs", outputs.to_string()),
            ("rows", rows.join("\n")),
            ("count", rows.len().to_string()),
        ];
        let print_scores = if outputs > 0 {
            "        for (unsigned i = 0; i < @outputs@; ++i) word((uint32_t)scores[i]);\n"
        } else {
            ""
        };
        let device = if self.device == Device::Atmega328p { AVR } else { ARM };
        filled(
            &format!(
                "#include <stdint.h>\n{hook}#include \"@name@.c\"\n{device}{MAIN_HEAD}{print_scores}{MAIN_TAIL}"
            ),
            &values,
        )
    }

    /// Reads what the device printed.
    pub fn read(&self, printed: &str, rows: usize, into: &mut Emulated) -> Result<(), ExportError> {
        let unexpected = || ExportError::ToolFailed {
            tool: format!("the program on the {}", self.device),
            output: printed.to_owned(),
        };
        let mut read = 0;
        for line in printed.split('<').skip(1) {
            let Some((line, _)) = line.split_once('>') else { continue };
            let words: Option<Vec<u32>> =
                line.split_whitespace().map(|word| u32::from_str_radix(word, 16).ok()).collect();
            let Some([class, ticks, scores @ ..]) = words.as_deref() else {
                return Err(unexpected());
            };
            into.classes.push(*class as usize);
            into.ticks.push(self.ticks(*ticks));
            if self.form.integer.is_some() {
                into.scores.push(scores.iter().map(|&score| score as i32).collect());
            }
            read += 1;
        }
        if read == rows { Ok(()) } else { Err(unexpected()) }
    }

    /// The count of the device's clock, in cycles or instructions.
    fn ticks(&self, counted: u32) -> u64 {
        // An instruction takes 1024 ns in the emulator; clocks run at 16 and 25 MHz.
        match self.device {
            Device::CortexM0 => (f64::from(counted) / 16.384).round() as u64,
            Device::CortexM4 => (f64::from(counted) / 25.6).round() as u64,
            _ => u64::from(counted),
        }
    }
}

const AVR: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>

static const __flash @name@_value rows[] = {
@rows@
};
static uint16_t high;

static void letter(char c) {
    while (!(UCSR0A & 1 << UDRE0)) {
    }
    UDR0 = c;
}

ISR(TIMER1_OVF_vect) {
    ++high;
}

static void begin(void) {
    UBRR0 = 0;
    UCSR0B = 1 << TXEN0;
    TIMSK1 = 1 << TOIE1;
    sei();
}

static void start_clock(void) {
    TCCR1B = 0;
    TCNT1 = 0;
    high = 0;
    TCCR1B = 1 << CS10;
}

static uint32_t stop_clock(void) {
    uint16_t low = TCNT1;
    TCCR1B = 0;
    return (uint32_t)high << 16 | low;
}

static void end(void) {
    for (volatile uint16_t wait = 0; wait < 20000; ++wait) {
    }
    cli();
    sleep_mode();
}
";

const ARM: &str = "
static const @name@_value rows[] = {
@rows@
};

static uintptr_t ask(uintptr_t what, uintptr_t with) {
    register uintptr_t r0 __asm__(\"r0\") = what;
    register uintptr_t r1 __asm__(\"r1\") = with;
    __asm__ volatile(\"bkpt 0xab\" : \"+r\"(r0) : \"r\"(r1) : \"memory\");
    return r0;
}

static char line[16];
static unsigned used;

static void letter(char c) {
    line[used++] = c;
    if (used == sizeof line - 1 || c == '\\n') {
        line[used] = 0;
        used = 0;
        ask(4, (uintptr_t)line);
    }
}

static void begin(void) {
}

#define SYSTICK ((volatile uint32_t *)0xE000E010)

static void start_clock(void) {
    SYSTICK[0] = 0;
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5;
}

static uint32_t stop_clock(void) {
    return 0xFFFFFF - SYSTICK[2];
}

static void end(void) {
    ask(0x18, 0x20026);
    for (;;) {
    }
}

int main(void);
extern uint32_t stack_top[], data_from[], data_start[], data_end[], bss_start[], bss_end[];
static void start(void) {
    for (uint32_t *to = data_start, *from = data_from; to != data_end;) *to++ = *from++;
    for (uint32_t *to = bss_start; to != bss_end;) *to++ = 0;
#ifdef __ARM_FP
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20;
    __asm__ volatile(\"dsb\\nisb\");
#endif
    main();
}
__attribute__((section(\".vectors\"), used)) static const void *const vectors[] = {
    stack_top,
    (void *)start,
};
";

const MAIN_HEAD: &str = "
static void word(uint32_t number) {
    for (int8_t shift = 28; shift >= 0; shift -= 4)
        letter(\"0123456789abcdef\"[number >> shift & 15]);
    letter(' ');
}

static @name@_value x[@NAME@_INPUTS];

int main(void) {
    begin();
    for (uint16_t row = 0; row < @count@; ++row) {
        for (uint16_t i = 0; i < @NAME@_INPUTS; ++i) x[i] = rows[(uint32_t)row * @NAME@_INPUTS + i];
        start_clock();
        volatile uint32_t class = @name@_predict(x);
        uint32_t ticks = stop_clock();
        letter('<');
        word(class);
        word(ticks);
";
const MAIN_TAIL: &str = "        letter('>');
        letter('\\n');
    }
    end();
    return 0;
}
";
