// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/stop_when.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/charts/trace_model.hpp"
#include "ui/models/play/player_client.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kMaxElements = 64;  // of an observation; larger ones are pictures

// A number as conditions have it, in every language.
QString plainNumber(double value) { return QString::number(value, 'g', 4); }

}  // namespace

StopWhen::StopWhen(PlayerClient& client, const TraceModel& trace, QWidget* parent)
    : QWidget(parent), client_(client), trace_(trace) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* effect =
        new QLabel(tr("The game in focus pauses before the agent acts, at the first step where:"), this);
    effect->setWordWrap(true);
    layout->addWidget(effect);
    auto* line = new QHBoxLayout;
    term_ = makeBox(tr("What stops the game"), "stop-term");
    operator_ = makeBox(tr("Comparison"), "stop-operator");
    choice_ = makeBox(tr("Action"), "stop-choice");
    number_ = new QLineEdit(this);
    number_->setObjectName(QStringLiteral("stop-number"));
    number_->setAccessibleName(tr("Number"));
    for (QWidget* each : {static_cast<QWidget*>(term_), static_cast<QWidget*>(operator_),
                          static_cast<QWidget*>(choice_), static_cast<QWidget*>(number_)})
        line->addWidget(each, each == term_ || each == choice_ ? 2 : 1);
    layout->addLayout(line);
    auto* last = new QHBoxLayout;
    text_ = new QLineEdit(this);
    text_->setObjectName(QStringLiteral("stop-text"));
    text_->setAccessibleName(tr("Condition, for example value < 0.2 and step > 10"));
    text_->setPlaceholderText(tr("for example %1").arg(QStringLiteral("value < 0.2 and step > 10")));
    add_ = new QPushButton(tr("Add"), this);
    add_->setObjectName(QStringLiteral("stop-add"));
    add_->setAccessibleName(tr("Add the condition"));
    last->addWidget(text_, 1);
    last->addWidget(add_);
    layout->addLayout(last);
    problem_ = new QLabel(this);
    problem_->setObjectName(QStringLiteral("stop-problem"));
    problem_->setWordWrap(true);
    problem_->hide();
    layout->addWidget(problem_);
    conditions_ = new QVBoxLayout;
    layout->addLayout(conditions_);
    connect(term_, &QComboBox::currentIndexChanged, this, &StopWhen::showOperators);
    connect(operator_, &QComboBox::currentIndexChanged, this, &StopWhen::writeText);
    connect(choice_, &QComboBox::currentIndexChanged, this, &StopWhen::writeText);
    connect(number_, &QLineEdit::textChanged, this, &StopWhen::writeText);
    connect(text_, &QLineEdit::returnPressed, this, &StopWhen::add);
    connect(add_, &QPushButton::clicked, this, &StopWhen::add);
    connect(&client_, &PlayerClient::statusChanged, this, &StopWhen::list);
    connect(&client_, &PlayerClient::stateChanged, this, [this] { waits_ = false; });
    connect(&client_, &PlayerClient::message, this, [this](const QString& text) {
        if (!std::exchange(waits_, false)) return;
        problem_->setText(text);
        problem_->show();
        fitPanel();
    });
}

QComboBox* StopWhen::makeBox(const QString& name, const char* id) {
    auto* box = new QComboBox(this);
    box->setAccessibleName(name);
    box->setObjectName(QLatin1String(id));
    box->setMinimumContentsLength(4);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
}

void StopWhen::fill() {
    {
        const QSignalBlocker blocked(term_);
        term_->clear();
        const PlayerAbout& about = client_.about();
        const bool has_policy = about.has_policy;
        term_->addItem(tr("The game ends"), QStringLiteral("end"));
        if (has_policy) term_->addItem(tr("Value"), QStringLiteral("value"));
        if (has_policy) term_->addItem(tr("Entropy"), QStringLiteral("entropy"));
        term_->addItem(tr("Reward"), QStringLiteral("reward"));
        term_->addItem(tr("Return"), QStringLiteral("return"));
        term_->addItem(tr("Step"), QStringLiteral("step"));
        term_->addItem(tr("Episode"), QStringLiteral("episode"));
        if (about.actions.size() == 1 && about.actions[0].kind == ActionLeaf::Kind::discrete)
            term_->addItem(tr("Action"), QStringLiteral("action"));
        for (const ObsLeaf& leaf : about.observations) {
            if (leaf.elements() > kMaxElements) continue;
            const QString name = QString::fromStdString(leaf.name);
            for (std::size_t i = 0; i < leaf.elements(); ++i)
                term_->addItem(leaf.labels.size() == leaf.elements()
                                   ? QString::fromStdString(leaf.labels[i])
                                   : QStringLiteral("%1 %2").arg(name).arg(i),
                               QStringLiteral("obs.%1[%2]").arg(name).arg(i));
        }
    }
    problem_->hide();
    showOperators();
    list();
}

// The value below which a tenth of the latest ones are: a present one would stop most games.
double StopWhen::lowValue(float present) const {
    std::vector<float> values;
    for (const PlayerRecord& record : trace_.records())
        if (std::isfinite(record.value)) values.push_back(record.value);
    if (values.empty()) return static_cast<double>(present);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 10);
    std::nth_element(values.begin(), at, values.end());
    return static_cast<double>(*at);
}

// Of the focused agent; "0" if unknown.
QString StopWhen::presentValue(const QString& term) const {
    const auto& frame = trace_.frame();
    if (!frame) return QStringLiteral("0");
    const PlayerRecord& now = frame->cells[static_cast<std::size_t>(frame->focus)].nowOf(frame->focus_agent);
    double value = 0;
    if (term == QLatin1String("value")) value = lowValue(now.value);
    if (term == QLatin1String("entropy")) value = static_cast<double>(now.entropy);
    if (term == QLatin1String("return")) value = now.return_so_far;
    if (term == QLatin1String("step")) value = now.step;
    if (term == QLatin1String("episode")) value = now.episode + 1;
    return locale().toString(std::isfinite(value) ? value : 0, 'g', 4);
}

void StopWhen::showOperators() {
    const QString term = term_->currentData().toString();
    const bool is_action = term == QLatin1String("action"), compares = term != QLatin1String("end");
    {
        const QSignalBlocker one(operator_), two(choice_), three(number_);
        operator_->clear();
        if (is_action) {
            operator_->addItem(tr("is"), QStringLiteral("=="));
            operator_->addItem(tr("is not"), QStringLiteral("!="));
        } else {
            operator_->addItem(tr("below"), QStringLiteral("<"));
            operator_->addItem(tr("above"), QStringLiteral(">"));
            operator_->addItem(tr("equal to"), QStringLiteral("=="));
            if (term == QLatin1String("step") || term == QLatin1String("episode"))
                operator_->setCurrentIndex(2);
        }
        choice_->clear();
        if (is_action && !trace_.names().empty())
            for (const QString& name : trace_.names()[0].names) choice_->addItem(name, choice_->count());
        number_->setText(presentValue(term));
    }
    operator_->setVisible(compares);
    choice_->setVisible(is_action);
    number_->setVisible(compares && !is_action);
    writeText();
}

void StopWhen::writeText() {
    const QString term = term_->currentData().toString();
    if (term.isEmpty()) return;
    if (term == QLatin1String("end")) return text_->setText(term);
    // Conditions have numbers of choices and decimal points in every language.
    bool is_number = false;
    const double number = locale().toDouble(number_->text().trimmed(), &is_number);
    const QString value = term == QLatin1String("action") ? choice_->currentData().toString()
                          : is_number                     ? plainNumber(number)
                                                          : number_->text().trimmed();
    text_->setText(QStringLiteral("%1 %2 %3").arg(term, operator_->currentData().toString(), value));
}

void StopWhen::add() {
    const QString when = text_->text().trimmed();
    if (when.isEmpty()) return;
    problem_->hide();
    waits_ = true;
    client_.ask(QStringLiteral("break"), {{QStringLiteral("when"), when}}, [this, when](const QJsonObject&) {
        waits_ = false;
        Q_EMIT added(when);
    });
}

void StopWhen::list() {
    if (listed_ == client_.status().breaks) return;
    listed_ = client_.status().breaks;
    problem_->hide();
    while (QLayoutItem* item = conditions_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const PlayerStatus::Break& each : client_.status().breaks) {
        auto* line = new QWidget(this);
        auto* layout = new QHBoxLayout(line);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* text = new QLabel(each.when, line);
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
        auto* remove = new QPushButton(tr("Remove"), line);
        remove->setObjectName(QStringLiteral("stop-remove-%1").arg(each.id));
        remove->setAccessibleName(tr("Remove the condition %1").arg(each.when));
        connect(remove, &QPushButton::clicked, this, [this, id = each.id] {
            client_.ask(QStringLiteral("break"), {{QStringLiteral("clear"), id}});
        });
        layout->addWidget(text, 1);
        layout->addWidget(remove);
        conditions_->addWidget(line);
    }
    fitPanel();
}

// The panel around it grows and shrinks with its contents.
void StopWhen::fitPanel() {
    QTimer::singleShot(0, this, [this] {
        if (isVisible()) window()->adjustSize();
    });
}

}  // namespace seedbed::ui
