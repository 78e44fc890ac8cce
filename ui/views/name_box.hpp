// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box for long names: it elides them in the middle, and its list is as wide as the names.
#pragma once

#include <QComboBox>

namespace seedbed::ui {

class NameBox : public QComboBox {
    Q_OBJECT

public:
    // letters: preferred width in characters.
    explicit NameBox(int letters, QWidget* parent = nullptr);
    void showPopup() override;

protected:
    void paintEvent(QPaintEvent*) override;
};

}  // namespace seedbed::ui
