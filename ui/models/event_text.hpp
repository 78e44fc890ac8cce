// SPDX-License-Identifier: GPL-3.0-or-later
// What happened to a run, in the language of the window.
#pragma once

#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

// Usual events by their kind and data; of others the text that the run recorded, in English.
QString eventText(const EventRecord& event);
// RunRecord::status_text: a stop on request in that language, errors as the run recorded them.
QString statusDetail(const std::string& status_text);

}  // namespace seedbed::ui
