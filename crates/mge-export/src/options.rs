//! Words of an export: the numbers and the layout of its code, and the device it runs on.

use mge_names::named_enum;

named_enum! {
    /// A device that a program can be measured on.
    pub enum Device: "device" {
        /// Microchip ATmega328P (Arduino Uno and Nano): 8 bits, no floats.
        Atmega328p = "atmega328p",
        /// Microchip ATtiny85: 8 bits, no floats, no multiplication.
        Attiny85 = "attiny85",
        /// ARM Cortex-M0: 32 bits, no floats.
        CortexM0 = "cortex-m0",
        /// Raspberry Pi RP2040 (Pico): two Cortex-M0+, no floats.
        Rp2040 = "rp2040",
        /// ST STM32F103 ("blue pill"): Cortex-M3, no floats.
        Stm32f103 = "stm32f103",
        /// ST STM32F411 ("black pill"): Cortex-M4 with a float unit.
        Stm32f411 = "stm32f411",
        /// ARM Cortex-M4 with its float unit.
        CortexM4 = "cortex-m4",
        /// RISC-V of 32 bits, RV32IMAC, such as SiFive FE310 and GD32VF103: no floats.
        Riscv32 = "riscv32",
        /// Espressif ESP32-C3: RISC-V, RV32IMC, no floats.
        Esp32C3 = "esp32-c3",
        /// Espressif ESP32: Xtensa LX6 with a float unit. Its numbers are estimates.
        Esp32 = "esp32",
        /// The machine that mge itself runs on.
        Host = "host",
    }
}

named_enum! {
    /// What the code computes with.
    pub enum Number: "number" {
        /// Single-precision floats.
        F32 = "f32",
        /// 8-bit weights and values, sums of 16 or 32 bits.
        Int8 = "int8",
        /// 16-bit weights and values, sums of 32 bits.
        Int16 = "int16",
    }
}

named_enum! {
    /// How the network is written down.
    pub enum Layout: "layout" {
        /// Tables and a loop: small.
        Table = "table",
        /// One statement for each neuron: fast.
        Code = "code",
    }
}

named_enum! {
    /// Which numbers the exported function takes.
    pub enum Inputs: "choice of inputs" {
        /// Those that the network reads.
        Used = "used",
        /// All features of the model, also those that the network does not read.
        All = "all",
    }
}
