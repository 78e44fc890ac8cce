// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/play/duel_players.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed::ui {
namespace {

constexpr double kMaxLead = 0.25;  // seconds of the game by which one player may be ahead

QJsonObject field(const char* name, const QJsonValue& value) { return {{QLatin1String(name), value}}; }

}  // namespace

DuelPlayers::DuelPlayers(const QString& program, const QString& data_folder, QObject* parent)
    : QObject(parent) {
    for (Side& side : sides_) {
        side.client = new PlayerClient(program, data_folder, this);
        connect(side.client, &PlayerClient::stateChanged, this, [this, &side] { takeState(side); });
        connect(side.client, &PlayerClient::frameChanged, this, [this, &side] { takeFrame(side); });
    }
}

void DuelPlayers::open(const std::vector<PlayerSource>& sources) {
    close();
    count_ = static_cast<int>(sources.size());
    speed_ = sources.front().speed;
    for (std::size_t i = 0; i < sources.size(); ++i) sides_[i].client->open(sources[i]);
}

void DuelPlayers::close() {
    count_ = 0;
    begun_ = false;
    paused_ = true;
    row_ = reached_ = 0;
    stop_.reset();
    for (Side& side : sides_) {
        side = {.client = side.client, .frame = {}, .end = {}};
        side.client->close();
    }
}

bool DuelPlayers::isReady() const {
    return all([](const Side& side) { return side.frame != nullptr; });
}

bool DuelPlayers::hasEnded() const {
    return all([](const Side& side) { return side.isAtEnd(); });
}

std::shared_ptr<const PlayerFrame> DuelPlayers::frame(int side) const {
    return side < count_ ? sides_[static_cast<std::size_t>(side)].frame : nullptr;
}

// A player begins to play when it is connected, so its game is restarted.
void DuelPlayers::takeState(Side& side) {
    if (side.client->state() == PlayerClient::State::playing && side.frame == nullptr) {
        side.client->ask(QStringLiteral("pause"));
        side.client->ask(QStringLiteral("restart"));
    }
    if (side.client->state() == PlayerClient::State::ended) pause();
    if (count_ > 0) Q_EMIT stateChanged();
}

void DuelPlayers::begin(std::optional<qint64> stop, bool plays) {
    begun_ = true;
    stop_ = stop;
    forEach([&](Side& side) {
        if (stop_)
            side.client->ask(QStringLiteral("break"),
                             field("when", QStringLiteral("step == %1 and episode == 0").arg(*stop_)));
        side.client->ask(QStringLiteral("break"), field("when", QStringLiteral("episode >= 1")));
    });
    if (plays && stop_ != 0) play();
    else Q_EMIT stateChanged();
}

void DuelPlayers::play() {
    if (!begun_ || hasEnded()) return;
    paused_ = false;
    forEach([&](Side& side) {
        side.held = false;
        side.resumed_at = row_;
        if (!side.isAtEnd() || row_ < *side.end) side.client->ask(QStringLiteral("resume"));
    });
    Q_EMIT stateChanged();
}

void DuelPlayers::pause() {
    if (!begun_ || paused_) return;
    // Earlier rows are stored, so both players can return to the row of the slower one.
    qint64 row = -1;
    forEach([&](const Side& side) {
        if (!side.isAtEnd() && (row < 0 || side.row() < row)) row = side.row();
    });
    moveTo(row < 0 ? reached_ : row);
}

void DuelPlayers::step(int by) {
    if (!begun_) return;
    if (!paused_) pause();
    moveTo(std::max<qint64>(0, row_ + by));
}

void DuelPlayers::moveTo(qint64 row) {
    const bool was_paused = std::exchange(paused_, true);
    if (all([](const Side& side) { return side.end.has_value(); })) {
        qint64 last = 0;
        forEach([&](const Side& side) { last = std::max(last, *side.end); });
        row = std::min(row, last);
    }
    row_ = row;
    forEach([&](Side& side) {
        side.held = false;
        if (!was_paused) side.client->ask(QStringLiteral("pause"));
        side.client->ask(QStringLiteral("seek"), field("row", std::min(row, side.end.value_or(row))));
    });
    Q_EMIT stateChanged();
}

void DuelPlayers::restart() {
    if (!begun_) return;
    row_ = reached_ = 0;
    forEach([](Side& side) {
        side.client->ask(QStringLiteral("pause"));
        side.client->ask(QStringLiteral("restart"));
        ++side.generation;
        side.end.reset();
        side.frame.reset();
    });
    paused_ = true;
    if (stop_ != 0) play();
}

void DuelPlayers::setSpeed(double speed) {
    speed_ = speed;
    forEach([&](Side& side) { side.client->ask(QStringLiteral("speed"), field("times", speed)); });
}

void DuelPlayers::takeFrame(Side& side) {
    const auto& frame = side.client->frame();
    if (!frame || frame->generation < side.generation) return;
    const PlayerCell& cell = frame->cells.front();
    const auto row = static_cast<qint64>(frame->row);
    // The last state of a terminated episode is in the first row of the next one, that of a truncated
    // episode in its own row.
    // A person's game continues, so that the first frame after its end can be a later row.
    if (cell.episodes > 0 && !side.end)
        side.end = row - cell.now.step - (cell.last_end == EpisodeMark::terminated ? 0 : 1);
    if (side.end && row > *side.end) {
        side.client->ask(QStringLiteral("pause"));
        side.client->ask(QStringLiteral("seek"), field("row", *side.end));
        return;
    }
    const bool was_ready = isReady();
    side.frame = frame;
    reached_ = std::max(reached_, row);
    if (!was_ready && isReady()) Q_EMIT stateChanged();
    if (!paused_) {
        keepTogether();
        takeStop();
    }
    Q_EMIT moved();
}

// Conditions paused all players.
void DuelPlayers::takeStop() {
    const auto stopped = [this](const Side& side) {
        return side.isAtEnd() || (side.frame && side.frame->paused && (!side.held || isAtStop(side)) &&
                                  side.row() > side.resumed_at);
    };
    if (!all(stopped)) return;
    qint64 row = 0;
    forEach([&](const Side& side) { row = std::max(row, side.row()); });
    moveTo(row);
}

// The player that is ahead waits for the other one.
void DuelPlayers::keepTogether() {
    if (count_ != 2) return;
    for (std::size_t i = 0; i < 2; ++i) {
        Side &ahead = sides_[i], &behind = sides_[1 - i];
        if (!ahead.frame || !behind.frame) return;
        const double rate = ahead.client->about().rate * speed_;
        const auto lead = static_cast<double>(ahead.row() - behind.row());
        if (!ahead.held && !ahead.frame->paused && !behind.isAtEnd() &&
            lead > std::max(2.0, rate * kMaxLead)) {
            ahead.held = true;
            ahead.client->ask(QStringLiteral("pause"));
        } else if (ahead.held && !isAtStop(ahead) && ahead.frame->paused && (lead <= 0 || behind.isAtEnd())) {
            ahead.held = false;
            ahead.resumed_at = ahead.row();
            ahead.client->ask(QStringLiteral("resume"));
        }
    }
}

}  // namespace seedbed::ui
