// SPDX-License-Identifier: GPL-3.0-or-later
// Names of runs, environments and algorithms, the same on every page.
#pragma once

#include <string>

#include <QString>

namespace seedbed {
struct RunRecord;
}

namespace seedbed::ui {

// The title of an environment: "CartPole"; a short form of an id that is not built in. Thread: any.
QString envTitle(const std::string& env);
// "PPO", "V-trace".
QString algoTitle(const std::string& algo);
// The run's name; without one its environment and number: "CartPole · run 3".
QString runTitle(const RunRecord& run);
// For lists of runs, whose names may be equal: "first · CartPole · run 3".
QString runEntry(const RunRecord& run);
// Distinguishes a run from others, below its title: "PPO · seed 1", after a name
// "CartPole · run 3 · PPO · seed 1".
QString runFacts(const RunRecord& run);

}  // namespace seedbed::ui
