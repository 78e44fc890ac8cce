// SPDX-License-Identifier: GPL-3.0-or-later
// Events of a run in the window's language.
#pragma once

#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

// Translates known kinds of events; returns the recorded English text of others.
QString eventText(const EventRecord& event);
// RunRecord::status_text, translated if the run was stopped on request, or paused or slowed by a rule; errors
// as recorded.
QString statusDetail(const std::string& status_text);

}  // namespace seedbed::ui
