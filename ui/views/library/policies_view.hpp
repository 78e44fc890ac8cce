// SPDX-License-Identifier: GPL-3.0-or-later
// The list of everything that can play, with what can be done with the selected policy.
#pragma once

#include <functional>

#include <QTimer>
#include <QWidget>

#include "ui/models/library/policy_list.hpp"
#include "ui/views/services.hpp"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;

namespace seedbed::ui {

class Card;

class PoliciesView : public QWidget {
    Q_OBJECT

public:
    // The actions of the page; this view shows them as buttons and enables them.
    struct Actions {
        QAction *watch, *duel, *export_it, *train, *copy, *rename, *remove, *import_file, *import_folder,
            *start;
    };

    explicit PoliciesView(const Services& services, QWidget* parent);
    void setActions(const Actions& actions);

    // Reads all policies again.
    void refresh();
    void focusFilter();
    QString filterText() const;
    void setFilterText(const QString& text);
    int order() const;
    void setOrder(int order);
    // As on the command line; "" for none.
    QString selected() const;
    void select(const QString& player) { wanted_ = player; }

    void watch();
    void duel();
    void exportIt();
    void trainFrom();
    void copyCommand();
    // A dialog for the name of an imported policy.
    void askForName();
    void rename(const QString& before, const QString& name);
    // Asks in a bar above the list.
    void askToRemove();
    void import(bool folder);
    // The same with a file or folder that was chosen.
    void importFrom(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTop();
    QWidget* makeQuestion();
    const LibraryPolicy* current() const;
    void readRuns();
    void readImported();
    void setContents(const std::function<void()>& change);
    void remove();
    void startWith(const LibraryPolicy& policy, std::vector<std::pair<QString, QString>> settings);
    void update();

    Services services_;
    PolicyList* list_;
    Actions actions_{};
    QTimer pause_;  // between two reads while runs train
    bool is_old_ = false;
    BestCheckpoints checkpoints_;
    QString wanted_;     // to select, once it is listed
    QString to_remove_;  // the policy that the question is about
    QLineEdit* filter_ = nullptr;
    QComboBox* order_ = nullptr;
    QPushButton* import_ = nullptr;
    QLabel *problem_ = nullptr, *question_ = nullptr, *detail_ = nullptr, *empty_ = nullptr;
    Card* question_bar_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QListView* view_ = nullptr;
    QWidget* verbs_ = nullptr;
};

}  // namespace seedbed::ui
