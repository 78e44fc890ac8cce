// SPDX-License-Identifier: GPL-3.0-or-later
// An external environment with the arguments of its constructor, as on the command line.
#pragma once

#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

namespace seedbed::ui {

struct EnvChoice {
    QString env{};                                      // "atari:pong", "gym:/home/me/my_env.py:MyEnv"
    std::vector<std::pair<QString, QString>> values{};  // name and value: {"length", "12"}

    // --env.length=12 ...
    QStringList settings() const;
    // A file name that is unique to this choice.
    QString key() const;
    // The Python file that defines it; "" for environments of packages.
    QString file() const;
    bool operator==(const EnvChoice&) const = default;
};

// Shortens an id to a title: "gym:/home/me/my_env.py:MyEnv" to "MyEnv", "atari:space_invaders" to "Space
// invaders", "gym:ALE/Pong-v5" to "ALE/Pong-v5".
QString shortTitle(const QString& env);

// The id without the folder of its file: "gym:my_env.py:MyEnv".
QString shortId(const QString& env);

// Converts the user's input to an id: "CartPole-v1" and Gymnasium's "module:Id-v0" get the scheme gym;
// "atari:pong" and "gym:CartPole-v1" are unchanged.
QString envIdFromInput(const QString& input);

// The default number of steps for environments without a preset. Forms show it, and users can change it.
inline constexpr auto kStepsWithoutPreset = "1000000";

// Arguments of `seedbed queue add` for the next seed of an environment: a second click trains another seed
// instead of repeating the run.
QStringList startArguments(const EnvChoice& choice, bool has_preset);

}  // namespace seedbed::ui
