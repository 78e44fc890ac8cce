// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a duel so far, in words, with the next steps. Thread: GUI.
#pragma once

#include <vector>

#include "ui/views/style/card.hpp"

class QAction;
class QBoxLayout;
class QPushButton;

namespace seedbed::ui {

class Theme;

class DuelVerdict : public Card {
    Q_OBJECT

public:
    // A button for each of these actions is shown while the action is visible. The first visible one is
    // primary after setPrimary(true).
    DuelVerdict(const Theme& theme, const std::vector<QAction*>& next, QWidget* parent);

    void setVerdict(const QString& sentence, const QString& details, Tone tone);
    void setPrimary(bool primary);
    QString sentence() const { return sentence_->text(); }
    QString details() const { return details_->text(); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const Theme& theme_;
    QBoxLayout* row_;
    QLabel *sentence_, *details_;
    QWidget* buttons_;
    std::vector<QAction*> actions_;
    std::vector<QPushButton*> each_;
};

}  // namespace seedbed::ui
