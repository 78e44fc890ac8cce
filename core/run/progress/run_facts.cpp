// SPDX-License-Identifier: Apache-2.0
#include "core/run/progress/run_facts.hpp"

#include "core/base/text.hpp"
#include "core/run/resume.hpp"

namespace seedbed {

Json autoSettings(const TrainingState& state, const std::string& preset) {
    const SessionPlan& plan = state.session->plan();
    const TrainingConfig& config = plan.config;
    Json choices{
        {"engine", {{"value", plan.engine.id}, {"why", plan.engine.why}}},
        {"groups",
         {{"value", plan.groups},
          {"why", config.actor.groups > 0 ? "configured"
                                          : "from the number of environments and measured inference times"}}},
        {"threads",
         {{"value", plan.threads}, {"why", config.run.threads > 0 ? "configured" : "one per core"}}},
        {"inference",
         {{"value", config.run.inference},
          {"why", plan.auto_choice.is_null() ? Json("configured") : plan.auto_choice.at("why")},
          {"choice", plan.auto_choice}}},
        {"preset", preset}};
    if (state.env_file)
        choices[kEnvFileFact] = {{"path", state.env_file->path}, {"sha256", state.env_file->sha256}};
    return choices;
}

std::string changedFileText(const TrainingState& state) {
    const bool imports = state.session->plan().env.files.size() > 1;
    return "'" + state.env_file->path + "'" + (imports ? " or a module that it imports" : "") +
           " has changed";
}

void recordResume(const ResumeFacts& facts, const TrainingState& state, RunNotices& notices) {
    const Session& session = *state.session;
    Json facts_now = exactnessFacts(session.plan());
    if (state.env_file) facts_now[kEnvFileFact] = state.env_file->sha256;
    std::string inexact = inexactReason(facts.made_by, facts_now);
    if (inexact.empty() && !session.environmentsAreSaved())
        inexact = "this environment cannot save its state";
    if (inexact.empty() && session.plan().learn.replay && session.plan().config.checkpoint.replay == "none")
        inexact = "the checkpoint does not contain the replay (checkpoint.replay=none)";
    std::string text = "resumed from the checkpoint at step " + formatCount(facts.step);
    const std::string different = differentSettingsText(facts.since_checkpoint, facts.changes);
    if (!different.empty())
        text +=
            " with different settings: " + different + "; results from this step on depend on these settings";
    else
        text += inexact.empty() ? "; it continues bit for bit"
                                : "; bit-for-bit results cannot be guaranteed: " + inexact;
    const bool exact = inexact.empty() && different.empty();
    notices.record(EventLevel::info, "resumed", text,
                   {{"step", facts.step}, {"exact", exact}, {"superseded_from", facts.step}});
    notices.inform("run " + std::to_string(state.id) + " " + text);
    const std::string file_then = facts.made_by.is_object() ? facts.made_by.value(kEnvFileFact, "") : "";
    if (state.env_file && !file_then.empty() && file_then != state.env_file->sha256)
        notices.notifyAndRecord(EventLevel::warning, "environment_changed",
                                changedFileText(state) +
                                    " since the checkpoint was saved; results from this step on depend on "
                                    "the new file",
                                {{"before", file_then}, {"now", state.env_file->sha256}});
    for (const std::string& notice : facts.damaged)
        notices.record(EventLevel::warning, "damaged_checkpoint", notice);
    if (!session.environmentsAreSaved())
        notices.record(EventLevel::warning, "environments_restarted",
                       "the environments cannot save their state; they started new episodes");
    if (facts.windows_missing && session.hasOpenWindows())
        notices.record(EventLevel::warning, "windows_left_out",
                       "this milestone contains no open windows; experience collected after its last update "
                       "was dropped");
    if (!facts.changes.empty())
        notices.record(EventLevel::info, "settings", "settings changed: " + changesText(facts.changes),
                       facts.changes);
}

}  // namespace seedbed
