// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of a person who plays, and their keys, from the names of an environment's actions.
#pragma once

#include <vector>

#include <QString>

#include "core/base/spaces.hpp"

namespace seedbed::ui {

// A choice of a discrete action, or an end of the range of a dimension.
struct PlayChoice {
    QString name{};           // "push left", "steering 1"
    QString key_text{};       // "←", "3"; "" without a key
    std::vector<int> keys{};  // of Qt::Key
    std::size_t word = 0;     // of the action
    int place = 0;     // among the choices of all discrete actions, as in PlayerRecord::shown; -1: none
    double value = 0;  // of the word
};

// In the order of the action's words. Keys are unique: arrows (and W, A, S, D) for names with a direction or
// a sign, space for names such as fire or jump, and digits for the first action. The first two dimensions
// have the arrows.
std::vector<PlayChoice> playChoices(const std::vector<ActionLeaf>& actions);

}  // namespace seedbed::ui
