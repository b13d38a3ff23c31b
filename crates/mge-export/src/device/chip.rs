//! What is known of each device: its core, its memory and its usual clock.

use crate::options::Device;

/// The core of a device: which compiler and which emulator measure it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Core {
    /// An AVR, by the name that compiler and emulator know.
    Avr(&'static str),
    /// A Cortex-M: flags of the compiler, a machine of the emulator, and its clock in MHz.
    Arm(&'static str, &'static str, f64),
    /// RISC-V of 32 bits.
    RiscV(&'static str),
    /// No compiler here: the numbers of another device stand in.
    LikeOther(Device),
    /// This machine.
    Host,
}

/// A device's memory and clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chip {
    pub(super) core: Core,
    /// Bytes of flash for programs.
    pub flash: u64,
    /// Bytes of RAM.
    pub ram: u64,
    /// The usual clock in Hz.
    pub clock: f64,
}

/// Bytes of RAM that stay free for the stack.
pub const STACK: u64 = 64;

const M0: Core = Core::Arm("-mcpu=cortex-m0", "microbit", 16.0);
const M3: Core = Core::Arm("-mcpu=cortex-m3", "mps2-an385", 25.0);
const M4: Core =
    Core::Arm("-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16", "mps2-an386", 25.0);

impl Chip {
    /// What is known of a device.
    pub fn of(device: Device) -> Self {
        let (core, flash, ram, mhz) = match device {
            Device::Atmega328p => (Core::Avr("atmega328p"), 32 << 10, 2 << 10, 16.0),
            Device::Attiny85 => (Core::Avr("attiny85"), 8 << 10, 512, 8.0),
            // Those of the nRF51822 of a micro:bit.
            Device::CortexM0 => (M0, 256 << 10, 16 << 10, 16.0),
            Device::Rp2040 => {
                let core = Core::Arm("-mcpu=cortex-m0plus", "microbit", 16.0);
                (core, 2 << 20, 264 << 10, 125.0)
            }
            Device::Stm32f103 => (M3, 64 << 10, 20 << 10, 72.0),
            Device::Stm32f411 => (M4, 512 << 10, 128 << 10, 100.0),
            Device::CortexM4 => (M4, 256 << 10, 64 << 10, 64.0),
            Device::Riscv32 => (Core::RiscV("rv32imac"), 128 << 10, 16 << 10, 108.0),
            Device::Esp32C3 => (Core::RiscV("rv32imc"), 4 << 20, 400 << 10, 160.0),
            Device::Esp32 => (Core::LikeOther(Device::CortexM4), 4 << 20, 320 << 10, 240.0),
            Device::Host => (Core::Host, u64::MAX, u64::MAX, 0.0),
        };
        Self { core, flash, ram, clock: mhz * 1e6 }
    }

    /// Whether all numbers of the device are those of another one.
    pub fn is_estimate(&self) -> bool {
        matches!(self.core, Core::LikeOther(_))
    }

    /// Whether the emulator counts cycles, and not instructions.
    pub fn counts_cycles(&self) -> bool {
        matches!(self.core, Core::Avr(_))
    }

    /// Whether a program fits, with some RAM left for the stack.
    pub fn fits(&self, footprint: super::Footprint) -> bool {
        footprint.flash <= self.flash && footprint.ram.saturating_add(STACK) <= self.ram
    }
}
