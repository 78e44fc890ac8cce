// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/desktop.hpp"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QVariantMap>

namespace seedbed::ui {

// Desktop Notifications Specification 1.2.
void Desktop::notify(const QString& title, const QString& text) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    const QString service = QStringLiteral("org.freedesktop.Notifications");
    QDBusMessage call = QDBusMessage::createMethodCall(
        service, QStringLiteral("/org/freedesktop/Notifications"), service, QStringLiteral("Notify"));
    call << QStringLiteral("Seedbed") << uint{0} << QGuiApplication::desktopFileName() << title << text
         << QStringList()
         << QVariantMap{{QStringLiteral("desktop-entry"), QGuiApplication::desktopFileName()}} << -1;
    bus.send(call);
}

// The launcher entry protocol of Unity, also supported by taskbars of GNOME and KDE.
void Desktop::showProgress(double share) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    QDBusMessage signal = QDBusMessage::createSignal(QStringLiteral("/org/seedbed/Seedbed"),
                                                     QStringLiteral("com.canonical.Unity.LauncherEntry"),
                                                     QStringLiteral("Update"));
    signal << QStringLiteral("application://%1.desktop").arg(QGuiApplication::desktopFileName())
           << QVariantMap{{QStringLiteral("progress"), qBound(0.0, share, 1.0)},
                          {QStringLiteral("progress-visible"), share >= 0}};
    bus.send(signal);
}

}  // namespace seedbed::ui
