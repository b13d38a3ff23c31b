//! Words of an export: the numbers and the layout of its code, and the device it runs on.

use mge_names::named_enum;

named_enum! {
    /// A device that a program can be measured on.
    pub enum Device: "device" {
        /// Microchip ATmega328P (Arduino Uno): 8 bits, no floats, 32 KiB of flash, 2 KiB of RAM.
        Atmega328p = "atmega328p",
        /// ARM Cortex-M0: 32 bits, no floats.
        CortexM0 = "cortex-m0",
        /// ARM Cortex-M4 with its float unit.
        CortexM4 = "cortex-m4",
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
