// SPDX-License-Identifier: Apache-2.0
#include "app/grid_values.hpp"

#include "core/base/integer_range.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

constexpr std::int64_t kMaxSeeds = 10'000;

}  // namespace

Result<std::vector<std::string>> parseSeeds(const std::string& text) {
    std::vector<std::string> seeds;
    for (const std::string& part : split(text, ',')) {
        const bool is_range = part.find("..") != std::string::npos;
        const auto range = parseRange(is_range ? part : part + ".." + part);
        if (!range || range->last - range->first >= kMaxSeeds)
            return fail(ErrorCode::config,
                        "invalid seed range '" + part + "'; use, for example, 1..5 or 1,2,7");
        for (std::int64_t seed = range->first; seed <= range->last; ++seed)
            seeds.push_back(std::to_string(seed));
    }
    if (seeds.empty())
        return fail(ErrorCode::config, "invalid seeds '" + text + "'; use, for example, 1..5 or 1,2,7");
    return seeds;
}

std::vector<std::string> splitValues(const std::string& text) {
    std::vector<std::string> values;
    std::string value;
    int depth = 0;
    const auto add = [&] {
        const bool list = value.size() > 1 && value.front() == '[' && value.back() == ']';
        if (!value.empty()) values.push_back(list ? value.substr(1, value.size() - 2) : value);
        value.clear();
    };
    for (const char c : text) {
        if (c == '[') ++depth;
        if (c == ']') --depth;
        if (c == ',' && depth <= 0) add();
        else value += c;
    }
    add();
    return values;
}

}  // namespace seedbed::app
