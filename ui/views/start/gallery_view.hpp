// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery of environments: cards in families, which are chosen by chips, and a search over all of them.
// Cards are made when they are first shown.
#pragma once

#include <deque>

#include <QVariantMap>
#include <QWidget>

#include "ui/models/packs/own_environments.hpp"
#include "ui/views/services.hpp"
#include "ui/views/start/families.hpp"
#include "ui/views/start/start_link.hpp"

class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;

namespace seedbed::ui {

class EnvCard;
class FlowGrid;
class HeroCard;
struct EnvInfo;

class GalleryView : public QWidget {
    Q_OBJECT

public:
    GalleryView(const Services& services, QWidget* parent = nullptr);
    void focusSearch();
    void clearSearch();
    // See Page.
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    // arguments: those of `seedbed queue add`. card: for setStarting().
    void trainRequested(const QStringList& arguments, const QString& card);
    void customizeRequested(const NewRunRequest& request);

public Q_SLOTS:
    // Sets whether a run in this card's environment is being queued.
    void setStarting(const QString& card, bool starting);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Entry {
        QString card{}, search_text{}, difficulty{};  // card: for setStarting()
        QStringList families{};
        OwnEnvironment env{};  // of included environments: title and id
        bool is_included = true, is_own = false;
        EnvCard* widget = nullptr;  // nullptr until it is shown first
    };

    QLayout* makeTitleRow();
    int widthOfTitleRow() const;
    void addIncluded();
    void addFamily(const Family& family, const QList<OwnEnvironment>& envs, bool is_own);
    void readFamilies();
    void showChips();
    QString shownFamily() const;
    void makeCard(Entry& entry);
    void filter();
    void showResult(const Entry& entry);
    void loadPictures();
    void reloadPictures();

    Services services_;
    QBoxLayout* title_row_ = nullptr;  // becomes a column in a narrow window
    QLineEdit* search_;
    QComboBox* difficulty_;
    HeroCard* hero_;
    QWidget* chips_;
    QButtonGroup* chip_group_ = nullptr;
    QLabel* none_;
    FlowGrid* grid_;
    std::deque<Entry> entries_;        // own environments, packs, then included ones
    QList<Family> own_and_packs_;      // families of external environments
    QString family_ = kPopularFamily;  // the user's choice; may not exist (yet)
    QString shown_families_;
    QString last_family_;           // the family that was shown last
    QStringList starting_;          // cards whose run is being queued
    qsizetype own_count_ = -1;      // -1: not read yet
    QStringList missing_pictures_;  // included environments whose cards have no picture yet
};

}  // namespace seedbed::ui
