//! One logarithm for all rows of a block, by `ln a + ln b = ln ab`.

use mge_columns::LANES;

/// The logarithm of the product of normal, positive factors. Exponents are added, in any order, and
/// mantissas are multiplied in 16 lanes. A lane holds up to 63 factors, twice as many as a block
/// needs; the product of the lanes is taken in `f64`.
#[inline(always)]
pub(super) fn log_of_product(factors: &[f32]) -> f64 {
    let mut exponents = 0;
    for factor in factors {
        exponents += factor.to_bits() >> 23;
    }
    let mut products = products_of_mantissas(factors).map(f64::from);
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            products[lane] *= products[lane + width];
        }
    }
    let exponent = i64::from(exponents) - 127 * factors.len() as i64;
    libm::log(products[0]) + exponent as f64 * std::f64::consts::LN_2
}

#[inline(always)]
fn products_of_mantissas(factors: &[f32]) -> [f32; LANES] {
    let mut products = [1.0; LANES];
    let (groups, rest) = factors.as_chunks::<LANES>();
    for group in groups {
        for lane in 0..LANES {
            products[lane] *= mantissa(group[lane]);
        }
    }
    for (product, &factor) in products.iter_mut().zip(rest) {
        *product *= mantissa(factor);
    }
    products
}

/// The mantissa, in [1, 2).
#[inline(always)]
fn mantissa(factor: f32) -> f32 {
    f32::from_bits(factor.to_bits() & 0x007f_ffff | 0x3f80_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: one factor at a time, each in its lane.
    fn one_by_one(factors: &[f32]) -> f64 {
        let (mut mantissas, mut exponent) = ([1.0f32; LANES], 0);
        for (index, factor) in factors.iter().enumerate() {
            exponent += i64::from(factor.to_bits() >> 23) - 127;
            mantissas[index % LANES] *= mantissa(*factor);
        }
        let mut product = mantissas.map(f64::from).to_vec();
        while product.len() > 1 {
            let (one, other) = product.split_at(product.len() / 2);
            product = one.iter().zip(other).map(|(a, b)| a * b).collect();
        }
        libm::log(product[0]) + exponent as f64 * std::f64::consts::LN_2
    }

    #[test]
    fn the_logarithm_of_a_product_is_the_sum_of_logarithms() {
        for count in [0, 1, 15, 16, 17, 500, 512] {
            let factor = |index: usize| 1e-7 + index as f32 * 1e4;
            let factors: Vec<f32> = (0..count).map(factor).collect();
            let expected: f64 = factors.iter().map(|&factor| libm::log(f64::from(factor))).sum();
            let found = log_of_product(&factors);
            assert!((found - expected).abs() < 1e-4, "{count}: {found} {expected}");
            assert_eq!(found.to_bits(), one_by_one(&factors).to_bits(), "{count}: {found}");
        }
    }
}
