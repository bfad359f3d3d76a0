//! Symmetric matrices for the covariance of ratings, computed in a fixed order of operations.

use std::collections::BTreeMap;

/// Conjugate gradients end when the residual has shrunk to this part of the first one.
const RESIDUAL: f64 = 1e-15;
/// Or after this many steps per row. Without rounding, one step per row would do.
const STEPS_PER_ROW: usize = 8;

/// Rows processed together: they fit into a processor's innermost cache.
const BLOCK: usize = 16;

/// A symmetric positive definite matrix of which most entries are 0.
#[derive(Default)]
pub(crate) struct Sparse {
    pub(crate) diagonal: Vec<f64>,
    /// Entries off the diagonal, each place once.
    pub(crate) beside: Vec<([usize; 2], f64)>,
}

impl Sparse {
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = self.diagonal.iter().zip(vector).map(|(entry, value)| entry * value).collect();
        for ([row, col], entry) in &self.beside {
            product[*row] += entry * vector[*col];
            product[*col] += entry * vector[*row];
        }
        product
    }

    /// Solves this matrix times x = `right` for x, by conjugate gradients with the diagonal as preconditioner.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let scaled = |vector: &[f64]| -> Vec<f64> { vector.iter().zip(&self.diagonal).map(|(a, d)| a / d).collect() };
        let mut solution = vec![0.0; right.len()];
        let mut residual = right.to_vec();
        let mut direction = scaled(&residual);
        let mut square = dot(&residual, &direction);
        let enough = square * RESIDUAL * RESIDUAL;
        for _ in 0..STEPS_PER_ROW * right.len() {
            if square <= enough {
                break;
            }
            let image = self.times(&direction);
            let length = square / dot(&direction, &image);
            for row in 0..right.len() {
                solution[row] += length * direction[row];
                residual[row] -= length * image[row];
            }
            let preconditioned = scaled(&residual);
            let next = dot(&residual, &preconditioned);
            let turn = next / square;
            square = next;
            direction.iter_mut().zip(&preconditioned).for_each(|(old, new)| *old = new + turn * *old);
        }
        solution
    }

    /// The same matrix with all entries.
    pub(crate) fn dense(&self) -> Matrix {
        let mut matrix = Matrix::zero(self.diagonal.len());
        for (row, entry) in self.diagonal.iter().enumerate() {
            matrix.rows[row][row] = *entry;
        }
        for ([row, col], entry) in &self.beside {
            matrix.rows[*row][*col] += entry;
            matrix.rows[*col][*row] += entry;
        }
        matrix
    }
}

/// Rows that are subtracted together, so that the row they are subtracted from is read and written once.
const TOGETHER: usize = 4;

/// Subtracts a multiple of another row, from an entry on.
fn subtract(row: &mut [f64], part: f64, other: &[f64], from: usize) {
    if part != 0.0 {
        row[from..].iter_mut().zip(&other[from..]).for_each(|(entry, other)| *entry -= part * other);
    }
}

/// Subtracts multiples of other rows, from an entry on: for each entry in the order of the rows, as if one by one.
/// `part` gives the multiple of a row, by its place.
fn subtract_all(row: &mut [f64], others: &[Vec<f64>], part: impl Fn(usize) -> f64, from: usize) {
    let (fours, rest) = others.as_chunks::<TOGETHER>();
    for (number, four) in fours.iter().enumerate() {
        let [a, b, c, d]: [f64; TOGETHER] = core::array::from_fn(|at| part(TOGETHER * number + at));
        if [a, b, c, d] == [0.0; TOGETHER] {
            continue;
        }
        let [of_a, of_b, of_c, of_d] = four.each_ref().map(|other| &other[from..]);
        for ((((entry, w), x), y), z) in row[from..].iter_mut().zip(of_a).zip(of_b).zip(of_c).zip(of_d) {
            *entry = *entry - a * w - b * x - c * y - d * z;
        }
    }
    for (other, at) in rest.iter().zip(TOGETHER * fours.len()..) {
        subtract(row, part(at), other, from);
    }
}

/// The sum of the products of two vectors' elements.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).fold(0.0, |sum, (one, other)| sum + one * other)
}

/// An upper triangle whose product with its transpose is the inverse of a matrix.
pub(crate) struct Root {
    rows: Vec<Vec<f64>>,
}

impl Root {
    /// The product of this and its transpose: the inverse.
    pub(crate) fn squared(&self) -> Matrix {
        let size = self.rows.len();
        // The entry of two rows is their inner product. Computed column by column, so that rows are added to rows.
        let mut product = vec![vec![0.0; size]; size];
        let turned: Vec<Vec<f64>> = (0..size).map(|col| (0..=col).map(|row| self.rows[row][col]).collect()).collect();
        for column in &turned {
            for (row, entries) in product.iter_mut().enumerate().take(column.len()) {
                let part = column[row];
                entries.iter_mut().zip(&column[..=row]).for_each(|(entry, other)| *entry += part * other);
            }
        }
        Matrix::mirrored(product)
    }

    /// As [`Matrix::of_difference`] of the product, without computing the rest of it.
    pub(crate) fn of_difference(&self, one: usize, other: usize) -> f64 {
        // Entries before the earlier of the two are 0 in both.
        let from = one.min(other);
        let differences = self.rows[one][from..].iter().zip(&self.rows[other][from..]).map(|(one, other)| one - other);
        differences.fold(0.0, |sum, difference| sum + difference * difference)
    }
}

/// A symmetric matrix.
pub(crate) struct Matrix {
    rows: Vec<Vec<f64>>,
}

impl Matrix {
    fn zero(size: usize) -> Matrix {
        Matrix { rows: vec![vec![0.0; size]; size] }
    }

    /// The inverse of U, where U' x U is this matrix, which is positive definite. Every step adds a multiple of one row
    /// to another, which processors vectorise without changing a result. Rows are processed in blocks, so that each row
    /// read from memory is used for several others.
    pub(crate) fn root(self) -> Root {
        let mut triangle = self.rows;
        let size = triangle.len();
        // The upper triangle U = L': row by row, each later row minus its part of this one.
        for first in (0..size).step_by(BLOCK) {
            let behind = size.min(first + BLOCK);
            for row in first..behind {
                let (above, below) = triangle.split_at_mut(row + 1);
                let pivot = &mut above[row];
                let root = libm::sqrt(pivot[row]);
                pivot[row..].iter_mut().for_each(|entry| *entry /= root);
                for (later, entries) in (row + 1..behind).zip(below) {
                    subtract(entries, pivot[later], pivot, later);
                }
            }
            let (above, below) = triangle.split_at_mut(behind);
            for (later, entries) in (behind..).zip(below) {
                let pivots = &above[first..];
                subtract_all(entries, pivots, |at| pivots[at][later], later);
            }
        }
        // The inverse of U, upper as well: row by row from the last.
        let mut inverse = vec![vec![0.0; size]; size];
        for first in (0..size).step_by(BLOCK).rev() {
            let behind = size.min(first + BLOCK);
            let (above, below) = inverse.split_at_mut(behind);
            // Entries of a row before its place are 0.
            for (later, others) in (behind..).step_by(BLOCK).zip(below.chunks(BLOCK)) {
                for (entries, parts) in above[first..].iter_mut().zip(&triangle[first..]) {
                    subtract_all(entries, others, |at| parts[later + at], later);
                }
            }
            for row in (first..behind).rev() {
                let (above, below) = above.split_at_mut(row + 1);
                let entries = &mut above[row];
                for (later, others) in (row + 1..).zip(&*below) {
                    subtract(entries, triangle[row][later], others, later);
                }
                entries[row] = 1.0;
                let pivot = triangle[row][row];
                entries[row..].iter_mut().for_each(|entry| *entry /= pivot);
            }
        }
        Root { rows: inverse }
    }

    /// Completes a matrix from its lower triangle.
    fn mirrored(mut rows: Vec<Vec<f64>>) -> Matrix {
        for row in 1..rows.len() {
            let (above, below) = rows.split_at_mut(row);
            above.iter_mut().zip(&below[0]).for_each(|(entries, entry)| entries[row] = *entry);
        }
        Matrix { rows }
    }

    /// The product this x B x this. B is the diagonal matrix of `own` plus, for each entry of `squares`, its value
    /// times the outer square of the difference of the two unit vectors.
    pub(crate) fn around(&self, own: &[f64], squares: &BTreeMap<[usize; 2], f64>) -> Matrix {
        let size = self.rows.len();
        let scaled = |(row, own): (&Vec<f64>, &f64)| row.iter().map(|entry| own * entry).collect();
        let mut inner: Vec<Vec<f64>> = self.rows.iter().zip(own).map(scaled).collect();
        for ([one, other], square) in squares {
            let parts = self.rows[*one].iter().zip(&self.rows[*other]).map(|(one, other)| square * (one - other));
            for (col, part) in parts.enumerate() {
                inner[*one][col] += part;
                inner[*other][col] -= part;
            }
        }
        let mut product = vec![vec![0.0; size]; size];
        for (row, entries) in product.iter_mut().enumerate() {
            for (part, inner) in self.rows[row].iter().zip(&inner) {
                entries[..=row].iter_mut().zip(&inner[..=row]).for_each(|(entry, inner)| *entry += part * inner);
            }
        }
        Matrix::mirrored(product)
    }

    /// A row.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.rows[row]
    }

    /// This matrix times a vector.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| dot(row, vector)).collect()
    }

    /// For a covariance: the variance of the difference of two.
    pub(crate) fn of_difference(&self, one: usize, other: usize) -> f64 {
        libm::fmax(self.rows[one][one] + self.rows[other][other] - 2.0 * self.rows[one][other], 0.0)
    }

    /// For a covariance: the variance of each difference from the weighted mean of all.
    pub(crate) fn against(&self, weights: &[f64]) -> Vec<f64> {
        let means = self.times(weights);
        let of_mean = dot(&means, weights);
        let own = self.rows.iter().enumerate().map(|(place, row)| row[place]);
        own.zip(&means).map(|(own, mean)| libm::fmax(own - 2.0 * mean + of_mean, 0.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;

    /// A diagonally dominant matrix of a drawn graph.
    fn drawn(size: usize, number: u64) -> Sparse {
        let mut rng = Rng::new(&[4; 32], number);
        let mut sparse = Sparse { diagonal: vec![0.01; size], beside: Vec::new() };
        for row in 0..size {
            for col in row + 1..size {
                if rng.below(3) == 0 {
                    let entry = f64::from(1 + rng.below(1_000)) / 100.0;
                    sparse.beside.push(([row, col], -entry));
                    sparse.diagonal[row] += entry;
                    sparse.diagonal[col] += entry;
                }
            }
        }
        sparse
    }

    #[test]
    fn an_inverse_undoes_its_matrix_and_so_does_solving() {
        for (size, number) in [(1, 0), (2, 1), (7, 2), (30, 3)] {
            let sparse = drawn(size, number);
            let root = sparse.dense().root();
            let inverse = root.squared();
            for place in 0..size {
                let difference = inverse.of_difference(place, size / 2);
                assert!((root.of_difference(place, size / 2) - difference).abs() < 1e-8 * (1.0 + difference));
                let unit: Vec<f64> = (0..size).map(|at| f64::from(u8::from(at == place))).collect();
                let back = sparse.times(&inverse.rows[place]);
                let solved = sparse.solve(&unit);
                for at in 0..size {
                    assert!((back[at] - unit[at]).abs() < 1e-8, "{size}: {} {}", back[at], unit[at]);
                    assert!((solved[at] - inverse.rows[place][at]).abs() < 1e-8 * (1.0 + solved[at].abs()));
                }
            }
        }
    }

    #[test]
    fn rows_subtracted_together_give_the_bits_of_rows_subtracted_one_by_one() {
        let mut rng = Rng::new(&[5; 32], 0);
        let mut drawn = |zeros: u32| if rng.below(3) < zeros { 0.0 } else { f64::from(rng.word()) / 4e7 - 50.0 };
        for count in 0..12 {
            let others: Vec<Vec<f64>> = (0..count).map(|_| (0..23).map(|_| drawn(0)).collect()).collect();
            // Some fours are skipped as a whole, some have a part of 0.
            let parts: Vec<f64> = (0..count).map(|at| drawn(if at < 4 { 3 } else { 1 })).collect();
            let mut together: Vec<f64> = (0..23).map(|_| drawn(0)).collect();
            let mut alone = together.clone();
            subtract_all(&mut together, &others, |at| parts[at], 5);
            others.iter().zip(&parts).for_each(|(other, part)| subtract(&mut alone, *part, other, 5));
            let bits = |row: &[f64]| -> Vec<u64> { row.iter().map(|entry| entry.to_bits()).collect() };
            assert_eq!(bits(&together), bits(&alone), "{count}");
        }
    }

    #[test]
    fn a_covariance_says_the_variance_of_differences() {
        let matrix = drawn(5, 4).dense().root().squared();
        let squares = BTreeMap::from([([0, 1], 2.0), ([2, 4], 0.5)]);
        let own = [0.25, 0.0, 1.5, 0.0, 0.5];
        let around = matrix.around(&own, &squares);
        for (one, other) in [(0, 1), (3, 2), (4, 0)] {
            let alone = own.iter().enumerate().fold(0.0, |sum, (at, own)| {
                let influence = matrix.rows[one][at] - matrix.rows[other][at];
                sum + own * influence * influence
            });
            let direct = squares.iter().fold(alone, |sum, ([a, b], square)| {
                let influence =
                    matrix.rows[one][*a] - matrix.rows[one][*b] - matrix.rows[other][*a] + matrix.rows[other][*b];
                sum + square * influence * influence
            });
            assert!((around.of_difference(one, other) - direct).abs() < 1e-9 * (1.0 + direct));
        }
        let equal = matrix.against(&[0.0, 0.0, 1.0, 0.0, 0.0]);
        assert!((equal[0] - matrix.of_difference(0, 2)).abs() < 1e-9 && equal[2] == 0.0);
    }
}
