// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions that pause a player: a new one from boxes or as text, and the list of those set.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/models/play/player_client.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace seedbed::ui {

class TraceModel;

class StopWhen : public QWidget {
    Q_OBJECT

public:
    // Both must outlive this widget.
    StopWhen(PlayerClient& client, const TraceModel& trace, QWidget* parent = nullptr);

    // The terms of the player's environment; the thresholds follow the present values.
    void fill();

Q_SIGNALS:
    // The player has accepted a condition.
    void added(const QString& when);

private:
    QComboBox* makeBox(const QString& name, const char* id);
    void showOperators();
    void writeText();
    void add();
    void list();
    void fitPanel();
    double lowValue(float present) const;
    QString presentValue(const QString& term) const;

    PlayerClient& client_;
    const TraceModel& trace_;
    QComboBox *term_ = nullptr, *operator_ = nullptr, *choice_ = nullptr;
    QLineEdit *number_ = nullptr, *text_ = nullptr;
    QPushButton* add_ = nullptr;
    QLabel* problem_ = nullptr;
    QVBoxLayout* conditions_ = nullptr;
    std::vector<PlayerStatus::Break> listed_;
    bool waits_ = false;  // for the reply to a new condition
};

}  // namespace seedbed::ui
