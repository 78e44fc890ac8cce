// SPDX-License-Identifier: Apache-2.0
// Differences between stored configurations and their presets.
#include "app/changed_settings.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "app/configuration.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/run/resume.hpp"

namespace seedbed::app {
namespace {

constexpr std::array kShownElsewhere{"run.seed", "run.threads", "run.device", "run.engine"};
constexpr std::size_t kMaxShown = 3;

std::string idOf(const Json& config, const char* section) {
    return config.is_object() && config.contains(section) && config[section].is_object()
               ? config[section].value("id", "")
               : "";
}

// Whether both documents have the same names in the same order.
bool sameNames(const Json& a, const Json& b) {
    if (!a.is_object() || !b.is_object()) return a.is_object() == b.is_object();
    const auto& x = a.get_ref<const Json::object_t&>();
    const auto& y = b.get_ref<const Json::object_t&>();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& one, const auto& other) {
        return one.first == other.first && sameNames(one.second, other.second);
    });
}

// Appends the settings in `document` that differ from `base`, in the order of `document`. `prefix`: "" or the
// path of `document` followed by a dot.
void addChanges(const Json& document, const Json& base, const std::string& prefix,
                std::vector<ChangedSetting>& changed) {
    static const Json kMissing;
    for (const auto& [name, value] : document.get_ref<const Json::object_t&>()) {
        const auto at = base.is_object() ? base.find(name) : base.end();
        const Json& from = at == base.end() ? kMissing : *at;
        if (value.is_object()) {
            addChanges(value, from, prefix + name + ".", changed);
            continue;
        }
        if (value == from || name == "id") continue;
        const std::string key = prefix + name;
        if (std::find(kShownElsewhere.begin(), kShownElsewhere.end(), key) == kShownElsewhere.end())
            changed.push_back({key, from, value});
    }
}

std::string shortName(const std::string& key) { return key.substr(key.rfind('.') + 1); }

}  // namespace

std::string presetOf(const Json& auto_settings) {
    const auto at = auto_settings.is_object() ? auto_settings.find("preset") : auto_settings.end();
    return at != auto_settings.end() && at->is_string() ? at->get<std::string>() : "";
}

Json valueAt(const Json& document, const std::string& key) {
    std::string pointer = "/" + key;
    std::replace(pointer.begin() + 1, pointer.end(), '.', '/');
    const Json::json_pointer at(pointer);
    return document.contains(at) ? document.at(at) : Json();
}

const PresetDifference::Base& PresetDifference::find(const std::string& env, const std::string& algo,
                                                     const std::string& preset) {
    const auto [at, fresh] = bases_.try_emplace(env + "\n" + algo + "\n" + preset, Base{"none", Json()});
    Base& base = at->second;
    if (!fresh) return base;
    // A run may use a different algorithm from its preset; its base is then the preset with the defaults of
    // that algorithm.
    const std::array<std::string, 2> names{preset.empty() ? "none" : preset, "none"};
    for (const std::string& name : names) {
        ConfigurationRequest request;
        request.env = env;
        request.preset = name;
        request.needs_goal = request.default_steps = false;
        request.settings = {{"algo.id", algo}};
        const auto made = makeConfiguration(request);
        if (!made) continue;
        base = {name, made->config.document};
        break;
    }
    return base;
}

Json PresetDifference::baseOf(const Json& config, const std::string& preset) {
    return find(idOf(config, "env"), idOf(config, "algo"), preset).document;
}

ChangedSettings PresetDifference::of(const Json& config, const std::string& preset) {
    const Base& base = find(idOf(config, "env"), idOf(config, "algo"), preset);
    ChangedSettings found{base.preset, {}};
    if (base.document.is_null()) return found;
    // Only runs of other versions lack settings; completing a document takes longer than comparing it.
    if (sameNames(config, base.document)) {
        addChanges(config, base.document, "", found.changed);
    } else if (const auto complete = storedConfig(config)) {
        addChanges(*complete, base.document, "", found.changed);
    }
    return found;
}

std::vector<std::vector<std::string>> distinguishingSettings(
    const std::vector<std::pair<std::string, ChangedSettings>>& runs, bool all) {
    // For each kind of run and preset: how many runs change each key, and to which values.
    struct Use {
        std::size_t runs = 0;
        std::set<std::string> values;
        Json from;
    };
    struct Kind {
        std::size_t runs = 0;
        std::vector<std::string> order;
        std::map<std::string, Use> keys;
    };
    std::map<std::string, Kind> kinds;
    const auto kindOf = [&](const auto& run) -> Kind& { return kinds[run.first + "\n" + run.second.preset]; };
    for (const auto& run : runs) {
        Kind& kind = kindOf(run);
        ++kind.runs;
        for (const ChangedSetting& setting : run.second.changed) {
            Use& use = kind.keys[setting.key];
            if (use.runs++ == 0) {
                kind.order.push_back(setting.key);
                use.from = setting.from;
            }
            use.values.insert(settingText(setting.value));
        }
    }
    std::vector<std::vector<std::string>> settings;
    for (const auto& run : runs) {
        const Kind& kind = kindOf(run);
        std::vector<std::string> distinct, same;
        for (const std::string& key : kind.order) {
            const Use& use = kind.keys.at(key);
            const bool differs = use.runs < kind.runs || use.values.size() > 1;
            const auto own = std::find_if(run.second.changed.begin(), run.second.changed.end(),
                                          [&](const ChangedSetting& setting) { return setting.key == key; });
            if (own != run.second.changed.end())
                (differs ? distinct : same).push_back(shortName(key) + "=" + settingText(own->value));
            else if (all && !use.from.is_null())
                distinct.push_back(shortName(key) + "=" + settingText(use.from));
        }
        distinct.insert(distinct.end(), same.begin(), same.end());
        settings.push_back(std::move(distinct));
    }
    return settings;
}

std::vector<std::string> distinguishingTexts(const std::vector<std::pair<std::string, ChangedSettings>>& runs,
                                             bool all) {
    std::vector<std::string> texts;
    for (const std::vector<std::string>& distinct : distinguishingSettings(runs, all)) {
        std::string& text = texts.emplace_back();
        for (std::size_t i = 0; i < std::min(distinct.size(), kMaxShown); ++i)
            text += (i == 0 ? "" : ", ") + distinct[i];
        if (distinct.size() > kMaxShown) text += ", +" + std::to_string(distinct.size() - kMaxShown);
    }
    return texts;
}

std::string commandLike(const Json& config, const ChangedSettings& settings, const Json& change,
                        std::uint64_t seed) {
    const std::string env = idOf(config, "env"), algo = idOf(config, "algo");
    std::vector<std::pair<std::string, std::string>> options;
    for (const auto& [key, value] : change.items()) options.emplace_back(key, settingText(value));
    if (seed != static_cast<std::uint64_t>(RunSettings().seed))
        options.emplace_back("seed", std::to_string(seed));
    // Omits options that equal the defaults of 'seedbed train ENV'.
    ConfigurationRequest plain;
    plain.env = env;
    plain.needs_goal = false;
    const auto defaults = makeConfiguration(plain);
    std::string preset_algo;
    plain.preset = settings.preset;
    const auto base = makeConfiguration(plain);
    if (base) preset_algo = base->config.algo_id;
    const bool other_algo = preset_algo != algo;
    if (!defaults || (defaults->preset.empty() ? "none" : defaults->preset) != settings.preset || other_algo)
        options.emplace_back("preset", settings.preset);
    if (other_algo) options.emplace_back("algo", algo);
    for (const ChangedSetting& setting : settings.changed)
        if (!change.contains(setting.key)) options.emplace_back(setting.key, settingText(setting.value));
    for (const char* key : {"run.device", "run.engine"})
        if (const Json value = valueAt(config, key);
            base && !value.is_null() && value != valueAt(base->config.document, key) && !change.contains(key))
            options.emplace_back(key, settingText(value));
    return trainCommand(env, options);
}

}  // namespace seedbed::app
