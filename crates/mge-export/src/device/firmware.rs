//! Test programs for emulated devices: they hold rows, predict each one and print the result.
//!
//! A row's line is `<class ticks score score ...>` in hexadecimal words.

use super::chip::Core;
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
    pub core: Core,
    pub device: Device,
}

/// A template with the names of a form.
pub fn named(form: &Form<'_>, template: &str) -> String {
    let values =
        [("name", form.program.name.clone()), ("NAME", form.program.name.to_ascii_uppercase())];
    filled(template, &values)
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
        let space = match self.core {
            Core::Avr("attiny85") => 2_000,
            Core::Avr(_) => 12_000,
            _ => 150_000,
        };
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
        let device = match self.core {
            Core::Avr("attiny85") => ATTINY,
            Core::Avr(_) => AVR,
            Core::RiscV(_) => RISCV,
            _ => ARM,
        };
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
        match self.core {
            // An instruction takes 1024 ns in the emulator.
            Core::Arm(_, _, mhz) => (f64::from(counted) / (1.024 * mhz)).round() as u64,
            _ => u64::from(counted),
        }
    }
}

/// A whole program for the ATtiny85, which has no serial port: it reads the bytes of a row over the
/// pins of its universal serial interface, as a slave of SPI, and answers with the class.
pub const ATTINY_PROGRAM: &str = "
#include <avr/io.h>
#include \"@name@.h\"

static @name@_value x[@NAME@_INPUTS];

static uint8_t exchange(uint8_t byte) {
    USIDR = byte;
    USISR = 1 << USIOIF;
    while (!(USISR & 1 << USIOIF)) {
    }
    return USIDR;
}

int main(void) {
    DDRB = 1 << PB1;
    USICR = 1 << USIWM0 | 1 << USICS1;
    for (;;) {
        uint8_t *at = (uint8_t *)x;
        do *at++ = exchange(0);
        while (at != (uint8_t *)(x + @NAME@_INPUTS));
        exchange((uint8_t)@name@_predict(x));
    }
}
";

/// A whole program for RISC-V: a start, and the registers of a serial port.
pub const RISCV_PROGRAM: &str = "
#include <stdint.h>
#include \"@name@.h\"

#define TXDATA (*(volatile uint32_t *)0x10013000)
#define RXDATA (*(volatile uint32_t *)0x10013004)

static @name@_value x[@NAME@_INPUTS];

__attribute__((used)) static void begin(void) {
    for (;;) {
        uint8_t *at = (uint8_t *)x;
        do {
            uint32_t byte;
            while ((byte = RXDATA) >> 31) {
            }
            *at++ = (uint8_t)byte;
        } while (at != (uint8_t *)(x + @NAME@_INPUTS));
        TXDATA = @name@_predict(x);
    }
}

__attribute__((naked, section(\".start\"), used)) void _start(void) {
    __asm__(\"la sp, stack_top\\n j %0\" : : \"i\"(begin));
}
";

/// All memory in one piece, where the emulated machine has its RAM.
pub const RISCV_SCRIPT: &str = "ENTRY(_start)
MEMORY { RAM (rwx) : ORIGIN = 0x80000000, LENGTH = 512K }
stack_top = ORIGIN(RAM) + LENGTH(RAM);
SECTIONS {
    .text : { KEEP(*(.start)) *(.text*) *(.rodata*) *(.srodata*) } > RAM
    .data : ALIGN(4) { *(.data*) *(.sdata*) } > RAM
    .bss : ALIGN(4) { *(.bss*) *(.sbss*) *(COMMON) } > RAM
}
";

const RISCV: &str = "
static const @name@_value rows[] = {
@rows@
};

static uintptr_t ask(uintptr_t what, uintptr_t with) {
    register uintptr_t a0 __asm__(\"a0\") = what;
    register uintptr_t a1 __asm__(\"a1\") = with;
    __asm__ volatile(\".option push\\n.option norvc\\n.balign 16\\n slli x0, x0, 0x1f\\n ebreak\\n srai x0, x0, 7\\n.option pop\"
                     : \"+r\"(a0) : \"r\"(a1) : \"memory\");
    return a0;
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

/* The counter of retired instructions. */
static uint32_t instructions(void) {
    register uint32_t a0 __asm__(\"a0\");
    __asm__ volatile(\".word 0xb0202573\" : \"=r\"(a0));
    return a0;
}

static uint32_t began;

static void start_clock(void) {
    began = instructions();
}

static uint32_t stop_clock(void) {
    return instructions() - began;
}

static void end(void) {
    ask(0x18, 0x20026);
    for (;;) {
    }
}

int main(void);
__attribute__((naked, section(\".start\"), used)) void _start(void) {
    __asm__(\"la sp, stack_top\\n j %0\" : : \"i\"(main));
}
";

/// The ATtiny85 has no serial port and no timer of 16 bits. The emulator prints what is written to a
/// register of general use, which the section `.mmcu` names. A timer counts every eighth cycle; its
/// overflows cost about one cycle in a hundred.
const ATTINY: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>

static const __flash @name@_value rows[] = {
@rows@
};

const struct __attribute__((packed)) {
    uint8_t tag, length;
    volatile void *what;
} mge_console __attribute__((section(\".mmcu\"), used)) = {11, sizeof(void *), (volatile void *)&GPIOR0};

static volatile uint16_t high;

ISR(TIMER0_OVF_vect) {
    ++high;
}

/* The emulator prints a line at its carriage return. */
static void letter(char c) {
    GPIOR0 = (uint8_t)(c == '\\n' ? '\\r' : c);
}

static void begin(void) {
    TIMSK = 1 << TOIE0;
    sei();
}

static void start_clock(void) {
    TCCR0B = 0;
    TCNT0 = 0;
    high = 0;
    TCCR0B = 1 << CS01;
}

static uint32_t stop_clock(void) {
    uint8_t low = TCNT0;
    TCCR0B = 0;
    return ((uint32_t)high << 8 | low) << 3;
}

static void end(void) {
    cli();
    sleep_mode();
}
";

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
