// SPDX-License-Identifier: Apache-2.0
// What a stored run changes of the preset it came from: what tells runs apart in lists, and all that a
// command line for it has to say.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed::app {

// A setting by its dotted key.
struct ChangedSetting {
    std::string key;
    Json from;  // the preset's value, null where the preset does not have the key
    Json value;
};

// Where a configuration comes from and what it changes there, in the order of description. Left out is what
// other places say: environment, seed, and the machine's part (threads, device, engine).
struct ChangedSettings {
    std::string preset;  // "none" for plain defaults, also where the preset that the run came from is not
                         // there any more
    std::vector<ChangedSetting> changed;
};

// The name of the preset that is stored with a run (StoreReader::configOf, RunDetails::auto_settings); ""
// when there was none.
std::string presetOf(const Json& auto_settings);

// Remembers the presets it has looked up. Thread: one owner.
class PresetDifference {
public:
    // `preset`: as presetOf() gives it. Configurations of an environment that this program does not have come
    // with the preset "none" and nothing changed.
    ChangedSettings of(const Json& config, const std::string& preset);

private:
    struct Base {
        std::string preset;
        Json document;  // null: there is none
    };
    const Base& baseOf(const std::string& env, const std::string& algo, const std::string& preset);
    std::map<std::string, Base> bases_;
};

// Cells of a table, one per run, that tell the runs of one environment, algorithm and preset apart:
// "learning_rate=0.0003, gamma=0.9". What differs between the runs comes first; after three settings only how
// many more there are. `all`: a run that has the preset's value where others have another one says so, which
// suits jobs that were made together.
std::vector<std::string> distinguishingTexts(const std::vector<std::pair<std::string, ChangedSettings>>& runs,
                                             bool all);

// {"a": {"b": 1}} at "a.b"; null when it is not there.
Json valueAt(const Json& document, const std::string& key);

// `change` ({"algo.epochs": 2.0}) with whole numbers where the configuration asks for them: {"algo.epochs":
// 2}.
Json normalised(const Json& config, const Json& change);

// The command that starts a run like it with `change` laid over, for a POSIX shell; the change comes first,
// after it only what differs from the preset. `seed`: 0 leaves it out.
std::string commandLike(const Json& config, const ChangedSettings& settings, const Json& change,
                        std::uint64_t seed = 0);

}  // namespace seedbed::app
