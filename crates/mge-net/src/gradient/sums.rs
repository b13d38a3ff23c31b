//! Sums over the rows of a block, in 16 lanes that are then added in a fixed order, so that the
//! bits are the same on every SIMD level.

use mge_columns::LANES;

/// The inner products of one column with others, each in 16 lanes that are then added in order.
#[inline(always)]
pub(super) fn dots<const N: usize>(one: &[f32], others: [&[f32]; N]) -> [f64; N] {
    let rows = one.len();
    let others = others.map(|other| &other[..rows]);
    let mut lanes = [[0.0f32; LANES]; N];
    for group in (0..rows).step_by(LANES) {
        let own = &one[group..][..LANES];
        for k in 0..N {
            let other = &others[k][group..][..LANES];
            for lane in 0..LANES {
                lanes[k][lane] += own[lane] * other[lane];
            }
        }
    }
    lanes.map(|lanes| f64::from(add_lanes(lanes)))
}

#[inline(always)]
pub(super) fn total(values: &[f32]) -> f64 {
    let mut lanes = [0.0f32; LANES];
    for group in values.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] += group[lane];
        }
    }
    f64::from(add_lanes(lanes))
}

#[inline(always)]
fn add_lanes(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}
