// SPDX-License-Identifier: Apache-2.0
// Configuration files and presets: JSON text, checked against descriptions, and single settings as on the
// command line.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/config/config_schema.hpp"
#include "core/config/json_text.hpp"
#include "core/config/presets.hpp"
#include "core/nn/net_spec.hpp"
#include "core/nn/optimiser.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace seedbed;
    static const ConfigSchema schema = [] {
        ConfigSchema made;
        made.addSection("network", "The network.", &NetworkParams::describe().schema());
        made.addVariants("optimiser", "The optimiser.",
                         {{"adam", {&OptimiserParams::describe().schema(), {"a"}}}}, "adam");
        return made;
    }();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto json = parseJsonText(text, "input");
    noteOutcome("json", json);
    if (json) {
        const auto complete = schema.complete(*json);
        noteOutcome("config", complete);
        if (complete) {
            (void)NetworkParams::describe().read(complete->at("network"));
            (void)schema.changed(*complete);
            (void)hashOf(*complete);
        }
        const auto preset = presetFromJson(*json, "input");
        if (!complete) noteOutcome("preset", preset);
    }
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) {
        Json document = Json::object();
        const auto set = schema.set(document, text.substr(0, equals), text.substr(equals + 1));
        if (!json) noteOutcome("setting", set);
    }
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    for (const std::string text :
         {R"({"network": {"hidden": [16, 16], "core": "lstm"}, "optimiser": {"id": "adam"}})",
          R"({"network": {"normalise_obs": true}, "optimiser": "a"})",
          R"({"name": "x", "title": "t", "when_to_use": "w", "env": "cartpole", "budget": {"steps": 1000},
              "expects": {"score": 1, "reference": 2, "source": "s"},
              "config": {"env": {"id": "cartpole"}}})",
          "network.hidden=[64,64]", "optimiser.epsilon=1e-5"})
        seeds.emplace_back(text.begin(), text.end());
    return seeds;
}
