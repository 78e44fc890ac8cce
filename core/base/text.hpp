// SPDX-License-Identifier: Apache-2.0
// Formats and parses numbers for users, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedbed {

// The shortest text that parses to the same number: "0.001", "1e-08", "3".
std::string formatNumber(double value);
// Formats with thousands separators: 1234567 -> "1,234,567".
std::string formatCount(std::int64_t count);
// "950 B", "1.4 MiB", "12 GiB".
std::string formatBytes(std::uint64_t bytes);
// "0.40 s", "12 s", "3 min 05 s", "2 h 07 min", "3 d 4 h"; "?" for negative values and NaN.
std::string formatDuration(double seconds);

// Parses the whole text as a finite number, such as "1e6" or "1_000_000".
std::optional<double> parseNumber(std::string_view text);
// Parses the whole text as a 64-bit integer; "1e6" and "3.0" count as integers.
std::optional<std::int64_t> parseInteger(std::string_view text);
// Parses true/false, yes/no, on/off or 1/0, in any case.
std::optional<bool> parseBoolean(std::string_view text);

// Makes text safe for terminals: control characters except line breaks and tabs, characters that change the
// text direction, and bytes that are not UTF-8 become U+FFFD.
std::string printableText(std::string_view text);
// Number of bytes at the end of `text` that begin a UTF-8 character without completing it.
std::size_t incompleteUtf8(std::string_view text);

// Splits at every `separator`; "" gives an empty vector.
std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lowered(std::string_view text);  // ASCII only
std::string_view trimmed(std::string_view text);

}  // namespace seedbed
