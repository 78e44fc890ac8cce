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
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QSvgRenderer>
#include <QToolTip>

namespace seedbed::ui {
namespace {

// Draws an SVG in the palette's text colour, so that icons follow the theme and the state of the control.
class SvgEngine : public QIconEngine {
public:
    explicit SvgEngine(QByteArray svg) : svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QApplication::palette();
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor colour =
            palette.color(group, mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::WindowText);
        QByteArray coloured = svg_;
        coloured.replace("currentColor", colour.name().toLatin1());
        QSvgRenderer(coloured).render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new SvgEngine(*this); }

private:
    QByteArray svg_;
};

// Fusion draws outlines that are darker than the window and invisible on dark backgrounds; this adds a
// lighter one.
class OutlineStyle : public QProxyStyle {
public:
    OutlineStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool outlined =
            element == PE_FrameLineEdit || element == PE_IndicatorCheckBox || element == PE_FrameGroupBox;
        if (!outlined || option->palette.color(QPalette::Window).lightness() > 128 ||
            (option->state & State_HasFocus))
            return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(
            option->palette.color(element == PE_FrameGroupBox ? QPalette::Mid : QPalette::PlaceholderText));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter->restore();
    }
};

// Okabe and Ito, Color Universal Design (2008), with yellow and sky blue replaced on white and blue on black
// for contrast.
constexpr std::array<QRgb, 6> kOnLight{0xff0072b2, 0xffd55e00, 0xff009e73,
                                       0xffcc79a7, 0xffb07f00, 0xff000000};
constexpr std::array<QRgb, 6> kOnDark{0xff56b4e9, 0xffe69f00, 0xff009e73, 0xffcc79a7, 0xfff0e442, 0xffffffff};
constexpr std::array<Qt::PenStyle, 4> kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

QPalette makePalette(bool dark) {
    const auto pick = [dark](QRgb on_light, QRgb on_dark) {
        return QColor::fromRgb(dark ? on_dark : on_light);
    };
    QPalette palette;
    const QColor window = pick(0xfff3f4f6, 0xff1e2126), base = pick(0xffffffff, 0xff16181c),
                 text = pick(0xff1b1f24, 0xffe6e8eb);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, pick(0xfff7f8fa, 0xff1b1e23));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, pick(0xff656d76, 0xff9aa3ad));
    palette.setColor(QPalette::Button, pick(0xffe9ebee, 0xff2a2e35));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, pick(0xffb3261e, 0xffff8a80));
    palette.setColor(QPalette::ToolTipBase, pick(0xff1b1f24, 0xff333840));
    palette.setColor(QPalette::ToolTipText, pick(0xffffffff, 0xffe6e8eb));
    palette.setColor(QPalette::Link, pick(0xff005a8e, 0xff6cc0f2));
    palette.setColor(QPalette::LinkVisited, pick(0xff7a3f73, 0xffd3a0ca));
    palette.setColor(QPalette::Highlight, pick(0xff0b62a0, 0xff2b78b2));
    palette.setColor(QPalette::HighlightedText, QColor::fromRgb(0xffffffff));
    palette.setColor(QPalette::Light, pick(0xffffffff, 0xff3a3f48));
    palette.setColor(QPalette::Midlight, pick(0xfff3f4f6, 0xff31353d));
    palette.setColor(QPalette::Mid, pick(0xffb9bfc6, 0xff4a505a));
    palette.setColor(QPalette::Dark, pick(0xff9aa1a9, 0xff121417));
    palette.setColor(QPalette::Shadow, pick(0xff6e7781, 0xff000000));
    const QColor faint = pick(0xff8a929b, 0xff767e88);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, faint);
    return palette;
}

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kPortalSettings = "org.freedesktop.portal.Settings";
constexpr const char* kAppearance = "org.freedesktop.appearance";
constexpr const char* kColourScheme = "color-scheme";

}  // namespace

Theme::Theme(QObject* parent) : QObject(parent) {
    QApplication::setStyle(new OutlineStyle);
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
    dark_ = mode_ == Mode::dark || (mode_ == Mode::system && system_dark_);
    const QPalette palette = makePalette(dark_);
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
    QDBusMessage ask = QDBusMessage::createMethodCall(QLatin1String(kPortal), QLatin1String(kPortalPath),
                                                      QLatin1String(kPortalSettings), QStringLiteral("Read"));
    ask << QLatin1String(kAppearance) << QLatin1String(kColourScheme);
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(ask), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            systemSettingChanged(QLatin1String(kAppearance), QLatin1String(kColourScheme), reply.value());
        watcher->deleteLater();
    });
}

void Theme::systemSettingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != QLatin1String(kAppearance) || key != QLatin1String(kColourScheme)) return;
    QVariant inner = value.variant();
    // Read() of older portals wraps the value twice.
    if (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
    const uint preference = inner.toUInt();  // 0 none, 1 dark, 2 light
    // Desktops also report 0 when dark mode is switched off.
    system_dark_ = preference == 0 ? start_dark_ : preference == 1;
    apply();
}

QColor Theme::seriesColour(int number) const {
    const auto& colours = dark_ ? kOnDark : kOnLight;
    return QColor::fromRgb(colours[static_cast<std::size_t>(number) % colours.size()]);
}

Qt::PenStyle Theme::seriesStyle(int number) const {
    return kStyles[static_cast<std::size_t>(number) / kOnLight.size() % kStyles.size()];
}

QColor Theme::quiet() const { return QColor::fromRgb(dark_ ? 0xffa3abb5 : 0xff57606a); }
QColor Theme::line() const { return QColor::fromRgb(dark_ ? 0xff3a3f48 : 0xffd0d5da); }
QColor Theme::good() const { return QColor::fromRgb(dark_ ? 0xff3fc79a : 0xff00735a); }
QColor Theme::warning() const { return QColor::fromRgb(dark_ ? 0xffe69f00 : 0xff8a5a00); }
QColor Theme::bad() const { return QColor::fromRgb(dark_ ? 0xffff8a65 : 0xffb33a00); }

QIcon Theme::icon(const QString& name) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? QIcon(new SvgEngine(file.readAll())) : QIcon();
}

}  // namespace seedbed::ui
