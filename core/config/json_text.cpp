// SPDX-License-Identifier: Apache-2.0
// Parses strictly, with positions in error messages.
#include "core/config/json_text.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "core/base/text.hpp"

namespace seedbed {

namespace {

// Thrown by the parser's callback and caught in parseJsonText().
struct Refused {
    std::string reason;
};

// "line 3, column 7" for a byte offset; both count from 1, columns in characters.
std::string positionText(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string_view row = before.substr(before.rfind('\n') + 1);
    const auto column = 1 + std::count_if(row.begin(), row.end(), [](char c) { return (c & 0xC0) != 0x80; });
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// The library's reason without its prefix: "[json.exception.parse_error.101] parse error at line 1, column 2:
// reason".
std::string reasonOf(const Json::parse_error& error) {
    std::string reason = error.what();
    if (const auto at = reason.find("column "); at != std::string::npos)
        if (const auto colon = reason.find(": ", at); colon != std::string::npos)
            reason = reason.substr(colon + 2);
    return reason;
}

class Watcher {
public:
    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        if (depth > kMaxConfigDepth)
            throw Refused{"nested deeper than " + std::to_string(kMaxConfigDepth) + " levels"};
        if (event == Json::parse_event_t::object_start) open_.emplace_back();
        if (event == Json::parse_event_t::object_end) open_.pop_back();
        if (event == Json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second)
            throw Refused{"key '" + parsed.get<std::string>() + "' occurs twice in one object"};
        return true;
    }

private:
    std::vector<std::set<std::string>> open_;  // keys of each unfinished object
};

}  // namespace

Result<Json> parseJsonText(std::string_view text, const std::string& name) {
    if (text.size() > kMaxConfigBytes)
        return fail(ErrorCode::config, "'" + name + "' is longer than " + formatBytes(kMaxConfigBytes));
    Watcher watcher;
    try {
        return Json::parse(text.begin(), text.end(), std::ref(watcher));
    } catch (const Json::parse_error& error) {
        // `byte` is the position of the last byte read, counted from 1.
        const std::size_t offset = std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1);
        return fail(ErrorCode::config,
                    "'" + name + "', " + positionText(text, offset) + ": " + reasonOf(error));
    } catch (const Refused& refused) {
        return fail(ErrorCode::config, "'" + name + "': " + refused.reason);
    } catch (const Json::exception& error) {
        return fail(ErrorCode::config, "'" + name + "': " + error.what());
    }
}

Result<Json> readJsonFile(FileSystem& files, const Path& path) {
    auto text = readFile(files, resolveLinks(path), kMaxConfigBytes);
    if (!text) return fail(ErrorCode::config, text.error().text());
    return parseJsonText(*text, path.string());
}

}  // namespace seedbed
