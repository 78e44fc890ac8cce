// SPDX-License-Identifier: Apache-2.0
// Uses std::to_chars and std::from_chars, which ignore the locale.
#include "core/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace seedbed {

namespace {

std::string fixed(double value, int digits) {
    std::array<char, 400> buffer;  // the longest double has 309 digits before the point
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
    return error == std::errc{} ? std::string(buffer.data(), end) : std::string("?");
}

// Removes underscores between two digits. Any other underscore makes the number malformed.
std::optional<std::string> withoutGrouping(std::string_view text) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') digits += text[i];
        else if (i == 0 || i + 1 == text.size() || !isDigit(text[i - 1]) || !isDigit(text[i + 1]))
            return std::nullopt;
    }
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.erase(0, 1);
    return digits;
}

template <class T>
std::optional<T> parseWhole(const std::string& digits) {
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::string twoDigits(std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); }

}  // namespace

std::string formatNumber(double value) {
    if (std::isnan(value)) return "nan";
    std::array<char, 64> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return std::string(buffer.data(), end);
}

std::string formatCount(std::int64_t count) {
    std::string digits = std::to_string(count);
    const std::ptrdiff_t first = count < 0 ? 1 : 0;
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > first; i -= 3)
        digits.insert(static_cast<std::size_t>(i), 1, ',');
    return digits;
}

std::string formatBytes(std::uint64_t bytes) {
    static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    return fixed(value, unit != 0 && value < 9.95 ? 1 : 0) + " " + units[unit];
}

std::string formatDuration(double seconds) {
    if (!(seconds >= 0) || seconds > 1e15) return "?";
    if (seconds < 9.995) return fixed(seconds, 2) + " s";
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + twoDigits(whole % 60) + " s";
    const std::int64_t minutes = whole / 60;
    if (minutes < 24 * 60) return std::to_string(minutes / 60) + " h " + twoDigits(minutes % 60) + " min";
    return std::to_string(minutes / (24 * 60)) + " d " + std::to_string(minutes / 60 % 24) + " h";
}

std::optional<double> parseNumber(std::string_view text) {
    const auto digits = withoutGrouping(text);
    if (!digits) return std::nullopt;
    const auto value = parseWhole<double>(*digits);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
    const auto digits = withoutGrouping(text);
    if (!digits) return std::nullopt;
    if (const auto whole = parseWhole<std::int64_t>(*digits)) return whole;
    // A number with a point or an exponent. Above 2^53 a double does not represent every integer.
    const auto value = parseWhole<double>(*digits);
    if (!value || !(std::abs(*value) <= 0x1p53) || *value != std::floor(*value)) return std::nullopt;
    return static_cast<std::int64_t>(*value);
}

std::optional<bool> parseBoolean(std::string_view text) {
    const std::string word = lowered(text);
    if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
    if (word == "false" || word == "no" || word == "off" || word == "0") return false;
    return std::nullopt;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    if (text.empty()) return parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string result;
    for (std::size_t i = 0; i < parts.size(); ++i) (result += i == 0 ? "" : separator) += parts[i];
    return result;
}

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

namespace {

// Length of the UTF-8 character that begins with this byte; 0 if it cannot begin one.
std::size_t lengthOf(unsigned char lead) {
    return lead < 0x80                   ? 1
           : lead >= 0xC2 && lead < 0xE0 ? 2
           : lead >= 0xE0 && lead < 0xF0 ? 3
           : lead >= 0xF0 && lead < 0xF5 ? 4
                                         : 0;
}

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The first character of `text`, which is `length` bytes long; nullopt if it is invalid.
std::optional<char32_t> decoded(std::string_view text, std::size_t length) {
    if (length == 0 || length > text.size()) return std::nullopt;
    constexpr unsigned kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    constexpr char32_t kLowest[] = {0, 0, 0x80, 0x800, 0x10000};
    char32_t point = static_cast<unsigned char>(text[0]) & kLeadBits[length];
    for (std::size_t i = 1; i < length; ++i) {
        if (!isContinuation(text[i])) return std::nullopt;
        point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    const bool valid = point >= kLowest[length] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    return valid ? std::optional(point) : std::nullopt;
}

bool isPrintable(char32_t point) {
    if (point == '\n' || point == '\t') return true;
    const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
    const bool direction = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    return !control && !direction && point != 0x2028 && point != 0x2029;
}

}  // namespace

std::string printableText(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = lengthOf(static_cast<unsigned char>(text[0]));
        const auto point = decoded(text, length);
        const std::size_t used = point ? length : 1;
        if (point && isPrintable(*point)) out += text.substr(0, used);
        else out += "\xEF\xBF\xBD";
        text.remove_prefix(used);
    }
    return out;
}

std::size_t incompleteUtf8(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const char byte = text[text.size() - back];
        if (isContinuation(byte)) continue;
        return lengthOf(static_cast<unsigned char>(byte)) > back ? back : 0;
    }
    return 0;
}

}  // namespace seedbed
