// SPDX-License-Identifier: GPL-3.0-or-later
// A label that shows an animation of an environment.
#pragma once

#include <QLabel>

#include "ui/models/packs/env_choice.hpp"

class QMovie;

namespace seedbed::ui {

class EnvPictures;
class Theme;

// Shows the first frame; plays while the pointer is over it, or always after setMoving(true). A missing
// picture is drawn when the pointer enters, or by draw().
class MovingPicture : public QLabel {
    Q_OBJECT

public:
    // The pictures and theme must outlive this label.
    MovingPicture(EnvPictures& pictures, const Theme& theme, QWidget* parent);
    void setChoice(const EnvChoice& choice);
    void draw(bool again = false);
    // Whether to play even if the pointer is elsewhere.
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
