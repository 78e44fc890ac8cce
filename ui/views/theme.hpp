// SPDX-License-Identifier: GPL-3.0-or-later
// The theme: light, dark, high contrast or following the system; colours of series for colour-blind users;
// icons.
#pragma once

#include <QColor>
#include <QDBusVariant>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>

namespace seedbed::ui {

// Thread: GUI.
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Mode { system, light, dark, high_contrast };
    Q_ENUM(Mode)

    explicit Theme(QObject* parent = nullptr);

    Mode mode() const { return mode_; }
    // Sets the application's style and palette.
    void setMode(Mode mode);
    // Also true with high contrast, which is white on black.
    bool isDark() const { return dark_; }

    // Colour of series 0, 1, ...: the colours of Okabe and Ito with a contrast of at least 3:1 to the
    // background, repeated with a different line style.
    QColor seriesColour(int number) const;
    Qt::PenStyle seriesStyle(int number) const;
    // Colours of secondary text, of lines in axes and tables, and of states.
    QColor quiet() const;
    QColor line() const;
    QColor good() const;
    QColor warning() const;
    QColor bad() const;

    // An SVG from icons/ in the text colour; follows the theme.
    QIcon icon(const QString& name) const;

Q_SIGNALS:
    // Emitted when the colours changed; custom-painted widgets must repaint.
    void changed();

private:
    void apply();
    void askSystem();
    Q_SLOT void systemSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

    Mode mode_ = Mode::system;
    bool start_dark_ = false;  // the initial palette is dark; used if the system has no preference
    bool system_dark_ = false, system_strong_ = false, dark_ = false;
};

}  // namespace seedbed::ui
