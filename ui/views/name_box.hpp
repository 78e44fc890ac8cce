// SPDX-License-Identifier: GPL-3.0-or-later
// A box for names that can be long: it stays narrow and leaves out their middle, since they differ at the
// end; its list is as wide as they are.
#pragma once

#include <QComboBox>

namespace seedbed::ui {

class NameBox : public QComboBox {
    Q_OBJECT

public:
    // letters: how wide it is when nothing else decides.
    explicit NameBox(int letters, QWidget* parent = nullptr);
    void showPopup() override;

protected:
    void paintEvent(QPaintEvent*) override;
};

}  // namespace seedbed::ui
