// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery of environments: each has a card with a picture, a description, the expected training time, a
// reference score and a button to train. The user's own environments and those of installed packs come first.
#pragma once

#include <QPointer>
#include <QVariantMap>
#include <QWidget>

#include "ui/models/packs/own_environments.hpp"
#include "ui/views/services.hpp"
#include "ui/views/start/flow_grid.hpp"
#include "ui/views/start/start_link.hpp"

class QComboBox;
class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;

namespace seedbed::ui {

struct EnvInfo;
struct PresetInfo;
class GalleryView : public QWidget {
    Q_OBJECT

public:
    GalleryView(const Services& services, QWidget* parent = nullptr);
    void focusSearch();
    // See Page.
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    // arguments: those of `seedbed queue add`. card: for setStarting().
    void trainRequested(const QStringList& arguments, const QString& card);
    void customizeRequested(const NewRunRequest& request);

public Q_SLOTS:
    // Sets whether a run in this card's environment is being queued.
    void setStarting(const QString& card, bool starting);

private:
    struct Card {
        QString id, search_text, difficulty;
        QFrame* frame = nullptr;
        QLabel* time = nullptr;
        QPushButton* train = nullptr;
        QLabel* picture = nullptr;
    };
    // Environments in worker processes under a common heading.
    struct Family {
        QString title{};
        bool is_own = false;
        QList<OwnEnvironment> envs{};
    };

    Card makeCard(const EnvInfo& env);
    Card makeCard(const OwnEnvironment& env, bool is_own);
    QLayout* makeButtons(const EnvInfo& env, bool has_preset, Card& card);
    QLayout* makeButtons(const OwnEnvironment& env, bool has_preset, bool is_own, Card& card);
    QStringList scoresOf(const PresetInfo* preset) const;
    static QFrame* makeFrame(const QString& id);
    QList<Family> families() const;
    void showFamilies();
    void showCards();
    void filter();
    void showEstimates();
    void loadPictures();

    Services services_;
    QLineEdit* search_;
    QComboBox* difficulty_;
    QLabel* none_;
    FlowGrid* grid_;
    QList<Card> cards_;  // cards of this program's environments
    QList<Card> worker_cards_;
    QList<FlowGrid::Section> worker_sections_;
    QString shown_families_;
    qsizetype next_picture_ = 0;
};

}  // namespace seedbed::ui
