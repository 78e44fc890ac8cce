// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duel/player_choice.hpp"
#include "ui/views/elided_name.hpp"

#include <algorithm>

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/models/run_store.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/models/text/score_text.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/watch_controls.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMarkSize = 12;
constexpr int kPlayerLetters = 16;  // preferred width of both boxes; they grow with the page

}  // namespace

PlayerMark::PlayerMark(const Theme& theme, int side, QWidget* parent)
    : QWidget(parent), theme_(theme), side_(side) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize PlayerMark::sizeHint() const { return {kMarkSize, kMarkSize}; }

void PlayerMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawRounded(painter, rect(), 3, theme_.seriesColour(side_));
}

PlayerChoice::PlayerChoice(const Services& services, int side, QWidget* parent)
    : QWidget(parent),
      services_(services),
      side_(side),
      players_(new NameBox(kPlayerLetters, this)),
      weights_(new NameBox(kPlayerLetters, this)) {
    const QString id = side == 0 ? QStringLiteral("a") : QStringLiteral("b");
    setName(players_, side == 0 ? tr("First player") : tr("Second player"), QStringLiteral("duel-") + id);
    setName(weights_, side == 0 ? tr("Weights of the first player") : tr("Weights of the second player"),
            QStringLiteral("duel-weights-") + id);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    auto* mark = new QVBoxLayout;
    mark->setContentsMargins(0, (kControlHeight - kMarkSize) / 2, 0, 0);
    mark->addWidget(new PlayerMark(*services.theme, side, this), 0, Qt::AlignTop);
    row->addLayout(mark);
    auto* column = new QVBoxLayout;
    column->setSpacing(kGrid / 2);
    for (NameBox* box : {players_, weights_}) {
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        column->addWidget(box);
    }
    row->addLayout(column, 1);
    connect(players_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (filling_ || index < 0) return;
        const QString player = players_->itemData(index).toString();
        choose(player);
        Q_EMIT playerChanged();
    });
    connect(weights_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) Q_EMIT weightsChanged();
    });
    listWeights();
}

void PlayerChoice::setCandidates(const std::vector<DuelCandidate>& candidates) {
    // An open list, and one that stays the same, is not changed.
    if (players_->view()->isVisible() || (candidates == candidates_ && players_->count() > 0)) return;
    candidates_ = candidates;
    filling_ = true;
    players_->clear();
    for (const DuelCandidate& each : candidates_) players_->addItem(each.text, each.player);
    filling_ = false;
    selectChosen();
}

// A player that is not listed is added.
void PlayerChoice::selectChosen() {
    filling_ = true;
    for (int i = players_->count() - 1; i >= 0; --i) {
        const QString player = players_->itemData(i).toString();
        const bool listed = std::any_of(candidates_.begin(), candidates_.end(),
                                        [&](const DuelCandidate& each) { return each.player == player; });
        if (!listed && player != chosen_.player) players_->removeItem(i);
    }
    if (!chosen_.player.isEmpty() && players_->findData(chosen_.player) < 0) {
        players_->insertItem(0, chosen_.text.isEmpty() ? runName() : chosen_.text, chosen_.player);
    }
    players_->setCurrentIndex(players_->findData(chosen_.player));
    filling_ = false;
}

void PlayerChoice::choose(const QString& player) {
    const DuelPlayerId id = splitPlayer(player);
    const auto found = std::find_if(candidates_.begin(), candidates_.end(),
                                    [&](const DuelCandidate& each) { return each.player == id.base; });
    DuelCandidate candidate{.player = id.base, .text = {}, .env = {}, .run = id.base.toLongLong()};
    if (found != candidates_.end()) candidate = *found;
    else if (const RunRecord* run = services_.runs->find(candidate.run))
        candidate.env = QString::fromStdString(run->env);
    show(candidate, id.version);
}

void PlayerChoice::show(const DuelCandidate& candidate, const QString& version) {
    chosen_ = candidate;
    wanted_version_ = version;
    checkpoints_.clear();
    knows_weights_ = false;
    filling_ = true;
    weights_->clear();
    filling_ = false;
    selectChosen();
    listWeights();
    readWeights();
}

void PlayerChoice::refresh() {
    const RunRecord* run = services_.runs->find(chosen_.run);
    if (run == nullptr || !knows_weights_) return;
    if (checkpoints_.empty() || was_live_ != isLive(run->status)) readWeights();
}

bool PlayerChoice::renew() {
    if (!changes()) return false;
    readWeights();
    return true;
}

void PlayerChoice::readWeights() {
    if (chosen_.run == 0) return;
    const RunRecord* record = services_.runs->find(chosen_.run);
    was_live_ = record != nullptr && isLive(record->status);
    const RunId run = chosen_.run;
    services_.runs->read(
        this, QStringLiteral("duel-checkpoints-%1").arg(side_),
        [run](StoreReader& reader) -> Result<RunDetails> {
            SEEDBED_ASSIGN(RunDetails details, reader.details(run));
            std::vector<CheckpointRecord>& records = details.checkpoints;
            std::erase_if(records, [](const CheckpointRecord& each) { return each.removed; });
            std::reverse(records.begin(), records.end());
            return details;
        },
        [this, run](Result<RunDetails> details) {
            if (run != chosen_.run) return;
            knows_weights_ = true;
            if (details) {
                checkpoints_ = std::move(details->checkpoints);
                starts_untrained_ = details->init_from.empty();
            }
            listWeights();
            Q_EMIT weightsRead();
        });
}

void PlayerChoice::listWeights() {
    const QVariant before = weights_->currentData();
    filling_ = true;
    weights_->clear();
    weights_->setVisible(chosen_.run != 0);
    if (checkpoints_.empty()) weights_->addItem(knows_weights_ ? tr("No weights yet") : tr("Newest weights"));
    QVariant wanted = wanted_version_.isEmpty() ? before : QVariant();
    for (const CheckpointRecord& each : checkpoints_) {
        const bool is_newest = weights_->count() == 0;
        QString text = is_newest ? tr("Newest weights")
                       : each.step == 0 && starts_untrained_
                           ? tr("Step 0, untrained")
                           : tr("Step %1", "of a run").arg(countText(each.step));
        text = checkpointText(text, each, bestEvaluation(services_.runs->find(chosen_.run)));
        weights_->addItem(text, is_newest ? QVariant() : QVariant::fromValue<qint64>(each.step));
        if (each.best && wanted_version_ == QLatin1String("best"))
            wanted = QVariant::fromValue<qint64>(each.step);
    }
    if (const auto step = DuelPlayerId{{}, wanted_version_}.step()) wanted = QVariant::fromValue(*step);
    // Newest weights that were chosen by their step keep it when there are newer ones.
    if (!checkpoints_.empty() && wanted.isValid() && wanted.toLongLong() == checkpoints_.front().step)
        weights_->setItemData(0, wanted);
    // A checkpoint that is not stored any more stays in the list; the player reports it.
    if (wanted.isValid() && weights_->findData(wanted) < 0)
        weights_->addItem(knows_weights_ ? tr("Step %1 (deleted)").arg(countText(wanted.toLongLong()))
                                         : tr("Step %1", "of a run").arg(countText(wanted.toLongLong())),
                          wanted);
    weights_->setCurrentIndex(wanted.isValid() ? weights_->findData(wanted) : 0);
    if (knows_weights_) wanted_version_.clear();
    filling_ = false;
}

// Whether these are the newest weights of a run in progress.
bool PlayerChoice::changes() const {
    const RunRecord* run = services_.runs->find(chosen_.run);
    return run != nullptr && isLive(run->status) && !checkpoints_.empty() &&
           !weights_->currentData().isValid();
}

std::optional<qint64> PlayerChoice::step() const {
    if (const QVariant step = weights_->currentData(); step.isValid() && chosen_.run != 0)
        return step.toLongLong();
    // Both programs have to use the same weights.
    return changes() ? std::optional<qint64>(checkpoints_.front().step) : std::nullopt;
}

QString PlayerChoice::player() const {
    const auto number = step();
    return number ? QStringLiteral("%1:%2").arg(chosen_.player).arg(*number) : chosen();
}

QString PlayerChoice::chosen() const {
    const QVariant step = weights_->currentData();
    const QString version = step.isValid() ? QString::number(step.toLongLong()) : wanted_version_;
    return version.isEmpty() ? chosen_.player : QStringLiteral("%1:%2").arg(chosen_.player, version);
}

QString PlayerChoice::name() const {
    if (isPerson()) return tr("you");
    if (const QString member = leaguePlayerName(chosen_.player); !member.isEmpty()) return member;
    const auto number = step();
    return number ? tr("%1 at step %2").arg(runName(), countText(*number)) : runName();
}

// Without its weights.
QString PlayerChoice::runName() const {
    if (chosen_.run == 0) return isPerson() ? tr("you") : chosen_.player;
    const RunRecord* run = services_.runs->find(chosen_.run);
    return run == nullptr ? tr("run %1").arg(chosen_.run)
                          : elidedMiddle(runTitle(*run).simplified(), kSentenceLetters);
}

}  // namespace seedbed::ui
