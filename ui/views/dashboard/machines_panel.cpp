// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/machines_panel.hpp"

#include <cmath>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

enum MachineColumn : int {
    kGroupColumn,
    kMachineColumn,
    kEnvironmentsColumn,
    kSpeedColumn,
    kFormColumn,
    kLagColumn,
    kAnswerColumn,
    kStateColumn,
    kMachineColumns
};

QString adviceOf(const Services& services, const FleetWatch& watch) {
    const FleetStatus* status = watch.status();
    if (status == nullptr || services.launcher == nullptr) return {};
    return waitingAdvice(*status, services.launcher->shellCommand(addActorsCommand(*status, watch.run())));
}

}  // namespace

MachinesPanel::MachinesPanel(const Services& services, QWidget* parent)
    : QWidget(parent), services_(services) {
    setObjectName(QStringLiteral("machines"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 8, 4, 4);
    column->setSpacing(10);
    summary_ = new QLabel(this);
    summary_->setObjectName(QStringLiteral("machines-summary"));
    summary_->setWordWrap(true);
    column->addWidget(summary_);
    problem_ = new QLabel(this);
    makeMessage(problem_, *services_.theme, TextColour::bad);
    column->addWidget(problem_);

    advice_card_ = new Card(this);
    advice_card_->setTone(Tone::warning);
    auto* row = new QHBoxLayout(advice_card_);
    row->setContentsMargins(16, 8, 12, 8);
    advice_ = new QLabel(advice_card_);
    advice_->setObjectName(QStringLiteral("machines-advice"));
    makeMessage(advice_, *services_.theme, TextColour::warning);
    row->addWidget(advice_, 1);
    copy_ = new QPushButton(tr("Copy command"), advice_card_);
    copy_->setObjectName(QStringLiteral("machines-copy"));
    copy_->setAccessibleName(tr("Copy the command that starts actors"));
    connect(copy_, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(command_);
        if (services_.navigator != nullptr) services_.navigator->showStatus(tr("Copied: %1").arg(command_));
    });
    row->addWidget(copy_, 0, Qt::AlignTop);
    column->addWidget(advice_card_);

    table_ = new QTableWidget(0, kMachineColumns, this);
    table_->setObjectName(QStringLiteral("machines-table"));
    table_->setHorizontalHeaderLabels({tr("Group"), tr("Machine"), tr("Environments"), tr("Steps per second"),
                                       tr("Actions by"), tr("Lag"), tr("Last answer"), tr("State")});
    table_->horizontalHeaderItem(kFormColumn)
        ->setToolTip(
            tr("The learner chooses the actions in a round trip per step, or the actor with a copy of the "
               "parameters (actor.fleet_form)."));
    table_->horizontalHeaderItem(kLagColumn)
        ->setToolTip(tr("Age of the actor's parameters in updates. Steps whose parameters are older than "
                        "learner.max_policy_lag when they are used for learning are left out."));
    table_->setAccessibleName(tr("Actors"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(table_, 1);

    jobs_title_ = new QLabel(tr("Jobs"), this);
    jobs_title_->setFont(textFont(TextSize::body, QFont::DemiBold));
    column->addWidget(jobs_title_);
    jobs_ = new QLabel(this);
    jobs_->setObjectName(QStringLiteral("machines-jobs"));
    makeMessage(jobs_, *services_.theme, TextColour::plain);
    jobs_->setAccessibleName(tr("State of the jobs"));
    column->addWidget(jobs_);
}

void MachinesPanel::show(const FleetWatch& watch, bool is_live) {
    const FleetStatus* status = is_live ? watch.status() : nullptr;
    summary_->setText(!is_live ? tr("The run is not training. Its actors are shown while it trains.")
                      : status == nullptr ? tr("Asking for the actors…")
                                          : fleetSummary(*status));
    showMessage(problem_, is_live ? watch.problem() : QString());
    const QString advice = is_live ? adviceOf(services_, watch) : QString();
    command_ = advice.isEmpty() ? QString()
                                : services_.launcher->shellCommand(addActorsCommand(*status, watch.run()));
    showMessage(advice_, advice);
    advice_card_->setVisible(!advice.isEmpty());
    copy_->setVisible(!advice.isEmpty() && advice.contains(command_));
    showGroups(status == nullptr ? FleetStatus() : *status);
    QStringList jobs;
    if (status != nullptr)
        for (const FleetLaunch& launch : status->launches) jobs << launchText(launch) + QLatin1Char('.');
    showMessage(jobs_, jobs.join(QLatin1Char('\n')));
    jobs_title_->setVisible(!jobs.isEmpty());
}

// Changes the texts only, so that the table keeps its selection and scroll position.
void MachinesPanel::showGroups(const FleetStatus& status) {
    const QString none = QStringLiteral("–");
    table_->setRowCount(static_cast<int>(status.groups.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const FleetGroup& group = status.groups[static_cast<std::size_t>(row)];
        const QStringList texts{QString::number(group.group),
                                group.actor.isEmpty() ? none : machineOf(group),
                                countText(group.environments),
                                group.steps_per_s ? countText(std::llround(*group.steps_per_s)) : none,
                                group.form.isEmpty() ? none : groupFormText(group),
                                group.lag ? countText(*group.lag) : none,
                                group.answer_age_s
                                    ? tr("%1 ago").arg(durationText(static_cast<double>(*group.answer_age_s)))
                                    : none,
                                groupStateText(group)};
        for (int column = 0; column < kMachineColumns; ++column) {
            if (table_->item(row, column) == nullptr) {
                table_->setItem(row, column, new QTableWidgetItem());
                if (column == kGroupColumn || column == kEnvironmentsColumn || column == kSpeedColumn ||
                    column == kLagColumn)
                    table_->item(row, column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            }
            QTableWidgetItem& item = *table_->item(row, column);
            if (item.text() != texts[column]) item.setText(texts[column]);
        }
        table_->item(row, kMachineColumn)->setToolTip(group.actor);
    }
}

MachinesCard::MachinesCard(const Services& services, QWidget* parent) : Card(parent), services_(services) {
    setObjectName(QStringLiteral("machines-card"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 14);
    column->setSpacing(8);
    auto* row = new QHBoxLayout();
    auto* title = new QLabel(tr("Machines"), this);
    title->setFont(textFont(TextSize::body, QFont::DemiBold));
    row->addWidget(title);
    chip_ = new Chip(this);
    chip_->setAccessibleName(tr("State of the actors"));
    row->addWidget(chip_);
    summary_ = new QLabel(this);
    setTextColour(summary_, *services_.theme, TextColour::quiet);
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(summary_, 1);
    auto* details = new QPushButton(tr("Mach&ines"), this);
    details->setObjectName(QStringLiteral("machines-details"));
    details->setAccessibleName(tr("Show the machines"));
    setKind(details, ButtonKind::quiet);
    connect(details, &QPushButton::clicked, this, &MachinesCard::detailsRequested);
    row->addWidget(details);
    column->addLayout(row);
    advice_ = new QLabel(this);
    advice_->setObjectName(QStringLiteral("machines-card-advice"));
    makeMessage(advice_, *services_.theme, TextColour::plain);
    column->addWidget(advice_);
    hide();
}

void MachinesCard::show(const FleetWatch& watch, bool is_live) {
    const FleetStatus* status = is_live ? watch.status() : nullptr;
    setVisible(status != nullptr);
    if (status == nullptr) return;
    const int waiting = status->waiting();
    chip_->setText(waiting > 0 ? tr("%n waiting", "groups without an actor", waiting) : tr("all connected"));
    chip_->setTone(waiting > 0 ? Tone::warning : Tone::good);
    summary_->setText(fleetSummary(*status));
    showMessage(advice_, adviceOf(services_, watch));
}

}  // namespace seedbed::ui
