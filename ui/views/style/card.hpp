// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces that pages put their contents on, and short labels with a meaning. Thread: GUI.
#pragma once

#include <cstdint>

#include <QFrame>
#include <QLabel>

namespace seedbed::ui {

enum class Tone : std::uint8_t { plain, good, warning, bad };

// A rounded surface with an outline. A card with a tone is a message: its colour is that of the tone.
class Card : public QFrame {
    Q_OBJECT

public:
    explicit Card(QWidget* parent = nullptr);
    void setTone(Tone tone);
    // The outline shows that the pointer is on the card.
    void setLively(bool lively) { lively_ = lively; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    Tone tone_ = Tone::plain;
    bool lively_ = false;
};

// Draws a chip; long texts end with "…".
void drawChip(QPainter& painter, const QRect& area, Tone tone, const QString& text);
QSize chipSize(const QString& text);

// A pill with a few words: "training", "Solved in 4 s". Long texts end with "…".
class Chip : public QLabel {
    Q_OBJECT

public:
    explicit Chip(QWidget* parent = nullptr);
    void setTone(Tone tone);
    Tone tone() const { return tone_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Tone tone_ = Tone::plain;
};

}  // namespace seedbed::ui
