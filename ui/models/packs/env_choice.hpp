// SPDX-License-Identifier: GPL-3.0-or-later
// An environment of another program with the arguments of its constructor, as on the command line.
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
    // Different for different choices; a file name.
    QString key() const;
    // The Python file that defines it; "" for environments of packages.
    QString file() const;
    bool operator==(const EnvChoice&) const = default;
};

// "gym:/home/me/my_env.py:MyEnv" is "MyEnv", "atari:space_invaders" is "Space invaders", "gym:ALE/Pong-v5" is
// "ALE/Pong-v5".
QString shortTitle(const QString& env);

// The id without the folder of its file: "gym:my_env.py:MyEnv".
QString shortId(const QString& env);

// The id of what a user enters: "CartPole-v1" and Gymnasium's "module:Id-v0" get the scheme gym; "atari:pong"
// and "gym:CartPole-v1" stay.
QString envIdFromInput(const QString& input);

// The number of steps of a run in an environment without a preset; forms show it and users can change it.
inline constexpr auto kStepsWithoutPreset = "1000000";

// Arguments of `seedbed queue add` for the next seed of an environment: a second click trains another seed
// instead of repeating the run.
QStringList startArguments(const EnvChoice& choice, bool has_preset);

}  // namespace seedbed::ui
