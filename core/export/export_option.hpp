// SPDX-License-Identifier: Apache-2.0
// Descriptions of export options, from which the command line, completion and the window's export page are
// built.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

struct ExportOption {
    enum class Kind {
        choice,  // one of `choices`
        text,
        on_off,  // on by default; `argument` takes no value and turns it off
    };
    struct Choice {
        std::string value, title;
    };

    std::string id;        // profile
    std::string argument;  // command-line argument of `seedbed export`: --profile
    Kind kind = Kind::text;
    std::string title;
    std::string help;               // one sentence without a full stop, for the command's help
    std::string default_value{};    // for choice and text
    std::vector<Choice> choices{};  // for choice
    std::string pattern{};          // for text: a regular expression for the whole value; "" for any
};

// Options that every target has: licence, replay.
const std::vector<ExportOption>& commonExportOptions();
// An option that several targets share.
ExportOption valueEstimateOption();

// {id, argument, kind: "choice" | "text" | "on_off", title, help, default, choices: [{value, title}],
// pattern}; `choices` is present only for a choice, `pattern` only for a text.
Json toJson(const ExportOption& option);

}  // namespace seedbed
