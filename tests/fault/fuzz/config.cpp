// SPDX-License-Identifier: Apache-2.0
// Configuration files and presets: JSON text, checked against descriptions, and single settings as on the command line.
#include <cstdint>
#include <string_view>

#include "core/config/config_schema.hpp"
#include "core/config/json_text.hpp"
#include "core/config/presets.hpp"
#include "core/nn/net_spec.hpp"
#include "core/nn/optimiser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace seedbed;
    static const ConfigSchema schema = [] {
        ConfigSchema made;
        made.addSection("network", "The network.", &NetworkParams::describe().schema());
        made.addVariants("optimiser", "The optimiser.", {{"adam", {&OptimiserParams::describe().schema(), {"a"}}}}, "adam");
        return made;
    }();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto json = parseJsonText(text, "input")) {
        if (const auto complete = schema.complete(*json)) {
            (void)NetworkParams::describe().read(complete->at("network"));
            (void)schema.changed(*complete);
            (void)hashOf(*complete);
        }
        (void)presetFromJson(*json, "input");
    }
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) {
        Json document = Json::object();
        (void)schema.set(document, text.substr(0, equals), text.substr(equals + 1));
    }
    return 0;
}
