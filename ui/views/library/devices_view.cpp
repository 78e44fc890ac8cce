// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/library/devices_view.hpp"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/base/os/paths.hpp"
#include "ui/views/library/device_card.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

std::filesystem::path measurementsFile() {
    const auto folders = userFolders({});
    return folders ? folders->cache / "device_speeds.json" : std::filesystem::path();
}

}  // namespace

DevicesView::DevicesView(const Services& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      devices_(
          new DeviceList(*services.launcher, *services.runs, services.catalogue, measurementsFile(), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("devices-note"));
    makeMessage(note_, *services_.theme, TextColour::quiet);
    layout->addWidget(note_);
    problem_ = new QLabel(this);
    problem_->setObjectName(QStringLiteral("devices-problem"));
    makeMessage(problem_, *services_.theme, TextColour::bad);
    layout->addWidget(problem_);
    area_ = new QScrollArea(this);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setAccessibleName(tr("Devices"));
    area_->setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget;
    column_ = new QVBoxLayout(inside);
    column_->setContentsMargins(0, 0, 6, 0);
    column_->setSpacing(12);
    column_->addStretch(1);
    area_->setWidget(inside);
    layout->addWidget(area_, 1);
    connect(devices_, &DeviceList::changed, this, &DevicesView::showAll);
}

void DevicesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (devices_->devices().isEmpty()) devices_->refresh();
}

void DevicesView::showAll() {
    const bool reading = devices_->devices().isEmpty() && devices_->isRefreshing();
    showMessage(note_, reading
                           ? tr("Checking the devices…")
                           : tr("Choose the device of a run in its settings. A measurement takes about ten "
                                "seconds to a minute and uses the device fully."));
    showMessage(problem_, devices_->problem());
    QMap<QString, DeviceCard*> before = std::exchange(cards_, {});
    int row = 0;
    for (const LibraryDevice& device : devices_->devices()) {
        QString key = device.id + QLatin1Char('\n') + device.title;
        while (cards_.contains(key)) key += QLatin1Char('\n');  // equal devices that cannot be used
        DeviceCard* card = before.take(key);
        if (card == nullptr) {
            card = new DeviceCard(services_, *devices_, area_->widget());
            column_->insertWidget(row, card);
        }
        card->show(device);
        card->QWidget::show();
        cards_[key] = card;
        ++row;
    }
    for (DeviceCard* gone : before) gone->deleteLater();
}

}  // namespace seedbed::ui
