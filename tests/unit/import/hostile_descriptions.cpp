// SPDX-License-Identifier: Apache-2.0
// Invalid descriptions of networks (config.json).
#include <cstdint>
#include <functional>

#include "tests/unit/import/hostile_policies.hpp"

namespace seedbed::testing {
namespace {

class Descriptions {
public:
    explicit Descriptions(const GoodPolicy& good)
        : good_(good.config()), tensors_(good.files.at("model.safetensors")) {}

    void raw(const std::string& name, const std::string& text, const char* reason) {
        made.push_back({"description-" + name,
                        {{"model.safetensors", tensors_}, {"config.json", text}},
                        {},
                        "model.safetensors",
                        reason});
    }
    void with(const std::string& name, const char* reason, const std::function<void(Json&)>& change) {
        Json changed = good_;
        change(changed);
        raw(name, changed.dump(), reason);
    }
    void spec(const std::string& name, const char* reason, const std::function<void(Json&)>& change) {
        with(name, reason, [&](Json& config) { change(config["networks"][0]["spec"]); });
    }
    void harmless(const std::string& name, const std::function<void(Json&)>& change) {
        with(name, "", change);
        made.back().harmless = true;
    }

    const Json& good() const { return good_; }

    std::vector<HostilePolicy> made;

private:
    Json good_;
    std::string tensors_;
};

void addNetworks(Descriptions& to) {
    to.spec("hidden-huge", "", [](Json& s) { s["hidden"] = {1 << 30, 1 << 30}; });
    to.spec("hidden-overflowing", "", [](Json& s) { s["hidden"] = {std::int64_t{1} << 62}; });
    to.spec("hidden-negative", "", [](Json& s) { s["hidden"] = {-5}; });
    to.spec("hidden-of-100000-layers", "", [](Json& s) { s["hidden"] = std::vector<int>(100'000, 1); });
    to.spec("hidden-of-1025-layers", "at most 1024",
            [](Json& s) { s["hidden"] = std::vector<int>(1025, 1); });
    to.spec("hidden-of-1024-layers-with-norm", "", [](Json& s) {
        s["hidden"] = std::vector<int>(1024, 1);
        s["layer_norm"] = true;
    });
    to.spec("10000-heads", "at most 1024", [](Json& s) {
        for (int i = 0; i < 10'000; ++i) {
            s["heads"].push_back(s["heads"][1]);
            s["heads"].back()["name"] = "h" + std::to_string(i);
        }
    });
    to.spec("5000-observations", "at most 1024", [](Json& s) {
        for (int i = 0; i < 5000; ++i) {
            s["spaces"]["obs"].push_back(s["spaces"]["obs"][0]);
            s["spaces"]["obs"].back()["name"] = "o" + std::to_string(i);
            s["encoders"].push_back(s["encoders"][0]);
            s["encoders"].back()["leaf"] = "o" + std::to_string(i);
        }
    });
    to.spec("encoder-of-400000-sections", "", [](Json& s) {
        Json& leaf = s["spaces"]["obs"][0];
        leaf["kind"] = "image";
        leaf["dtype"] = "u8";
        leaf["shape"] = {1, 84, 84};
        s["normalise_obs"] = false;
        s["encoders"][0]["kind"] = "impala_deep";
        s["encoders"][0]["params"] = {{"sections", std::vector<int>(400'000, 1)}, {"blocks", 16}};
    });
    to.spec("hidden-fraction", "", [](Json& s) { s["hidden"] = {1e300}; });
    to.spec("shape-huge", "", [](Json& s) { s["spaces"]["obs"][0]["shape"] = {1 << 28, 1 << 28}; });
    to.spec("shape-negative", "", [](Json& s) { s["spaces"]["obs"][0]["shape"] = {-4}; });
    to.spec("shape-zero", "", [](Json& s) { s["spaces"]["obs"][0]["shape"] = {0}; });
    to.spec("stack-huge", "", [](Json& s) { s["spaces"]["obs"][0]["stack"] = INT64_MAX; });
    to.spec("actions-huge", "", [](Json& s) { s["spaces"]["actions"][0]["n"] = INT32_MAX; });
    to.spec("actions-negative", "", [](Json& s) { s["spaces"]["actions"][0]["n"] = -1; });
    to.spec("no-observations", "", [](Json& s) { s["spaces"]["obs"] = Json::array(); });
    to.spec("encoder-python", "", [](Json& s) { s["encoders"][0]["kind"] = "python"; });
    to.spec("encoder-path", "", [](Json& s) { s["encoders"][0]["kind"] = "../../libevil.so"; });
    to.spec("core-unknown", "", [](Json& s) { s["core"]["kind"] = "torchscript"; });
    to.spec("core-huge", "", [](Json& s) { s["core"] = {{"kind", "lstm"}, {"size", 1 << 30}}; });
    to.spec("activation-expression", "", [](Json& s) { s["activation"] = "tanh(x); system(0)"; });
    to.spec("head-without-policy", "", [](Json& s) { s["heads"] = Json::array(); });
    to.spec("head-width-huge", "", [](Json& s) { s["heads"][1]["width"] = 1 << 30; });
    to.spec("heads-of-the-same-name", "", [](Json& s) { s["heads"].push_back(s["heads"][0]); });
    for (const char* name : {"a */ extern int system(const char *); /* ", "a\nb", "", "a\"b", "a/b", "%n"}) {
        to.spec("leaf-named-" + Json(name).dump(), "name of a leaf",
                [&](Json& s) { s["spaces"]["actions"][0]["name"] = name; });
        to.spec("head-named-" + Json(name).dump(), "name of a head",
                [&](Json& s) { s["heads"][1]["name"] = name; });
    }
}

void addDocuments(Descriptions& to) {
    to.with("network-name-with-path", "not allowed", [](Json& c) { c["networks"][0]["name"] = "../x"; });
    to.with("network-twice", "not allowed", [](Json& c) { c["networks"].push_back(c["networks"][0]); });
    to.with("no-networks", "no list of networks", [](Json& c) { c["networks"] = Json::array(); });
    to.with("many-networks", "no list of networks",
            [](Json& c) { c["networks"] = std::vector<Json>(65, c["networks"][0]); });
    to.with("another-format", "not a description", [](Json& c) { c["format"] = "pickle"; });
    to.with("newer-version", "newer version", [](Json& c) { c["version"] = 99; });
    to.with("version-text", "no version", [](Json& c) { c["version"] = "1"; });
    to.with("squash-text", "squashed", [](Json& c) { c["squash"] = "no"; });
    to.with("reward-text", "rewards", [](Json& c) { c["reward"] = {{"scale", "much"}, {"clip", 0}}; });
    to.with("reward-too-large", "rewards", [](Json& c) { c["reward"] = {{"scale", 1e300}, {"clip", 0}}; });
    to.raw("deep", std::string(100'000, '['), "not a description");
    to.raw(
        "deep-objects",
        [] {
            std::string deep;
            for (int i = 0; i < 20'000; ++i) deep += "{\"a\":";
            return deep;
        }(),
        "not a description");
    std::string many = "{\"format\":\"seedbed-policy\"";
    for (int i = 0; i < 90'000; ++i) many += ",\"" + std::to_string(i) + "\":0";
    to.raw("of-90000-names", many + "}", "no version");
    to.raw("key-twice", R"({"format": "seedbed-policy", "format": "seedbed-policy"})", "not a description");
    to.raw("number-overflow", R"({"format": "seedbed-policy", "version": 1e999})", "not a description");
    to.raw("too-long", "{\"a\": \"" + std::string(3 << 20, 'a') + "\"}", "too long");
    to.raw("with-more-behind-a-zero", to.good().dump() + std::string(1, '\0') + "PK", "not a description");
    to.raw("empty", "", "not a description");
}

}  // namespace

std::vector<HostilePolicy> hostileDescriptions(const GoodPolicy& good, const std::filesystem::path& trace) {
    Descriptions made(good);
    addNetworks(made);
    addDocuments(made);
    const std::string command = "touch " + trace.string();
    made.harmless("environment-named-as-command",
                  [&](Json& c) { c["provenance"]["env"] = "$(" + command + ")`" + command + "`"; });
    made.harmless("settings-with-commands", [&](Json& c) {
        c["provenance"]["config"] = {{"__reduce__", {"os.system", command}}, {"run", {{"engine", command}}}};
    });
    made.harmless("parameters-as-module", [&](Json& c) {
        c["provenance"]["env_params"] = {{"module", "/tmp/evil.so"}, {"import", command}};
    });
    made.harmless("unknown-members", [&](Json& c) { c["auto_map"] = {{"AutoModel", "evil.Model"}}; });
    return std::move(made.made);
}

}  // namespace seedbed::testing
