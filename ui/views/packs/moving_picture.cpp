// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/packs/moving_picture.hpp"

#include <utility>

#include <QImageReader>
#include <QMovie>
#include <QPainterPath>

#include "ui/models/packs/env_pictures.hpp"
#include "ui/views/game_picture.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

MovingPicture::MovingPicture(EnvPictures* pictures, const Theme& theme, QWidget* parent)
    : QLabel(parent), pictures_(pictures), theme_(theme) {
    if (pictures_ != nullptr) connect(pictures_, &EnvPictures::changed, this, &MovingPicture::pictureChanged);
}

void MovingPicture::setChoice(const EnvChoice& choice) {
    if (choice == choice_) return;
    choice_ = choice;
    if (choice_.env.isEmpty()) return clear();
    pictureChanged(choice_.key());
}

void MovingPicture::setStill(const QPixmap& still) {
    still_ = still;
    pictureChanged(choice_.key());
    update();
}

void MovingPicture::draw(bool again) {
    if (pictures_ != nullptr && !choice_.env.isEmpty()) pictures_->request(choice_, again);
}

void MovingPicture::setMoving(bool always) {
    always_ = always;
    run();
}

void MovingPicture::setPointed(bool pointed) {
    if (pointed == std::exchange(pointed_, pointed)) return;
    if (pointed) draw();
    if (still_.isNull()) run();
    else pictureChanged(choice_.key());
}

void MovingPicture::pictureChanged(const QString& key) {
    if (pictures_ == nullptr || choice_.env.isEmpty() || key != choice_.key()) return;
    delete std::exchange(movie_, nullptr);
    const bool has_still = !still_.isNull();
    const QString file = has_still && !plays() ? QString() : pictures_->file(choice_);
    if (file.isEmpty()) {
        if (has_still) return clear();
        const QString problem = pictures_->problem(choice_);
        setText(pictures_->isDrawing(choice_) ? tr("Drawing the picture…")
                : !problem.isEmpty()          ? tr("The picture cannot be drawn.")
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
    if (plays() && movie_->state() == QMovie::NotRunning) movie_->start();
    else if (movie_->state() != QMovie::NotRunning) movie_->setPaused(!plays());
}

void MovingPicture::enterEvent(QEnterEvent* event) {
    QLabel::enterEvent(event);
    setPointed(true);
}

void MovingPicture::leaveEvent(QEvent* event) {
    QLabel::leaveEvent(event);
    setPointed(false);
}

void MovingPicture::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (movie_ != nullptr) pictureChanged(choice_.key());
}

void MovingPicture::paintEvent(QPaintEvent*) {
    constexpr qreal kPictureRadius = 4;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    QPainterPath stage;
    const qreal radius = on_card_ ? kCardRadius - 1 : kControlRadius;
    // The lower corners of a stage on a card are below the clipped area.
    stage.addRoundedRect(QRectF(rect()).adjusted(0, 0, 0, on_card_ ? radius : 0), radius, radius);
    painter.fillPath(stage, tokens().stage);
    const bool has_frame = movie_ != nullptr && movie_->currentFrameNumber() >= 0;
    const QPixmap picture =
        has_frame ? QPixmap::fromImage(tintPaper(movie_->currentImage(), paperColour(theme_))) : still_;
    if (picture.isNull()) {
        painter.setPen(stageTokens().muted);
        painter.drawText(contentsRect(), Qt::AlignCenter | Qt::TextWordWrap, text());
        return;
    }
    QRectF place(QPointF(),
                 picture.deviceIndependentSize().scaled(contentsRect().size(), Qt::KeepAspectRatio));
    place.moveCenter(QRectF(contentsRect()).center());
    QPainterPath frame;
    frame.addRoundedRect(place, kPictureRadius, kPictureRadius);
    QBrush brush(picture);
    const qreal zoom = place.width() / picture.width();
    brush.setTransform(QTransform::fromTranslate(place.x(), place.y()).scale(zoom, zoom));
    painter.fillPath(frame, brush);
}

}  // namespace seedbed::ui
