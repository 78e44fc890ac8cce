// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the form for a new run as rows, grouped on cards.
#pragma once

#include <map>
#include <vector>

#include <QScrollArea>
#include <QTimer>

#include "ui/models/run_id.hpp"
#include "ui/views/start/run_count.hpp"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace seedbed::ui {

class Card;
class ConfigForm;
class ConfigFormFilter;
class SettingRow;
class Theme;

// Shows the settings that the filter accepts, and those that are varied. Thread: GUI. The arguments of the
// constructor must outlive the list.
class SettingList : public QScrollArea {
    Q_OBJECT

public:
    SettingList(ConfigForm& form, const ConfigFormFilter& filter, const Theme& theme, QWidget* parent);
    // The run that the form copies; for rows that are made later.
    void setLike(RunId like) { like_ = like; }
    // The widget before the list in the tab order.
    void setBefore(QWidget* before) { before_ = before; }
    // Varied settings with their values; settings that the form does not have are ignored.
    void setGrid(const QList<GridAxis>& grid);
    // Hides varied settings that the filter rejects, as during a search.
    void setStrict(bool strict);
    // Whether there are more settings than the filter shows; adds a button for them.
    void setHasMore(bool has_more);
    // Commits typed text in all rows; false if some is rejected.
    bool commit();
    // Error messages about typed text; "" if all of it is valid.
    QString problem() const;
    // Scrolls to a setting when it is shown.
    void showSetting(const QString& key);
    // The setting with the focus; "" for none.
    QString focusedKey() const;

Q_SIGNALS:
    // Values of a setting; one value is still varied, none is not.
    void varied(const QString& key, const QStringList& values);
    void problemChanged();
    void moreRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Group {
        Card* card;
        QVBoxLayout* rows;
    };

    void clear();
    void arrange();
    SettingRow* makeRow(const QString& key, int section);
    QStringList valuesOf(const QString& key) const;

    ConfigForm& form_;
    const ConfigFormFilter& filter_;
    const Theme& theme_;
    QVBoxLayout* column_;
    QLabel* none_;
    QPushButton* more_;
    std::vector<Group> groups_;            // in the order of the form's sections
    std::map<QString, SettingRow*> rows_;  // those made so far
    QList<GridAxis> grid_;
    QWidget* before_ = nullptr;
    QString wanted_;  // the setting to scroll to
    RunId like_ = 0;
    bool strict_ = false;
    QTimer arrange_later_;
};

}  // namespace seedbed::ui
