// SPDX-License-Identifier: Apache-2.0
// The registry of environments, and schemas with changed defaults.
#include "core/env/env_registry.hpp"

#include <map>

#include "core/base/mutex.hpp"
#include "core/base/text.hpp"
#include "core/env/batch_decorator.hpp"

namespace seedbed {
namespace {

void changeDefaults(Schema& schema, const Json& overrides) {
    const Result<Json> valid = schema.complete(overrides);
    SEEDBED_CHECK(valid.has_value(), valid.error().text());
    for (FieldInfo& field : schema.fields)
        if (overrides.contains(field.name)) field.default_value = valid->at(field.name);
}

}  // namespace

EnvSchema::EnvSchema(const Schema& params, const Json& overrides)
    : own(params), wrap(WrapperParams::describe().schema()) {
    Json own_overrides = overrides;
    own_overrides.erase("wrap");
    changeDefaults(own, own_overrides);
    changeDefaults(wrap, overrides.value("wrap", Json::object()));
    all = own;
    FieldInfo section;
    section.name = "wrap";
    section.help = wrap.help;
    section.type = FieldType::section;
    section.default_value = wrap.defaults();
    section.section = &wrap;
    all.fields.push_back(std::move(section));
}

Json EnvSchema::ownPart(const Json& complete) const {
    Json part = complete;
    part.erase("wrap");
    return part;
}

Result<EnvSpec> EnvSchema::finishSpec(EnvSpec spec, const std::string& id, const Json& complete) const {
    const WrapperParams params = WrapperParams::describe().read(complete.at("wrap"));
    spec.id = id;
    SEEDBED_TRY(checkWrappers(spec, params));
    spec = wrapSpec(std::move(spec), params);
    for (const char* key : {"sticky_actions", "action_repeat", "noop_starts", "time_limit"})
        if (complete.at("wrap").at(key) != wrap.find(key)->default_value) spec.random_return.reset();
    return spec;
}

std::unique_ptr<LocalBatch> EnvSchema::decorate(std::unique_ptr<LocalBatch> batch, EnvSpec spec,
                                                const Json& complete) const {
    batch = wrapBatch(std::move(batch), WrapperParams::describe().read(complete.at("wrap")));
    const EnvSpec& own_spec = batch->spec();
    const bool equal = own_spec.id == spec.id && own_spec.horizon == spec.horizon &&
                       own_spec.random_return == spec.random_return;
    return equal ? std::move(batch) : std::make_unique<BatchDecorator>(std::move(batch), std::move(spec));
}

Result<WrapperParams> EnvEntry::wrapperParams(const Json& given) const {
    SEEDBED_ASSIGN(const Json complete, params->complete(given));
    return WrapperParams::describe().read(complete.at("wrap"));
}

Json EnvEntry::bareParams() const {
    Json bare = params->defaults();
    bare["wrap"] = WrapperParams::describe().schema().defaults();
    // MinAtar has its own parameter for sticky actions.
    if (bare.contains("sticky_actions")) bare["sticky_actions"] = 0.0;
    return bare;
}

Registry<EnvEntry>& envRegistry() {
    static Registry<EnvEntry> registry;
    return registry;
}

Registry<EnvScheme>& envSchemes() {
    static Registry<EnvScheme> schemes;
    return schemes;
}

namespace {

// "; did you mean 'gym:./lake.py:Lake'?" for the path of a Python file, with or without a class.
std::string fileHint(const std::string& id) {
    const std::string file = id.substr(0, id.rfind(':'));
    if (!file.ends_with(".py") || envSchemes().find("gym") == nullptr) return "";
    const bool has_folder = file.starts_with('/') || file.starts_with("./") || file.starts_with("../");
    return "; did you mean 'gym:" + std::string(has_folder ? "" : "./") + id + (file == id ? ":CLASS" : "") +
           "'?";
}

}  // namespace

Result<const EnvEntry*> findEnv(const std::string& id) {
    const std::size_t colon = id.find(':');
    const EnvScheme* scheme = colon == std::string::npos ? nullptr : envSchemes().find(id.substr(0, colon));
    if (scheme == nullptr) {
        if (const std::string hint = fileHint(id); !hint.empty())
            return fail(ErrorCode::config, "unknown environment '" + id + "'" + hint);
        if (id.starts_with("host:"))
            return fail(ErrorCode::config, "the environment '" + id +
                                               "' belongs to a program that uses libseedbed; train it there");
        if (colon != std::string::npos && !envSchemes().ids().empty())
            return fail(ErrorCode::config, "no environments have ids that begin with '" +
                                               id.substr(0, colon + 1) +
                                               "'; known: " + join(envSchemes().ids(), ":, ") + ":");
        return envRegistry().get(id, "environment");
    }
    static Mutex mutex;
    static std::map<std::string, std::unique_ptr<const EnvEntry>> entries;
    const MutexLock lock(mutex);
    if (const auto known = entries.find(id); known != entries.end()) return known->second.get();
    SEEDBED_ASSIGN(EnvEntry entry, scheme->entry(id.substr(colon + 1)));
    std::unique_ptr<const EnvEntry>& stored = entries[entry.id];
    if (stored == nullptr) stored = std::make_unique<const EnvEntry>(std::move(entry));
    return stored.get();
}

bool registerEnv(EnvEntry entry) {
    envRegistry().add(std::move(entry));
    return true;
}

}  // namespace seedbed
