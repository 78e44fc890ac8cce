// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/game_picture.hpp"

#include <QPainter>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

// Smallest channel value of a nearly white pixel. A picture has a white background if the share of such
// pixels exceeds kBackground.
constexpr int kNearlyWhite = 240;
constexpr double kBackground = 0.3;

bool hasWhiteBackground(const QImage& picture) {
    qint64 white = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QRgb pixel = picture.pixel(x, y);
            white +=
                qRed(pixel) >= kNearlyWhite && qGreen(pixel) >= kNearlyWhite && qBlue(pixel) >= kNearlyWhite;
        }
    return static_cast<double>(white) > kBackground * picture.width() * picture.height();
}

}  // namespace

QColor paperColour(const Theme& theme) {
    return theme.isDark() ? mixed(tokens().stage, Qt::white, 0.75) : QColor(Qt::white);
}

QImage tintPaper(QImage picture, const QColor& paper) {
    if (paper == QColor(Qt::white) || !hasWhiteBackground(picture)) return picture;
    picture = std::move(picture).convertToFormat(QImage::Format_RGB32);
    QPainter painter(&picture);
    painter.setCompositionMode(QPainter::CompositionMode_Multiply);
    painter.fillRect(picture.rect(), paper);
    return picture;
}

}  // namespace seedbed::ui
