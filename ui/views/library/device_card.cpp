// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/library/device_card.hpp"

#include <algorithm>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

QLabel* speedCell(QWidget* parent, const QString& text, TextColour colour, const Theme& theme) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    setTextColour(label, theme, colour);
    return label;
}

}  // namespace

DeviceCard::DeviceCard(const Services& services, DeviceList& devices, QWidget* parent)
    : Card(parent), services_(services), devices_(devices), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(14, 12, 14, 14);
    column_->addWidget(makeHead());
    facts_ = makeText("facts");
    checks_ = makeText("checks");
    presets_ = makeText("presets");
    speed_ = makeText("speed");
    setTextColour(facts_, *services_.theme, TextColour::quiet);
    setTextColour(speed_, *services_.theme, TextColour::quiet);
    stage_ = makeText("stage");
    setTextColour(stage_, *services_.theme, TextColour::quiet);
    progress_ = new QProgressBar(this);
    progress_->setTextVisible(false);
    progress_->setMaximumHeight(10);
    column_->addWidget(progress_);
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("device-note"));
    makeMessage(note_, *services_.theme, TextColour::warning);
    column_->addWidget(note_);
}

QWidget* DeviceCard::makeHead() {
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    title_ = new QLabel(head);
    title_->setTextFormat(Qt::PlainText);
    title_->setWordWrap(true);
    title_->setFont(textFont(TextSize::section, QFont::DemiBold));
    row->addWidget(title_, 1);
    state_ = new Chip(head);
    row->addWidget(state_);
    measure_ = new QPushButton(head);
    measure_->setObjectName(QStringLiteral("device-measure"));
    connect(measure_, &QPushButton::clicked, this, [this] {
        if (devices_.measured() == device_) devices_.cancel();
        else devices_.measure(device_);
    });
    row->addWidget(measure_);
    return head;
}

QLabel* DeviceCard::makeText(const char* id) {
    auto* label = new QLabel(this);
    label->setObjectName(QStringLiteral("device-") + QLatin1String(id));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    column_->addWidget(label);
    return label;
}

void DeviceCard::show(const LibraryDevice& device) {
    device_ = device.id;
    const bool usable = device.problem.isEmpty(), measuring = usable && devices_.measured() == device.id;
    const bool right = std::all_of(device.checks.begin(), device.checks.end(),
                                   [](const LibraryDevice::Check& check) { return check.ok; });
    title_->setText(device.title);
    state_->setText(!usable ? tr("cannot be used") : right ? tr("checked") : tr("wrong results"));
    state_->setTone(!usable ? Tone::warning : right ? Tone::good : Tone::bad);
    QStringList facts = device.facts;
    if (usable) facts.prepend(device.id);
    showMessage(facts_, facts.join(QStringLiteral(" · ")));
    QStringList checks;
    for (const LibraryDevice::Check& check : device.checks)
        checks += tr("Engine %1: %2").arg(check.engine, check.sentence);
    if (!usable) checks = QStringList{plainMessages(device.problem)};
    showMessage(checks_, checks.join(QLatin1Char('\n')));
    QStringList presets;
    if (device.id == QLatin1String("cpu"))
        for (const auto& [title, speed] : devices_.fastestPresets())
            presets +=
                tr("%1 %2", "preset and its decisions per second").arg(title, countText(qRound64(speed)));
    showMessage(presets_,
                presets.isEmpty()
                    ? QString()
                    : tr("Training, in decisions per second: %1").arg(presets.join(QStringLiteral(" · "))));
    showSpeeds(usable ? devices_.measurement(device) : std::nullopt);
    const DeviceList::Stage& stage = devices_.stage();
    showMessage(stage_,
                !measuring ? QString()
                : stage.text.isEmpty()
                    ? tr("Checking the results before measuring…")
                    : tr("Measuring %1 (%2 of %3)…").arg(stage.text).arg(stage.number).arg(stage.count));
    progress_->setVisible(measuring);
    progress_->setRange(0, stage.count);
    progress_->setValue(std::max(0, stage.number - 1));
    progress_->setAccessibleName(tr("Measuring %1").arg(device.title));
    measure_->setVisible(usable);
    measure_->setText(measuring ? tr("Cancel") : tr("Measure"));
    measure_->setAccessibleName(measuring ? tr("Cancel the measurement of %1").arg(device.title)
                                          : tr("Measure the speed of %1").arg(device.title));
    // While a run trains, the button stays enabled and states the reason when it is pressed.
    measure_->setEnabled(measuring || devices_.measured().isEmpty());
    measure_->setToolTip(measuring ? QString() : devices_.refusal());
    showMessage(note_, usable ? devices_.note(device.id) : QString());
}

void DeviceCard::showSpeeds(const std::optional<DeviceMeasurement>& measurement) {
    delete rows_;
    rows_ = nullptr;
    if (!measurement) {
        showMessage(speed_, device_.isEmpty() ? QString() : tr("Not measured yet."));
        return;
    }
    QStringList facts{
        tr("Measured on %1 with Seedbed %2.").arg(timeText(measurement->time), measurement->version)};
    if (measurement->busy)
        facts += tr("Other programs slowed it down: measure again when the computer is idle.");
    if (!measurement->problem.isEmpty()) facts += measurement->problem;
    speed_->setText(facts.join(QLatin1Char(' ')));
    speed_->show();
    rows_ = new QWidget(this);
    auto* grid = new QGridLayout(rows_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(3 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    const auto put = [&](int row, const QStringList& texts, TextColour colour) {
        for (int column = 0; column < texts.size(); ++column)
            grid->addWidget(speedCell(rows_, texts[column], colour, *services_.theme), row, column,
                            column < 2 ? Qt::AlignLeft : Qt::AlignRight);
    };
    put(0, {tr("Network"), tr("Engine"), tr("Decisions/s"), tr("Training, GFLOP/s")}, TextColour::quiet);
    int row = 1;
    for (const DeviceSpeed& speed : measurement->speeds)
        put(row++,
            {speed.net, speed.engine, countText(qRound64(speed.decisions_per_s)),
             speed.train_gflops ? shortNumber(*speed.train_gflops) : QStringLiteral("–")},
            TextColour::plain);
    grid->setColumnStretch(4, 1);
    column_->insertWidget(column_->indexOf(speed_) + 1, rows_);
}

}  // namespace seedbed::ui
