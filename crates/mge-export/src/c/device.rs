//! Whole programs for small devices. They read a row from the serial line and answer with the class.

use super::fill;
use crate::exporter::Form;

/// For AVR, over its first serial port.
pub(super) fn avr_program(form: &Form<'_>) -> String {
    fill(
        form,
        "/* A whole program for the ATmega328P: reads the bytes of one row from the serial line
 * (9600 baud at 16 MHz) and answers with the class, one byte. */
#include <avr/io.h>
#include \"@name@.h\"

static @value@ x[@NAME@_INPUTS];

int main(void) {
    UBRR0L = 103;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0;
    for (;;) {
        uint8_t *at = (uint8_t *)x;
        do {
            while (!(UCSR0A & 1 << RXC0)) {
            }
            *at++ = UDR0;
        } while (at != (uint8_t *)(x + @NAME@_INPUTS));
        UDR0 = (uint8_t)@name@_predict(x);
    }
}
",
        &[],
    )
}

/// For Cortex-M: a vector table, a start, and the registers of a serial port.
pub(super) fn arm_program(form: &Form<'_>) -> String {
    let (begin, entry) = match form.integer {
        Some(_) => (
            "/* The program writes all RAM before it reads it, so nothing is copied or cleared at the start. */
extern uint32_t stack_top[];
",
            "start",
        ),
        None => (
            "/* Functions of the C library have variables, which are copied and cleared at the start. */
extern uint32_t stack_top[], data_from[], data_start[], data_end[], bss_start[], bss_end[];
static void reset(void) {
    for (uint32_t *to = data_start, *from = data_from; to != data_end;) *to++ = *from++;
    for (uint32_t *to = bss_start; to != bss_end;) *to++ = 0;
#ifdef __ARM_FP
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20; /* the float unit */
    __asm__ volatile(\"dsb\\nisb\");
#endif
    start();
}
",
            "reset",
        ),
    };
    fill(
        form,
        "/* A whole program for a Cortex-M: reads the bytes of one row from a serial register and
 * answers with the class. The registers are those of the nRF51's UART; replace them by yours. */
#include <stdint.h>
#include \"@name@.h\"

#define RXDRDY (*(volatile uint32_t *)0x40002108)
#define RXD (*(volatile uint32_t *)0x40002518)
#define TXD (*(volatile uint32_t *)0x4000251C)

static @value@ x[@NAME@_INPUTS];

static void start(void) {
    for (;;) {
        uint8_t *at = (uint8_t *)x;
        do {
            while (!RXDRDY) {
            }
            RXDRDY = 0;
            *at++ = (uint8_t)RXD;
        } while (at != (uint8_t *)(x + @NAME@_INPUTS));
        TXD = @name@_predict(x);
    }
}

@begin@__attribute__((section(\".vectors\"), used)) static const void *const vectors[] = {
    stack_top,
    (void *)@entry@,
};
",
        &[("begin", begin.to_owned()), ("entry", entry.to_owned())],
    )
}

/// The memory layout of a small Cortex-M.
pub(super) const ARM_LINKER_SCRIPT: &str = "MEMORY {
    FLASH (rx) : ORIGIN = 0x00000000, LENGTH = 256K
    RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 16K
}
stack_top = ORIGIN(RAM) + LENGTH(RAM);
SECTIONS {
    .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } > FLASH
    .ARM.exidx : { *(.ARM.exidx*) } > FLASH
    .data : ALIGN(4) { data_start = .; *(.data*) . = ALIGN(4); data_end = .; } > RAM AT > FLASH
    data_from = LOADADDR(.data);
    .bss (NOLOAD) : ALIGN(4) { bss_start = .; *(.bss*) *(COMMON) . = ALIGN(4); bss_end = .; } > RAM
}
";
