// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/form_parts.hpp"

#include <algorithm>
#include <tuple>

#include <QCoreApplication>
#include <QLocale>

#include "ui/models/catalogue.hpp"
#include "ui/models/config_form.hpp"

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

void fitColumns(QTreeView& tree) {
    const int letter = tree.fontMetrics().averageCharWidth();
    for (const auto& [column, least, most] :
         {std::tuple{ConfigForm::kName, 16, 34}, std::tuple{ConfigForm::kValue, 17, 26},
          std::tuple{ConfigForm::kUnit, 6, 19}, std::tuple{ConfigForm::kDefault, 8, 20}}) {
        tree.resizeColumnToContents(column);
        tree.setColumnWidth(column, std::clamp(tree.columnWidth(column), least * letter, most * letter));
    }
}

}  // namespace seedbed::ui
