// SPDX-License-Identifier: GPL-3.0-or-later
// The computer's devices as cards: what they are, whether their results are right, and how fast they are.
#pragma once

#include <QMap>
#include <QWidget>

#include "ui/models/library/device_list.hpp"
#include "ui/views/services.hpp"

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace seedbed::ui {

class DeviceCard;

class DevicesView : public QWidget {
    Q_OBJECT

public:
    DevicesView(const Services& services, QWidget* parent);

    // Queries the devices again.
    void refresh() { devices_->refresh(); }
    DeviceList& devices() { return *devices_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showAll();

    Services services_;
    DeviceList* devices_;
    QLabel *note_ = nullptr, *problem_ = nullptr;
    QScrollArea* area_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    QMap<QString, DeviceCard*> cards_;  // by id and title
};

}  // namespace seedbed::ui
