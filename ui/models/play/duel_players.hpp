// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a duel, moved together: the same episode twice, or one game of two players.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "ui/models/play/player_client.hpp"

namespace seedbed::ui {

// Shows the first episode. Rows are its decisions: all players are at the same row, or at their last one,
// up to a quarter of a second apart while they play.
// Thread: GUI. Does not block.
class DuelPlayers : public QObject {
    Q_OBJECT

public:
    DuelPlayers(const QString& program, const QString& data_folder, QObject* parent = nullptr);

    // Starts one or two players, which wait at row 0.
    void open(const std::vector<PlayerSource>& sources);
    void close();
    int count() const { return count_; }
    PlayerClient& client(int side) { return *sides_[static_cast<std::size_t>(side)].client; }
    bool isReady() const;

    // Call when isReady(). Plays until `stop`, if set, and then until the episodes have ended; from the next
    // play() on unless `plays`.
    void begin(std::optional<qint64> stop, bool plays = true);
    void play();
    void pause();
    void step(int by);
    void restart();
    void setSpeed(double speed);

    bool isPaused() const { return paused_; }
    bool hasBegun() const { return begun_; }
    bool hasEnded() const;
    // The largest row that was shown.
    qint64 reached() const { return reached_; }
    // The newest frame of the episode; null before it began.
    std::shared_ptr<const PlayerFrame> frame(int side) const;

Q_SIGNALS:
    // A player started or exited, isReady() or isPaused() changed.
    void stateChanged();
    void moved();

private:
    struct Side {
        PlayerClient* client = nullptr;
        std::uint32_t generation = 2;  // of the game shown; the first one began before the player was paused
        std::shared_ptr<const PlayerFrame> frame;
        std::optional<qint64> end;  // its last row
        qint64 resumed_at = 0;
        bool held = false;  // waits for the other player
        qint64 row() const { return frame ? static_cast<qint64>(frame->row) : 0; }
        bool isAtEnd() const { return end && row() >= *end; }
    };

    // Where a condition pauses it, once.
    bool isAtStop(const Side& side) const { return stop_ && side.row() == *stop_; }
    void takeState(Side& side);
    void takeFrame(Side& side);
    void takeStop();
    void keepTogether();
    void moveTo(qint64 row);
    template <class What>
    void forEach(const What& what) {
        for (int i = 0; i < count_; ++i) what(sides_[static_cast<std::size_t>(i)]);
    }
    template <class What>
    bool all(const What& what) const {
        for (int i = 0; i < count_; ++i)
            if (!what(sides_[static_cast<std::size_t>(i)])) return false;
        return count_ > 0;
    }

    std::array<Side, 2> sides_;
    int count_ = 0;
    bool begun_ = false, paused_ = true;
    qint64 row_ = 0;  // where paused players are
    qint64 reached_ = 0;
    std::optional<qint64> stop_;
    double speed_ = 1;
};

}  // namespace seedbed::ui
