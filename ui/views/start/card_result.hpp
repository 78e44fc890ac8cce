// SPDX-License-Identifier: GPL-3.0-or-later
// The result and time of training in an environment, for the chip on its card.
#pragma once

#include <QString>

#include "ui/views/style/card.hpp"

namespace seedbed::ui {

class Catalogue;
struct EnvInfo;
struct PresetInfo;

struct CardResult {
    QString text{};  // "Solved in 4 s on this PC"
    Tone tone = Tone::plain;
    QString facts{};  // scores and times, for the tool tip
};

// preset: of the environment; nullptr if it has none. env: nullptr for external environments.
CardResult cardResult(const Catalogue& catalogue, const PresetInfo* preset, const EnvInfo* env);
QString difficultyText(const QString& difficulty);

}  // namespace seedbed::ui
