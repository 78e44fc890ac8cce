// SPDX-License-Identifier: Apache-2.0
#include "core/run/progress/run_notices.hpp"

#include <cmath>
#include <utility>

#include "core/base/text.hpp"

namespace seedbed {

void RunNotices::notify(const std::string& text) {
    observer_.message(text);
    control_.sendEvent({{"event", "message"}, {"text", text}});
}

void RunNotices::inform(const std::string& text) {
    observer_.info(text);
    control_.sendEvent({{"event", "message"}, {"text", text}});
}

void RunNotices::record(EventLevel level, const std::string& kind, const std::string& text, Json data) {
    segment_.writer().event({.step = state_.steps(),
                             .time = clock_.rowTime(),
                             .level = level,
                             .kind = kind,
                             .text = text,
                             .data = std::move(data)});
}

void RunNotices::notifyAndRecord(EventLevel level, const std::string& kind, const std::string& text,
                                 Json data) {
    if (level == EventLevel::info) inform(text);
    else notify(text);
    record(level, kind, text, std::move(data));
}

void RunNotices::started() { observer_.started(state_.id, state_.session->plan()); }

void RunNotices::evaluated(const EvaluationResult& result) {
    const auto steps = state_.session->progress().steps;
    observer_.evaluated(steps, result);
    control_.sendEvent({{"event", "evaluated"},
                        {"steps", state_.steps()},
                        {"n", result.summary.n},
                        {"mean", result.summary.mean}});
}

void RunNotices::ended(RunStatus status, const std::string& error) {
    control_.sendEvent({{"event", "ended"}, {"state", nameOf(status)}, {"text", error}});
}

void RunNotices::collect() {
    for (const std::string& notice : segment_.takeNotices())
        notifyAndRecord(EventLevel::warning, "saving", notice);
    if (const auto slept = clock_.slept())
        notifyAndRecord(EventLevel::info, "slept",
                        "the computer slept for " + formatDuration(*slept) + "; training continues",
                        {{"seconds", *slept}});
    if (const auto jump = clock_.jumped())
        record(EventLevel::info, "clock",
               "the computer's clock changed by " + formatNumber(std::round(*jump)) +
                   " s; times of this run are not affected",
               {{"seconds", *jump}});
}

}  // namespace seedbed
