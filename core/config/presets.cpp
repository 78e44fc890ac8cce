// SPDX-License-Identifier: Apache-2.0
// Loads and validates preset files.
#include "core/config/presets.hpp"

#include "core/base/describe.hpp"
#include "core/config/config_schema.hpp"
#include "core/config/json_text.hpp"

namespace seedbed {

namespace {

// The file's fields except "config", which is checked when the preset is used.
struct Budget {
    std::int64_t steps = 1;
    static const Description<Budget>& describe() {
        static const Description<Budget> description = [] {
            Description<Budget> d("budget", "The budget of the preset.");
            d.field(&Budget::steps, "steps", "Agent decisions.", {.unit = "steps", .min = 1});
            return d;
        }();
        return description;
    }
};

struct Expectation {
    double score = 0, reference = 0;
    std::string source;
    static const Description<Expectation>& describe() {
        static const Description<Expectation> description = [] {
            Description<Expectation> d("expects", "The expected result of the preset.");
            d.field(&Expectation::score, "score", "The goal: mean greedy return after the budget.");
            d.field(&Expectation::reference, "reference", "Score that the source reports.");
            d.field(&Expectation::source, "source", "The source of the reference score.");
            return d;
        }();
        return description;
    }
};

struct PresetFile {
    std::string name, title, when_to_use, env;
    Budget budget;
    Expectation expects;
    static const Description<PresetFile>& describe() {
        static const Description<PresetFile> description = [] {
            Description<PresetFile> d("preset", "A named configuration.");
            d.field(&PresetFile::name, "name", "The name, which is also the name of the file.");
            d.field(&PresetFile::title, "title", "A short title for lists.");
            d.field(&PresetFile::when_to_use, "when_to_use",
                    "When to use the preset, in one or two sentences.");
            d.field(&PresetFile::env, "env", "Id of the environment.");
            d.section(&PresetFile::budget, "budget", "The budget of the preset.");
            d.section(&PresetFile::expects, "expects", "The expected result of the preset.");
            return d;
        }();
        return description;
    }
};

// Every field of a preset is required; a default could imply a result that was not measured.
Result<> checkAllGiven(const Schema& schema, const Json& json, const std::string& prefix) {
    for (const auto& field : schema.fields) {
        const auto found = json.find(field.name);
        const bool empty =
            found != json.end() && found->is_string() && found->get_ref<const std::string&>().empty();
        if (found == json.end() || empty)
            return fail(ErrorCode::config, "'" + prefix + field.name + "' is missing");
        if (field.section != nullptr) SEEDBED_TRY(checkAllGiven(*field.section, *found, field.name + "."));
    }
    return {};
}

// Removes "solved" and "best" from "expects". Returns the best score if the goal was missed.
Result<std::optional<double>> takeBest(Json& fields) {
    const auto expects = fields.find("expects");
    if (expects == fields.end() || !expects->is_object()) return std::nullopt;
    const Json solved = expects->value("solved", Json(true)), best = expects->value("best", Json());
    expects->erase("solved");
    expects->erase("best");
    if (!solved.is_boolean()) return fail(ErrorCode::config, "'expects.solved' must be true or false");
    if (solved.get<bool>() != best.is_null() || (!best.is_null() && !best.is_number()))
        return fail(ErrorCode::config,
                    "'expects.best', the best score so far, belongs to a preset with \"solved\": false");
    if (best.is_null()) return std::nullopt;
    return best.get<double>();
}

Result<Preset> readPreset(const Json& json, const std::string& name) {
    if (!json.is_object()) return fail(ErrorCode::config, "a preset must be a JSON object");
    Json fields = json;
    Json config = fields.contains("config") ? fields["config"] : Json();
    fields.erase("config");
    SEEDBED_ASSIGN(const std::optional<double> best, takeBest(fields));
    const auto& description = PresetFile::describe();
    SEEDBED_ASSIGN(PresetFile file, description.parse(fields));
    SEEDBED_TRY(checkAllGiven(description.schema(), fields, ""));
    if (file.name != name)
        return fail(ErrorCode::config, "'name' is '" + file.name + "', but the file is named '" + name + "'");
    if (!config.is_object()) return fail(ErrorCode::config, "'config' must be an object of sections");
    Json& env = config.emplace("env", Json::object()).first.value();
    if (env.is_string()) env = Json{{"id", env}};
    if (!env.is_object()) return fail(ErrorCode::config, "'config.env' must be an object of settings");
    if (env.emplace("id", file.env).first.value() != file.env)
        return fail(ErrorCode::config, "'config.env.id' differs from 'env'");
    // Hashes only the fields that determine the result, so that changed goals and descriptions do not
    // invalidate it.
    const Json hashed{{"budget_steps", file.budget.steps}, {"config", config}};
    return Preset{file.name,
                  file.title,
                  file.when_to_use,
                  file.env,
                  file.budget.steps,
                  file.expects.score,
                  file.expects.reference,
                  file.expects.source,
                  best,
                  config,
                  hashOf(hashed)};
}

}  // namespace

std::string Preset::algo() const {
    const Json none = Json::object(), section = config.value("algo", none);
    return section.is_string()   ? section.get<std::string>()
           : section.is_object() ? section.value("id", "ppo")
                                 : "ppo";
}

bool Preset::isMeasured() const { return !source.starts_with("not yet measured"); }

Result<Preset> presetFromJson(const Json& json, const std::string& name) {
    auto preset = readPreset(json, name);
    if (!preset)
        return tl::unexpected<Error>(std::move(preset.error()).withContext("reading preset '" + name + "'"));
    return preset;
}

namespace {

Result<Preset> presetFromFile(FileSystem& files, const Path& file) {
    SEEDBED_ASSIGN(const Json json, readJsonFile(files, file));
    return presetFromJson(json, file.stem().string());
}

// Hidden files and other types are skipped.
bool isPresetFile(const FileInfo& info) {
    return info.kind == FileInfo::Kind::file && Path(info.name).extension() == ".json" &&
           !info.name.starts_with('.');
}

}  // namespace

Result<PresetLibrary> PresetLibrary::load(FileSystem& files, const std::vector<Path>& folders) {
    PresetLibrary library;
    for (const Path& folder : folders) {
        SEEDBED_ASSIGN(const auto info, files.info(folder));
        if (!info) continue;
        SEEDBED_ASSIGN(const auto entries, files.list(folder));
        for (const auto& entry : entries) {
            if (!isPresetFile(entry)) continue;
            SEEDBED_ASSIGN(Preset preset, presetFromFile(files, folder / entry.name));
            library.presets_.insert_or_assign(preset.name, std::move(preset));
        }
    }
    return library;
}

Result<std::optional<Preset>> PresetLibrary::read(FileSystem& files, const std::vector<Path>& folders,
                                                  std::string_view name) {
    if (name.find('/') != std::string_view::npos) return std::optional<Preset>();
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
        const Path file = *folder / (std::string(name) + ".json");
        SEEDBED_ASSIGN(const auto info, files.info(file));
        if (!info || !isPresetFile(*info)) continue;
        SEEDBED_ASSIGN(Preset preset, presetFromFile(files, file));
        return std::optional(std::move(preset));
    }
    return std::optional<Preset>();
}

Result<const Preset*> PresetLibrary::get(std::string_view name) const {
    if (const auto found = presets_.find(std::string(name)); found != presets_.end()) return &found->second;
    std::vector<std::string> names;
    for (const auto& [known, preset] : presets_) names.push_back(known);
    return fail(ErrorCode::config, "unknown preset '" + std::string(name) + "'" + suggestion(name, names));
}

const Preset* PresetLibrary::defaultFor(std::string_view env, std::string_view algo) const {
    const auto fits = [&](const Preset& preset) {
        return preset.env == env && (algo.empty() || preset.algo() == algo);
    };
    const auto result = [](const Preset& preset) {
        constexpr double kSolved = std::numeric_limits<double>::infinity();
        return preset.isSolved() ? kSolved : preset.best_score.value_or(-kSolved);
    };
    const Preset* chosen = nullptr;
    if (const auto same = presets_.find(std::string(env)); same != presets_.end() && fits(same->second))
        chosen = &same->second;
    for (const auto& [name, preset] : presets_)
        if (fits(preset) && (chosen == nullptr || (chosen->best_score && result(preset) > result(*chosen))))
            chosen = &preset;
    return chosen;
}

std::vector<const Preset*> PresetLibrary::all() const {
    std::vector<const Preset*> result;
    for (const auto& [name, preset] : presets_) result.push_back(&preset);
    return result;
}

}  // namespace seedbed
