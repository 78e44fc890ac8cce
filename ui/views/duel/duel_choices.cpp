// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duel/duel_choices.hpp"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/models/run_store.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/watch/watch_controls.hpp"

namespace seedbed::ui {

DuelChoices::DuelChoices(const Services& services, QAction* swap, QWidget* parent)
    : QWidget(parent), services_(services) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid + 4);
    for (int side = 0; side < 2; ++side) {
        auto* choice = new PlayerChoice(services_, side, this);
        choices_[static_cast<std::size_t>(side)] = choice;
        connect(choice, &PlayerChoice::weightsChanged, this, &DuelChoices::chosen);
        connect(choice, &PlayerChoice::weightsRead, this, [this, side] {
            if (waits_for_weights_) chooseOpponent();
            Q_EMIT updated();
            renewing_[static_cast<std::size_t>(side)] = false;
            callRenewed();
        });
        connect(choice, &PlayerChoice::playerChanged, this, [this] {
            waits_for_weights_ = false;
            renewed_ = {};
            follow();
            list();
            Q_EMIT chosen();
        });
    }
    auto* between = new QVBoxLayout;
    between->setSpacing(kGrid / 2);
    auto* versus = new QLabel(tr("vs", "between two players"), this);
    versus->setFixedHeight(kControlHeight);
    setTextColour(versus, *services_.theme, TextColour::quiet);
    between->addWidget(versus, 0, Qt::AlignHCenter);
    auto* button = makeButton(this, swap);
    button->setObjectName(QStringLiteral("duel-swap-button"));
    between->addWidget(button, 0, Qt::AlignHCenter);
    between->addStretch(1);
    row->addWidget(choices_[0], 1, Qt::AlignTop);
    row->addLayout(between);
    row->addWidget(choices_[1], 1, Qt::AlignTop);
}

void DuelChoices::renew(std::function<void()> then) {
    renewed_ = std::move(then);
    for (std::size_t side = 0; side < 2; ++side) renewing_[side] = choices_[side]->renew();
    callRenewed();
}

void DuelChoices::callRenewed() {
    if (renewing_[0] || renewing_[1]) return;
    if (const auto then = std::exchange(renewed_, {})) then();
}

void DuelChoices::setEnv(const QString& env) {
    if (env == env_) return;
    env_ = env;
    game_ = gameOf(env);
}

// The environment is that of the first player that has one.
void DuelChoices::follow() {
    for (const PlayerChoice* choice : choices_)
        if (!choice->env().isEmpty()) {
            setEnv(choice->env());
            break;
        }
    const QString& other = choices_[1]->env();
    if (choices_[1]->player().isEmpty() || (!other.isEmpty() && other != env_)) chooseOpponent();
}

void DuelChoices::list() {
    const auto candidates = [&] {
        return duelCandidates(*services_.runs->runs(), policies_, leagues_, env_);
    };
    std::vector<DuelCandidate> all = candidates();
    choices_[0]->setCandidates(all);
    if (isEmpty() && !all.empty() && !all.front().env.isEmpty()) {
        choices_[0]->choose(all.front().player);
        follow();
        all = candidates();
        choices_[0]->setCandidates(all);
    }
    // A person plays any environment: the second player then decides which.
    if (!choices_[0]->isPerson())
        std::erase_if(all,
                      [&](const DuelCandidate& each) { return !each.env.isEmpty() && each.env != env_; });
    choices_[1]->setCandidates(all);
    for (PlayerChoice* choice : choices_) choice->refresh();
    Q_EMIT updated();
}

void DuelChoices::setPolicies(const QJsonArray& policies) {
    policies_ = policies;
    list();
}

void DuelChoices::setLeagues(const QJsonArray& leagues) {
    leagues_ = leagues;
    list();
}

void DuelChoices::choose(const QString& a, const QString& b, const QString& env) {
    setEnv(env);
    list();
    if (!a.isEmpty()) choices_[0]->choose(a);
    if (!b.isEmpty()) choices_[1]->choose(b);
    waits_for_weights_ = false;
    for (const PlayerChoice* choice : choices_)
        if (env.isEmpty() && !choice->env().isEmpty()) {
            setEnv(choice->env());
            break;
        }
    if (b.isEmpty()) chooseOpponent();
    list();
}

void DuelChoices::swap() {
    const QString a = player(0), b = player(1);
    waits_for_weights_ = false;
    choices_[0]->choose(b);
    choices_[1]->choose(a);
    list();
    Q_EMIT chosen();
}

// Another run of the environment, or other weights of the same run, or random actions.
void DuelChoices::chooseOpponent() {
    waits_for_weights_ = false;
    const RunId first = choices_[0]->run();
    RunId other = 0;  // the next older run, or else the newest one
    for (const DuelCandidate& each : duelCandidates(*services_.runs->runs(), policies_, leagues_, env_))
        if (each.run != 0 && each.run != first && each.env == env_ &&
            (other == 0 || (other > first && each.run < first)))
            other = each.run;
    if (other != 0) return choices_[1]->choose(QString::number(other));
    waits_for_weights_ = first != 0 && !choices_[0]->knowsWeights();
    if (waits_for_weights_) return;
    const std::vector<CheckpointRecord>& kept = choices_[0]->checkpoints();
    if (kept.size() < 2) return choices_[1]->choose(QStringLiteral("random"));
    const auto best =
        std::find_if(kept.begin() + 1, kept.end(), [](const CheckpointRecord& each) { return each.best; });
    choices_[1]->choose(
        QStringLiteral("%1:%2").arg(first).arg(best == kept.end() ? kept.back().step : best->step));
}

int DuelChoices::person() const { return choices_[0]->isPerson() ? 0 : choices_[1]->isPerson() ? 1 : -1; }

QString DuelChoices::pair() const {
    return QStringLiteral("%1 %2 %3").arg(choices_[0]->chosen(), choices_[1]->chosen(), env_);
}

QString DuelChoices::weights() const {
    QStringList steps;
    for (const PlayerChoice* choice : choices_) {
        const RunRecord* run = services_.runs->find(choice->run());
        if (run != nullptr && isLive(run->status)) return {};
        steps << QString::number(run == nullptr ? 0 : run->progress.steps);
    }
    return steps.join(QLatin1Char(' '));
}

DuelNames DuelChoices::names() const {
    DuelNames names{choices_[0]->name(), choices_[1]->name()};
    for (std::size_t side = 0; side < 2; ++side)
        if (choices_[0]->run() != 0 && choices_[0]->run() == choices_[1]->run() && !choices_[side]->hasStep())
            names[side] = tr("%1 (newest weights)").arg(names[side]);
    return names;
}

QString DuelChoices::obstacle() const {
    for (const PlayerChoice* choice : choices_) {
        if (choice->player().isEmpty()) return tr("Choose two players.");
        if (choice->run() == 0 || !choice->knowsWeights() || !choice->checkpoints().empty()) continue;
        return services_.runs->find(choice->run()) == nullptr
                   ? tr("There is no %1.").arg(choice->name())
                   : tr("No weights of %1 are stored yet. It can play after its first checkpoint.")
                         .arg(choice->name());
    }
    if (choices_[0]->isPerson() && choices_[1]->isPerson()) return tr("Choose a player to play against.");
    const QString a = choices_[0]->env(), b = choices_[1]->env();
    if (a.isEmpty() || b.isEmpty() || a == b) return {};
    return tr("They play different environments: %1 plays %2, and %3 plays %4.")
        .arg(choices_[0]->name(), a, choices_[1]->name(), b);
}

}  // namespace seedbed::ui
