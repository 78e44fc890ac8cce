// SPDX-License-Identifier: GPL-3.0-or-later
// A device of the computer: facts, checks of its engines, its measured speeds, and the button that measures
// them.
#pragma once

#include "ui/models/library/device_list.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace seedbed::ui {

class DeviceCard : public Card {
    Q_OBJECT

public:
    DeviceCard(const Services& services, DeviceList& devices, QWidget* parent);
    // Shows the device with what is measured now.
    void show(const LibraryDevice& device);
    using Card::show;

private:
    QWidget* makeHead();
    QLabel* makeText(const char* id);
    void showSpeeds(const std::optional<DeviceMeasurement>& measurement);

    Services services_;
    DeviceList& devices_;
    QString device_;  // its id
    Chip* state_ = nullptr;
    QLabel *title_ = nullptr, *facts_ = nullptr, *checks_ = nullptr, *presets_ = nullptr, *speed_ = nullptr,
           *stage_ = nullptr, *note_ = nullptr;
    QWidget* rows_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton* measure_ = nullptr;
};

}  // namespace seedbed::ui
