// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs of the page of leagues: a new league, and new members.
#pragma once

#include <QDialog>
#include <QStringList>

#include "ui/models/league/league_list.hpp"
#include "ui/views/services.hpp"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace seedbed::ui {

class NewLeagueDialog : public QDialog {
    Q_OBJECT
public:
    NewLeagueDialog(const Services& services, const QStringList& taken, QWidget* parent);

    QString name() const;
    QString env() const;
    int opening() const;
    bool samples() const;

private:
    void updateButton();

    QStringList taken_;  // names of leagues
    QLineEdit* name_;
    QComboBox* env_;
    QSpinBox* opening_;
    QCheckBox* samples_;
    QPushButton* create_;
};

// Offers scripted players and runs of the league's environment.
class AddMembersDialog : public QDialog {
    Q_OBJECT
public:
    AddMembersDialog(const Services& services, const LeagueDetails& league, QWidget* parent);

    // As `seedbed league add` takes them.
    QStringList players() const;

private:
    void addRow(const QString& player, const QString& version, const QString& text, bool has_version);
    void updateButton();

    QTableWidget* table_;
    QPushButton* add_;
};

// Asks which run of the league's environment to follow.
class FollowRunDialog : public QDialog {
    Q_OBJECT
public:
    FollowRunDialog(const Services& services, const LeagueDetails& league, QWidget* parent);

    RunId run() const;
    int every() const;

private:
    QComboBox* run_;
    QSpinBox* every_;
};

// Ids of the built-in environments with two seats.
QStringList leagueEnvironments();

}  // namespace seedbed::ui
