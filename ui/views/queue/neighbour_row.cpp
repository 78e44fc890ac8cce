// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/queue/neighbour_row.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/event_text.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

NeighbourRow::NeighbourRow(const Services& services, QWidget* parent) : QWidget(parent), services_(services) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new FlowLayout;
    battery_ = makeChoice(tr("On battery"), "battery");
    game_ = makeChoice(tr("While a game runs"), "game");
    programs_ = new QLineEdit(this);
    programs_->setObjectName(QStringLiteral("rule-programs"));
    programs_->setAccessibleName(tr("Programs that count as games"));
    programs_->setPlaceholderText(tr("for example %1").arg(QStringLiteral("blender, obs")));
    programs_->setToolTip(
        tr("Names of programs that count as games, separated by commas. The command “seedbed rules” also has "
           "limits for free memory and disk space."));
    programs_->setMinimumWidth(24 * fontMetrics().averageCharWidth());
    connect(programs_, &QLineEdit::editingFinished, this, [this] {
        if (programs_->isModified()) change(QStringLiteral("programs"), programs_->text().trimmed());
    });
    row->addWidget(labelled(tr("On &battery"), battery_, this));
    row->addWidget(labelled(tr("While a &game runs"), game_, this));
    row->addWidget(labelled(tr("Progra&ms that count as games"), programs_, this));
    setFocusProxy(battery_);
    column->addLayout(row);
    problem_ = new QLabel(this);
    problem_->setObjectName(QStringLiteral("rule-problem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    setTextColour(problem_, *services_.theme, TextColour::warning);
    problem_->hide();
    column->addWidget(problem_);
}

QComboBox* NeighbourRow::makeChoice(const QString& name, const char* option) {
    auto* box = new QComboBox(this);
    box->setObjectName(QStringLiteral("rule-") + QLatin1String(option));
    box->setAccessibleName(name);
    box->addItem(tr("keep training"), QStringLiteral("ignore"));
    box->addItem(tr("low priority"), QStringLiteral("low"));
    box->addItem(tr("pause"), QStringLiteral("pause"));
    box->setEnabled(false);  // until the rules have been read
    connect(box, &QComboBox::activated, this,
            [this, box, option] { change(QLatin1String(option), box->currentData().toString()); });
    return box;
}

void NeighbourRow::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    services_.launcher->ask({QStringLiteral("rules")}, this,
                            [this](const CommandReply& reply) { showRules(reply); });
}

void NeighbourRow::change(const QString& option, const QString& value) {
    programs_->setModified(false);
    changes_.emplace_back(option, value);
    if (changes_.size() == 1) sendChange();
}

// One at a time, because each replaces the whole file.
void NeighbourRow::sendChange() {
    const auto& [option, value] = changes_.front();
    services_.launcher->run({QStringLiteral("rules"), QStringLiteral("--") + option, value}, this,
                            [this](const CommandReply& reply) {
                                changes_.pop_front();
                                if (!reply.ok()) services_.navigator->showProblem(reply.error);
                                if (!changes_.empty()) return sendChange();
                                if (reply.ok()) return showRules(reply);
                                services_.launcher->ask(
                                    {QStringLiteral("rules")}, this,
                                    [this](const CommandReply& stored) { showRules(stored); });
                            });
}

void NeighbourRow::showRules(const CommandReply& reply) {
    const QJsonObject rules = reply.json.object();
    for (const auto& [box, key] : {std::pair{battery_, "battery"}, std::pair{game_, "game"}}) {
        box->setCurrentIndex(box->findData(rules[QLatin1String(key)].toString()));
        box->setEnabled(reply.ok());
    }
    if (!programs_->isModified()) programs_->setText(rules[QStringLiteral("programs")].toString());
    programs_->setEnabled(reply.ok());
    QStringList notes{reply.ok() ? plainMessages(reply.messages) : reply.error};
    QStringList missing;
    for (const QJsonValue& name : rules[QStringLiteral("programs_not_found")].toArray())
        missing += name.toString();
    if (!missing.isEmpty())
        notes += tr("Not running and not in PATH, so check the spelling: %1")
                     .arg(missing.join(QStringLiteral(", ")));
    notes.removeAll(QString());
    problem_->setText(notes.join(QLatin1Char('\n')));
    problem_->setVisible(!problem_->text().isEmpty());
}

NeighbourBar::NeighbourBar(const Services& services, QWidget* parent) : Card(parent), services_(services) {
    setObjectName(QStringLiteral("rule-bar"));
    setTone(Tone::warning);
    auto* row = new QHBoxLayout(this);
    text_ = new QLabel(this);
    text_->setObjectName(QStringLiteral("rule-text"));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    row->addWidget(text_, 1);
    button_ = new QPushButton(tr("Train &anyway"), this);
    button_->setObjectName(QStringLiteral("rule-train-anyway"));
    button_->setAccessibleName(tr("Train anyway"));
    button_->setToolTip(tr("Trains until the reason ends; a later one pauses again"));
    connect(button_, &QPushButton::clicked, this, &NeighbourBar::trainAnyway);
    row->addWidget(button_);
    hide();
}

void NeighbourBar::update() {
    runs_.clear();
    QString name, reason;
    for (const RunRecord& run : *services_.runs->runs()) {
        if (run.status != RunStatus::paused || run.status_text.empty()) continue;
        if (runs_.empty()) {
            name = runTitle(run);
            reason = statusDetail(run.status_text);
        }
        runs_.push_back(run.id);
    }
    setVisible(!runs_.empty());
    if (runs_.empty()) return;
    text_->setText(runs_.size() == 1
                       ? tr("%1 is paused: %2. Training continues when that ends.").arg(name, reason)
                       : tr("%n run(s) are paused: %1. Training continues when that ends.", "",
                            static_cast<int>(runs_.size()))
                             .arg(reason));
}

void NeighbourBar::trainAnyway() {
    for (const RunId run : runs_)
        services_.launcher->control(QStringLiteral("resume"), run, this, [this](const CommandReply& reply) {
            if (!reply.ok()) services_.navigator->showProblem(reply.error);
            services_.runs->refresh();
        });
}

}  // namespace seedbed::ui
