// SPDX-License-Identifier: GPL-3.0-or-later
// Helper functions for the widgets of the form for a new run.
#pragma once

#include <QComboBox>
#include <QString>

namespace seedbed::ui {

class Catalogue;

// Selects the entry with this data; adds one if it is missing.
void selectData(QComboBox& box, const QString& data);
// Lists the devices of the computer and selects `now`.
void listDevices(QComboBox& box, Catalogue& catalogue, const QString& now);

}  // namespace seedbed::ui
