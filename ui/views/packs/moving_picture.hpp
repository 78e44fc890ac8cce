// SPDX-License-Identifier: GPL-3.0-or-later
// A label with the moving picture of an environment.
#pragma once

#include <QLabel>

#include "ui/models/packs/env_choice.hpp"

class QMovie;

namespace seedbed::ui {

class EnvPictures;
class Theme;

// Shows the first frame, and moves while the pointer is on it or setMoving(true) was called. A picture that
// does not exist is drawn when the pointer enters, or by draw().
class MovingPicture : public QLabel {
    Q_OBJECT

public:
    // The pictures and theme must outlive this label.
    MovingPicture(EnvPictures& pictures, const Theme& theme, QWidget* parent);
    void setChoice(const EnvChoice& choice);
    void draw(bool again = false);
    // Whether it moves without the pointer.
    void setMoving(bool always);

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void pictureChanged(const QString& key);
    void run();

    EnvPictures& pictures_;
    EnvChoice choice_;
    QMovie* movie_ = nullptr;
    bool always_ = false, inside_ = false;
};

}  // namespace seedbed::ui
