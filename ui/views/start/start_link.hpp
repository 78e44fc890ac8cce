// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the start page.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "ui/models/packs/env_choice.hpp"
#include "ui/models/run_id.hpp"

namespace seedbed::ui {

// Initial values of the form for a new run.
struct NewRunRequest {
    QString env;
    QString preset;  // "" for the environment's default preset, "none" for plain defaults
    // Dotted keys with values as on the command line; marked as changed by the user.
    std::vector<std::pair<QString, QString>> settings;
    // The run to copy (0: none), and its settings, which replace the values of the preset.
    RunId like = 0;
    std::vector<std::pair<QString, QString>> base{};
    QString init_from{};  // the policy whose weights the run starts with; "": new weights
};

// The form for an external environment, with a number of steps if it has no preset.
inline NewRunRequest newRunRequest(const EnvChoice& choice, bool has_preset) {
    NewRunRequest request{.env = choice.env, .preset = {}, .settings = {}};
    if (!has_preset)
        request.settings.emplace_back(QStringLiteral("run.steps"), QLatin1String(kStepsWithoutPreset));
    for (const auto& [name, value] : choice.values)
        request.settings.emplace_back(QStringLiteral("env.") + name, value);
    return request;
}

struct StartLink {
    static constexpr auto kPage = "start";
    std::optional<NewRunRequest> new_run{};  // opens the form; nothing is started
    QString search{};                        // text for the form's search line, such as the key of a setting
};

}  // namespace seedbed::ui
