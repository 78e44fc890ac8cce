// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens long names in the middle, since names usually differ at their beginnings and ends.
#pragma once

#include <QLabel>
#include <QString>

namespace seedbed::ui {

// At most `letters` characters, with "…" in the middle of longer strings. letters >= 3.
QString elidedMiddle(const QString& text, qsizetype letters);
// The longest name within a sentence, whose lines break only between words.
inline constexpr qsizetype kSentenceLetters = 40;

// One line of plain text, shortened where it does not fit.
class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent*) override;
};

}  // namespace seedbed::ui
