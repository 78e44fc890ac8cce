// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/form_parts.hpp"

#include <QCoreApplication>
#include <QLocale>

#include "ui/models/catalogue.hpp"

namespace seedbed::ui {

void selectData(QComboBox& box, const QString& data) {
    if (box.findData(data) < 0) box.addItem(data, data);
    box.setCurrentIndex(box.findData(data));
}

void listDevices(QComboBox& box, Catalogue& catalogue, const QString& now) {
    box.clear();
    for (const DeviceInfo& device : catalogue.devices()) {
        const QString free = device.free_bytes
                                 ? QCoreApplication::translate("seedbed::ui::CustomizeView", " · %1 free")
                                       .arg(QLocale().formattedDataSize(*device.free_bytes, 1))
                                 : QString();
        box.addItem(device.name + free, device.id);
    }
    selectData(box, now);
}

}  // namespace seedbed::ui
