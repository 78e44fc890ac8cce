// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/doctor/findings.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/analysis/doctor/replay_rules.hpp"
#include "core/analysis/doctor/state_rules.hpp"
#include "core/analysis/doctor/symptom_rules.hpp"

namespace seedbed {
namespace {

using doctor::Outcome;
using doctor::Suspect;

// Suspects with less strength cannot explain a missed goal.
constexpr double kMinStrength = 0.25;
// Other suspects are also reported if their strength is at least this share of the first one's.
constexpr double kAlmostAsStrong = 0.6;
constexpr std::size_t kMaxBlamed = 3;

std::vector<Finding> blamed(const RunView& run, const std::vector<Suspect>& suspects) {
    std::vector<Finding> findings;
    for (const Suspect& suspect : suspects) {
        if (findings.size() == kMaxBlamed || suspect.strength < kMinStrength ||
            suspect.strength < kAlmostAsStrong * suspects.front().strength)
            break;
        findings.push_back(doctor::blame(run, suspect));
    }
    return findings;
}

// Whether the run lacks the memory (recurrence or frame stack) of its base, which lowers the return
// regardless of the goal.
bool lacksMemory(const RunView& run, const Outcome& outcome, const Suspect& suspect) {
    return outcome.score && suspect.rule == std::string_view("no_memory") && run.reference_score &&
           *outcome.score < *run.reference_score && !outcome.improving;
}

// Reduces a finding to a note, because there is a more likely cause that its remedy would not remove.
void makeContext(Finding& finding) {
    finding.severity = Finding::Severity::note;
    finding.remedy.clear();
    finding.settings = Json::object();
    finding.blames.clear();
    finding.resume = false;
}

// Whether training reaches the goal but evaluations do not, so that the training settings are not the cause.
bool onlyEvaluationsMiss(const std::vector<Finding>& symptoms, const Outcome& outcome) {
    return outcome.training_way && *outcome.training_way >= doctor::kNearly &&
           std::any_of(symptoms.begin(), symptoms.end(),
                       [](const Finding& f) { return f.rule == "evaluation_differs"; });
}

bool anyWarning(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.severity >= Finding::Severity::warning; });
}

}  // namespace

const char* nameOf(Finding::Severity severity) {
    switch (severity) {
        case Finding::Severity::note: return "note";
        case Finding::Severity::warning: return "warning";
        case Finding::Severity::problem: return "problem";
    }
    return "?";
}

std::vector<Finding> diagnose(const RunView& run) {
    const Outcome outcome = doctor::outcomeOf(run);
    const std::vector<Suspect> suspects = doctor::suspectsOf(run);
    std::vector<Finding> findings = doctor::stateFindings(run, outcome, suspects);
    // A run with non-finite numbers fails again when it is resumed.
    if (!findings.empty() && findings.front().rule == "not_a_number")
        for (Finding& finding : findings)
            if (finding.resume && finding.severity < Finding::Severity::problem) makeContext(finding);
    if (!outcome.good) {
        std::vector<Finding> symptoms = doctor::replayFindings(run);
        std::ranges::move(doctor::symptomFindings(run), std::back_inserter(symptoms));
        const bool explained = anyWarning(findings);
        const bool missed = outcome.over && outcome.way;
        std::vector<Finding> causes;
        if (!explained && (missed || anyWarning(symptoms)) && !onlyEvaluationsMiss(symptoms, outcome))
            causes = blamed(run, suspects);
        if (explained || !causes.empty())
            for (Finding& symptom : symptoms) makeContext(symptom);
        else if (outcome.improving && !outcome.over)
            std::erase_if(symptoms, [](const Finding& f) { return f.severity == Finding::Severity::note; });
        if (missed && !explained && causes.empty() && !anyWarning(symptoms))
            causes.push_back(doctor::missedGoal(run, outcome));
        for (std::vector<Finding>* part : {&causes, &symptoms})
            std::move(part->begin(), part->end(), std::back_inserter(findings));
    }
    if (outcome.good)
        for (const Suspect& suspect : suspects)
            if (lacksMemory(run, outcome, suspect)) findings.push_back(doctor::blame(run, suspect));
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

Json toJson(const Finding& f) {
    return {{"rule", f.rule},
            {"severity", nameOf(f.severity)},
            {"title", f.title},
            {"evidence", f.evidence.text()},
            {"evidence_pattern", f.evidence.pattern},
            {"evidence_arguments", f.evidence.arguments},
            {"cause", f.cause},
            {"remedy", f.remedy},
            {"blames", f.blames},
            {"settings", f.settings},
            {"resume", f.resume},
            {"command", f.command}};
}

Result<Finding> findingFromJson(const Json& json) {
    using Severity = Finding::Severity;
    try {
        Finding f;
        f.rule = json.at("rule").get<std::string>();
        for (const Severity severity : {Severity::note, Severity::warning, Severity::problem})
            if (json.at("severity") == nameOf(severity)) f.severity = severity;
        f.title = json.at("title").get<std::string>();
        f.evidence = {json.at("evidence_pattern").get<std::string>(),
                      json.at("evidence_arguments").get<std::vector<std::string>>()};
        f.cause = json.at("cause").get<std::string>();
        f.remedy = json.at("remedy").get<std::string>();
        f.blames = json.at("blames").get<std::vector<std::string>>();
        f.settings = json.at("settings");
        f.resume = json.at("resume").get<bool>();
        f.command = json.at("command").get<std::string>();
        return f;
    } catch (const Json::exception& e) {
        return fail(ErrorCode::config, std::string("not a finding: ") + e.what());
    }
}

}  // namespace seedbed
