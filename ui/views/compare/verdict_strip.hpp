// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a comparison in a sentence, with its numbers and the next step. Thread: GUI.
#pragma once

#include <array>
#include "ui/models/compare_text.hpp"
#include "ui/views/style/card.hpp"

class QBoxLayout;
class QPushButton;

namespace seedbed::ui {

class Theme;

class VerdictStrip : public Card {
    Q_OBJECT
public:
    explicit VerdictStrip(const Theme& theme, QWidget* parent = nullptr);

    void setVerdict(const ComparisonVerdict& verdict);
    // Shows that the runs cannot be read.
    void showError(const QString& text);
    // Offers a duel of the two settings.
    void setDuel(bool offered);
    std::array<QPushButton*, 3> buttons() { return {queue_, duel_, explain_}; }
    // For tests.
    QString sentence() const { return sentence_->text(); }
    QString details() const { return details_->text(); }

Q_SIGNALS:
    void explainRequested();
    void duelRequested();
    void seedsRequested(const std::vector<seedbed::ui::SeedRequest>& seeds);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void setTexts(const QString& sentence, const QString& whole, const QString& details);
    void arrange();

    const Theme& theme_;
    std::vector<SeedRequest> seeds_;
    QBoxLayout* texts_;
    QLabel *sentence_, *details_;
    QPushButton *queue_, *duel_, *explain_;
};

}  // namespace seedbed::ui
