// SPDX-License-Identifier: GPL-3.0-or-later
// A label that shows an environment on a dark stage, moving while it plays.
#pragma once

#include <QLabel>
#include <QPixmap>

#include "ui/models/packs/env_choice.hpp"

class QMovie;

namespace seedbed::ui {

class EnvPictures;
class Theme;

// Shows the first frame of an animation, or a still picture; plays while the pointer is over it, or always
// after setMoving(true). A missing animation is drawn when the pointer enters, or by draw().
class MovingPicture : public QLabel {
    Q_OBJECT

public:
    // The pictures and theme must outlive this label. pictures: nullptr for no animations.
    MovingPicture(EnvPictures* pictures, const Theme& theme, QWidget* parent);
    void setChoice(const EnvChoice& choice);
    // A picture for the times without animation. It replaces the messages about drawing.
    void setStill(const QPixmap& still);
    // Whether the stage has rounded corners only at the top, for the upper part of a card.
    void setOnCard(bool on_card) { on_card_ = on_card; }
    void draw(bool again = false);
    // Whether to play even if the pointer is elsewhere.
    void setMoving(bool always);
    // Plays or stops as if the pointer entered or left, for a larger widget around the picture.
    void setPointed(bool pointed);

    QSize minimumSizeHint() const override { return {1, 1}; }

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void pictureChanged(const QString& key);
    void run();
    bool plays() const { return always_ || pointed_; }

    EnvPictures* pictures_;
    const Theme& theme_;
    EnvChoice choice_;
    QPixmap still_;
    QMovie* movie_ = nullptr;
    bool always_ = false, pointed_ = false, on_card_ = false;
};

}  // namespace seedbed::ui
