// SPDX-License-Identifier: GPL-3.0-or-later
// When runs pause or slow down for the person at the computer (seedbed rules). Thread: GUI.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include <QString>

#include "ui/models/run_id.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace seedbed::ui {

struct CommandReply;

// The rules of the data folder, one control each.
class NeighbourRow : public QWidget {
    Q_OBJECT

public:
    explicit NeighbourRow(const Services& services, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QComboBox* makeChoice(const QString& name, const char* option);
    void change(const QString& option, const QString& value);
    void sendChange();
    void showRules(const CommandReply& reply);

    Services services_;
    std::deque<std::pair<QString, QString>> changes_;  // options and values that are to be sent
    QComboBox *battery_, *game_;
    QLineEdit* programs_;
    QLabel* problem_;
};

// Names the runs that a rule holds, and why; its button lets them train.
class NeighbourBar : public Card {
    Q_OBJECT

public:
    explicit NeighbourBar(const Services& services, QWidget* parent = nullptr);
    void update();

private:
    void trainAnyway();

    Services services_;
    QLabel* text_;
    QPushButton* button_;
    std::vector<RunId> runs_;
};

}  // namespace seedbed::ui
