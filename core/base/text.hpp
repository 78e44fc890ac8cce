// SPDX-License-Identifier: Apache-2.0
// Numbers as people read and type them, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedbed {

// The shortest text that reads back as the same number: "0.001", "1e-08", "3".
std::string formatNumber(double value);
// Thousands separated for reading: 1234567 -> "1,234,567".
std::string formatCount(std::int64_t count);
// "950 B", "1.4 MiB", "12 GiB".
std::string formatBytes(std::uint64_t bytes);
// "0.40 s", "12 s", "3 min 05 s", "2 h 07 min", "3 d 4 h"; negative and not-a-number as "?".
std::string formatDuration(double seconds);

// The whole text as a finite number, digits grouped by underscores allowed ("1_000_000", "1e6").
std::optional<double> parseNumber(std::string_view text);
// As parseNumber, for whole numbers within 64 bits; "1e6" and "3.0" are whole.
std::optional<std::int64_t> parseInteger(std::string_view text);
// true/false, yes/no, on/off, 1/0, whatever the case.
std::optional<bool> parseBoolean(std::string_view text);

// Splits at every `separator`; "" gives no parts.
std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lowered(std::string_view text);  // ASCII only
std::string_view trimmed(std::string_view text);

}  // namespace seedbed
