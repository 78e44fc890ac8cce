// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers: choices of the user (XDG config, window.ini) and its own layout (XDG state,
// window.ini).
#pragma once

#include <memory>

#include <QSettings>
#include <QString>
#include <QVariant>

#include "core/base/paths.hpp"

namespace seedbed::ui {

// Keys are "page/name". In safe mode nothing is read, and what is set is forgotten at the end. Thread: the
// window's.
class Settings {
public:
    Settings(const UserFolders& folders, bool safe_mode);

    QVariant value(const QString& key, const QVariant& fallback = {}) const;
    void setValue(const QString& key, const QVariant& value);
    // Layout: sizes, columns, what was open last.
    QVariant state(const QString& key, const QVariant& fallback = {}) const;
    void setState(const QString& key, const QVariant& value);
    bool safeMode() const { return safe_mode_; }
    // Writes what was set; also done from time to time and at the end.
    void sync();

private:
    bool safe_mode_;
    std::unique_ptr<QSettings> config_, state_;
    QVariantMap config_now_, state_now_;  // safe mode
};

}  // namespace seedbed::ui
