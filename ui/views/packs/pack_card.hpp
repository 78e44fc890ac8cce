// SPDX-License-Identifier: GPL-3.0-or-later
// A pack on the packs page: contents, licences, state, buttons, progress, and its environments.
#pragma once

#include <QFrame>
#include <QList>

#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QLabel;
class QProgressBar;
class QPushButton;

namespace seedbed::ui {

struct PackInfo;

class PackCard : public Card {
    Q_OBJECT

public:
    // Shows the pack of services.packs with this name.
    PackCard(const Services& services, const PackInfo& pack, QWidget* parent = nullptr);
    // Shows the current state of the pack and its job.
    void refresh();
    // Whether runs can be started.
    void setCanStart(bool can_start);

Q_SIGNALS:
    void watchRequested(const QString& env);

private:
    QWidget* makeHead(const PackInfo& pack);
    QWidget* makeProgress();
    QWidget* makeQuestion();
    QWidget* makeEnvs(const PackInfo& pack);
    QPushButton* makeButton(const char* id, const QString& text, void (PackCard::*clicked)());
    void install();
    void check();
    void askToRemove();
    void showQuestion(const PackInfo& pack);
    void answer(bool is_removed);
    void cancel();
    void showState(const PackInfo& pack);
    void showButtons(const PackInfo& pack);

    Services services_;
    QString name_, title_;
    QLabel *state_ = nullptr, *size_ = nullptr, *step_ = nullptr, *note_ = nullptr, *question_ = nullptr;
    QPushButton *install_ = nullptr, *check_ = nullptr, *remove_ = nullptr, *cancel_ = nullptr,
                *details_ = nullptr;
    QPushButton *confirm_ = nullptr, *keep_ = nullptr;
    QWidget *question_row_ = nullptr, *progress_row_ = nullptr, *env_row_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QList<QPushButton*> envs_;
};

}  // namespace seedbed::ui
