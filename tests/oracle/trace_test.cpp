// SPDX-License-Identifier: Apache-2.0
// Golden traces of the original environments (tests/oracle/traces, made by make_traces.py) can be replayed
// without a difference. SEEDBED_TRACES=DIR replays the traces of another folder, for example longer ones
// (live_compare.py).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/env/env_registry.hpp"
#include "core/env/trace_check.hpp"

namespace seedbed {
namespace {

std::filesystem::path folder() {
    const char* given = std::getenv("SEEDBED_TRACES");
    return given ? std::filesystem::path(given)
                 : std::filesystem::path(SEEDBED_SOURCE_DIR) / "tests/oracle/traces";
}

std::string idOf(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.substr(0, name.find('.'));
}

std::vector<std::filesystem::path> traceFiles() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
        if (entry.path().filename().string().find(".jsonl") != std::string::npos)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class Trace : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Trace, ReplaysWithoutADifference) {
    const auto report = checkTrace(idOf(GetParam()), GetParam().string());
    ASSERT_TRUE(report.has_value()) << report.error().text();
    EXPECT_FALSE(report->difference.has_value()) << report->difference->text();
    EXPECT_GE(report->transitions, 200U);
    // live_compare.py reads this line.
    std::printf("TRACE %s transitions %zu drawn %zu\n", idOf(GetParam()).c_str(), report->transitions,
                report->drawn);
}

INSTANTIATE_TEST_SUITE_P(All, Trace, testing::ValuesIn(traceFiles()), [](const auto& tested) {
    std::string name = idOf(tested.param);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
});

}  // namespace
}  // namespace seedbed
