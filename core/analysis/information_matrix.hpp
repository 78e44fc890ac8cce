// SPDX-License-Identifier: Apache-2.0
// Standard errors from the information matrix of a fit.
#pragma once

#include <cstddef>
#include <vector>

namespace seedbed {

// A symmetric positive definite matrix. Thread: one owner.
class InformationMatrix {
public:
    explicit InformationMatrix(std::size_t size);

    // Adds to an entry (row, column) and, by symmetry, to (column, row).
    void add(std::size_t row, std::size_t column, double value) { at(row, column) += value; }

    // Of the inverse: its diagonal, and its product with a vector whose first elements are 1, the others 0.
    struct Inverse {
        std::vector<double> diagonal, times_ones;
    };
    // Takes 2/3 size^3 operations and uses the matrix up. Empty vectors if the matrix is not positive
    // definite.
    Inverse invert(std::size_t ones) &&;

private:
    double* block(std::size_t row, std::size_t column);
    double& at(std::size_t row, std::size_t column);
    bool factorise();
    void invertFactor();

    std::size_t size_, blocks_;
    std::vector<double> values_;  // square blocks, one after another; those above the diagonal and on it
                                  // are used
};

}  // namespace seedbed
