// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/theme.hpp"

#include <array>

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QToolTip>

#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

// Draws an SVG in the colour of text, so that icons follow the theme and the state of the control.
class SvgEngine : public QIconEngine {
public:
    explicit SvgEngine(QByteArray svg) : svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap picture = pixmap(rect.size() * ratio, mode, QIcon::Off);
        picture.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), picture);
    }
    // Parsing takes longer than a repaint may, so pictures are kept.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        const Tokens& t = tokens();
        const QColor colour = mode == QIcon::Disabled ? t.faint : mode == QIcon::Selected ? t.accent : t.text;
        const QString key = QStringLiteral("icon-%1-%2x%3-%4")
                                .arg(qHash(svg_))
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colour.name());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap)) return pixmap;
        QByteArray coloured = svg_;
        coloured.replace("currentColor", colour.name().toLatin1());
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer(coloured).render(&painter, QRect(QPoint(), size));
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }
    QIconEngine* clone() const override { return new SvgEngine(*this); }

private:
    QByteArray svg_;
};

constexpr std::array<Qt::PenStyle, 4> kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kPortalSettings = "org.freedesktop.portal.Settings";
constexpr const char* kAppearance = "org.freedesktop.appearance";
constexpr const char* kColourScheme = "color-scheme";
constexpr const char* kContrast = "contrast";

}  // namespace

Theme::Theme(QObject* parent) : QObject(parent) {
    QApplication::setStyle(new SeedStyle);
    // The theme of a process is made once; tests make several.
    static const QFont system = QApplication::font();
    QApplication::setFont(applicationFont(system));
    start_dark_ = QApplication::palette().color(QPalette::Window).lightness() < 128;
    system_dark_ = start_dark_;
    apply();
    askSystem();
}

void Theme::setMode(Mode mode) {
    mode_ = mode;
    apply();
}

void Theme::apply() {
    const bool is_dark = mode_ == Mode::dark || (mode_ == Mode::system && system_dark_);
    const bool strong = mode_ == Mode::high_contrast || (mode_ == Mode::system && system_strong_);
    dark_ = is_dark || strong;
    useScheme(strong ? Scheme::high_contrast : dark_ ? Scheme::dark : Scheme::light);
    const QPalette palette = paletteOf(tokens());
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    Q_EMIT changed();
}

// Reads the desktop's preference from the settings portal, if there is one. Does not block.
void Theme::askSystem() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(QLatin1String(kPortal), QLatin1String(kPortalPath), QLatin1String(kPortalSettings),
                QStringLiteral("SettingChanged"), this,
                SLOT(systemSettingChanged(QString, QString, QDBusVariant)));
    for (const char* key : {kColourScheme, kContrast}) {
        QDBusMessage ask =
            QDBusMessage::createMethodCall(QLatin1String(kPortal), QLatin1String(kPortalPath),
                                           QLatin1String(kPortalSettings), QStringLiteral("Read"));
        ask << QLatin1String(kAppearance) << QLatin1String(key);
        auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(ask), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, key] {
            const QDBusPendingReply<QDBusVariant> reply = *watcher;
            if (reply.isValid())
                systemSettingChanged(QLatin1String(kAppearance), QLatin1String(key), reply.value());
            watcher->deleteLater();
        });
    }
}

void Theme::systemSettingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != QLatin1String(kAppearance)) return;
    QVariant inner = value.variant();
    // Read() of older portals wraps the value twice.
    if (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
    const uint preference = inner.toUInt();
    if (key == QLatin1String(kContrast)) {
        system_strong_ = preference == 1;  // 0 none, 1 higher
    } else if (key == QLatin1String(kColourScheme)) {
        // 0 none, 1 dark, 2 light. Desktops also report 0 when dark mode is switched off.
        system_dark_ = preference == 0 ? start_dark_ : preference == 1;
    } else {
        return;
    }
    apply();
}

QColor Theme::seriesColour(int number) const {
    const auto& colours = tokens().series;
    return colours[static_cast<std::size_t>(number) % colours.size()];
}

Qt::PenStyle Theme::seriesStyle(int number) const {
    return kStyles[static_cast<std::size_t>(number) / tokens().series.size() % kStyles.size()];
}

QColor Theme::quiet() const { return tokens().muted; }
QColor Theme::line() const { return tokens().line; }
QColor Theme::good() const { return tokens().accent; }
QColor Theme::warning() const { return tokens().warning; }
QColor Theme::bad() const { return tokens().bad; }

QIcon Theme::icon(const QString& name) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? QIcon(new SvgEngine(file.readAll())) : QIcon();
}

}  // namespace seedbed::ui
