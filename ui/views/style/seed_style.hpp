// SPDX-License-Identifier: GPL-3.0-or-later
// The look of all controls: draws over Fusion with the colours of tokens(). Thread: GUI.
#pragma once

#include <cstdint>

#include <QProxyStyle>

class QAbstractButton;

namespace seedbed::ui {

enum class ButtonKind : std::uint8_t {
    plain,    // outlined
    primary,  // filled with the accent: the next step, at most one per page
    quiet,    // no outline until the pointer is on it
    chip,     // a pill; filled while it is checked
};
void setKind(QAbstractButton* button, ButtonKind kind);

class SeedStyle : public QProxyStyle {
public:
    SeedStyle();

    void polish(QWidget* widget) override;
    void polish(QApplication* application) override;
    void unpolish(QApplication* application) override;
    using QProxyStyle::polish;
    using QProxyStyle::unpolish;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget = nullptr) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                    const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                  QStyleHintReturn* result = nullptr) const override;

protected:
    // Underlines access keys while Alt is pressed.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool shows_keys_ = false;
};

}  // namespace seedbed::ui
