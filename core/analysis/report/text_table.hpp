// SPDX-License-Identifier: Apache-2.0
// A table for files and papers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seedbed {

enum class TableFormat : std::uint8_t { csv, markdown, latex };

// "csv", "markdown" or "latex".
std::optional<TableFormat> tableFormat(const std::string& name);

// The first row is the header. CSV as in RFC 4180 with line feeds; LaTeX needs the package booktabs, its
// first column is left-aligned and the others are right-aligned.
std::string tableText(const std::vector<std::vector<std::string>>& rows, TableFormat format);

}  // namespace seedbed
