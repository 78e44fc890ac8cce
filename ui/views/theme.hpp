// SPDX-License-Identifier: GPL-3.0-or-later
// How everything looks: light, dark or as the system; colours of series that colour-blind people can tell
// apart; icons.
#pragma once

#include <QColor>
#include <QDBusVariant>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>

namespace seedbed::ui {

// Thread: the window's.
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Mode { system, light, dark };
    Q_ENUM(Mode)

    explicit Theme(QObject* parent = nullptr);

    Mode mode() const { return mode_; }
    // Sets style and palette of the application.
    void setMode(Mode mode);
    bool isDark() const { return dark_; }

    // Series 0, 1, ... of a chart: the colours of Okabe and Ito (those that contrast at least 3:1 with the
    // background), then again with the next line style. A series keeps its number as long as it is shown.
    QColor seriesColour(int number) const;
    Qt::PenStyle seriesStyle(int number) const;
    // Text of minor importance, lines of axes and tables, and states.
    QColor quiet() const;
    QColor line() const;
    QColor good() const;
    QColor warning() const;
    QColor bad() const;

    // An SVG of icons/ in the colour of the text; follows the theme when it changes.
    QIcon icon(const QString& name) const;

Q_SIGNALS:
    // Colours are others now: whoever draws by itself draws again.
    void changed();

private:
    void apply();
    void askSystem();

private Q_SLOTS:
    void systemSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    Mode mode_ = Mode::system;
    bool start_dark_ = false;  // what the desktop's palette said, for a system without a preference
    bool system_dark_ = false, dark_ = false;
};

}  // namespace seedbed::ui
