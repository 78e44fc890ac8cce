// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/packs/moving_picture.hpp"

#include <utility>

#include <QImageReader>
#include <QMovie>

#include "ui/models/packs/env_pictures.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

MovingPicture::MovingPicture(EnvPictures& pictures, const Theme& theme, QWidget* parent)
    : QLabel(parent), pictures_(pictures) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setTextColour(this, theme, TextColour::quiet);
    connect(&pictures_, &EnvPictures::changed, this, &MovingPicture::pictureChanged);
}

void MovingPicture::setChoice(const EnvChoice& choice) {
    if (choice == choice_) return;
    choice_ = choice;
    if (choice_.env.isEmpty()) return clear();
    pictureChanged(choice_.key());
}

void MovingPicture::draw(bool again) { pictures_.request(choice_, again); }

void MovingPicture::setMoving(bool always) {
    always_ = always;
    run();
}

void MovingPicture::pictureChanged(const QString& key) {
    if (choice_.env.isEmpty() || key != choice_.key()) return;
    delete std::exchange(movie_, nullptr);
    const QString file = pictures_.file(choice_);
    if (file.isEmpty()) {
        const QString problem = pictures_.problem(choice_);
        setText(pictures_.isDrawing(choice_) ? tr("Drawing the picture…")
                : !problem.isEmpty()         ? tr("The picture cannot be drawn.")
                                             : tr("Move the pointer here to see a picture."));
        setToolTip(problem);
        return;
    }
    setToolTip(tr("Random actions"));
    movie_ = new QMovie(file, {}, this);
    // Only affects frames that are read later.
    movie_->setScaledSize(QImageReader(file).size().scaled(contentsRect().size(), Qt::KeepAspectRatio));
    movie_->jumpToFrame(0);
    setMovie(movie_);
    run();
}

void MovingPicture::run() {
    if (movie_ == nullptr) return;
    const bool runs = always_ || inside_;
    if (runs && movie_->state() == QMovie::NotRunning) movie_->start();
    else if (movie_->state() != QMovie::NotRunning) movie_->setPaused(!runs);
}

void MovingPicture::enterEvent(QEnterEvent* event) {
    QLabel::enterEvent(event);
    inside_ = true;
    if (!choice_.env.isEmpty()) draw();
    run();
}

void MovingPicture::leaveEvent(QEvent* event) {
    QLabel::leaveEvent(event);
    inside_ = false;
    run();
}

void MovingPicture::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (movie_ != nullptr) pictureChanged(choice_.key());
}

}  // namespace seedbed::ui
