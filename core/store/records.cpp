// SPDX-License-Identifier: Apache-2.0
#include "core/store/records.hpp"

#include <array>

#include "core/base/error.hpp"

namespace seedbed {

namespace {

constexpr std::array<const char*, 3> kSourceNames{"live", "resume", "rollback"};
constexpr std::array<const char*, 8> kStatusNames{"queued",   "starting", "running", "paused",
                                                  "stopping", "finished", "failed",  "interrupted"};

}  // namespace

const char* nameOf(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::optional<RunStatus> runStatusFromText(std::string_view text) {
    for (std::size_t i = 0; i < kStatusNames.size(); ++i)
        if (text == kStatusNames[i]) return static_cast<RunStatus>(i);
    return std::nullopt;
}

bool isLive(RunStatus status) {
    return status == RunStatus::starting || status == RunStatus::running || status == RunStatus::paused ||
           status == RunStatus::stopping;
}

const char* nameOf(SettingSource source) { return kSourceNames[static_cast<std::size_t>(source)]; }

std::optional<SettingSource> settingSourceFromText(std::string_view text) {
    for (std::size_t i = 0; i < kSourceNames.size(); ++i)
        if (text == kSourceNames[i]) return static_cast<SettingSource>(i);
    return std::nullopt;
}

const char* nameOf(EventLevel level) {
    return level == EventLevel::error ? "error" : level == EventLevel::warning ? "warning" : "info";
}

}  // namespace seedbed
