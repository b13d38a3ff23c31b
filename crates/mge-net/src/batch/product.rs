//! `ln a + ln b = ln ab`: one logarithm for all rows of a block.

use crate::columns::LANES;

/// The running product of positive factors, in 16 lanes: mantissas are multiplied, exponents are
/// added. Takes up to 63 groups (16 mantissas below 2 each, in an `f64`),
/// twice as many as a block has.
#[derive(Clone, Copy)]
pub(super) struct Product {
    mantissas: [f32; LANES],
    exponents: [u32; LANES],
    groups: u32,
}

impl Product {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { mantissas: [1.0; LANES], exponents: [0; LANES], groups: 0 }
    }

    /// Multiplies normal, positive factors.
    #[inline(always)]
    pub(super) fn multiply(&mut self, factors: &[f32; LANES]) {
        let lanes = self.exponents.iter_mut().zip(&mut self.mantissas);
        for ((exponent, mantissa), factor) in lanes.zip(factors) {
            let bits = factor.to_bits();
            *exponent += bits >> 23;
            *mantissa *= f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
        }
        self.groups += 1;
    }

    /// The logarithm of all factors together.
    #[inline(always)]
    pub(super) fn ln(self) -> f64 {
        let mut products = self.mantissas.map(f64::from);
        for width in [8, 4, 2, 1] {
            for lane in 0..width {
                products[lane] *= products[lane + width];
            }
        }
        let exponents: u32 = self.exponents.iter().sum();
        let exponent = i64::from(exponents) - 127 * LANES as i64 * i64::from(self.groups);
        libm::log(products[0]) + exponent as f64 * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_of_many_factors() {
        let mut product = Product::new();
        let mut expected = 0.0;
        for group in 0..32 {
            let factors: [f32; LANES] =
                std::array::from_fn(|lane| 1e-7 + (group * LANES + lane) as f32 * 1e4);
            product.multiply(&factors);
            expected += factors.iter().map(|&factor| libm::log(f64::from(factor))).sum::<f64>();
        }
        assert!((product.ln() - expected).abs() < 1e-4, "{} {expected}", product.ln());
    }
}
