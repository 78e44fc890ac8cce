// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of the window: the user's choices (XDG config folder, window.ini) and its layout (XDG state
// folder, window.ini).
#pragma once

#include <memory>

#include <QSettings>
#include <QString>
#include <QVariant>

#include "core/base/os/paths.hpp"

namespace seedbed::ui {

// Keys are "page/name". In safe mode nothing is read or written. Thread: GUI.
class Settings {
public:
    Settings(const UserFolders& folders, bool safe_mode);

    QVariant value(const QString& key, const QVariant& fallback = {}) const;
    void setValue(const QString& key, const QVariant& value);
    // Layout: sizes, columns, the last open page.
    QVariant state(const QString& key, const QVariant& fallback = {}) const;
    void setState(const QString& key, const QVariant& value);
    bool safeMode() const { return safe_mode_; }
    // Writes changes now; they are also written periodically and on destruction.
    void sync();

private:
    bool safe_mode_;
    std::unique_ptr<QSettings> config_, state_;
    QVariantMap config_now_, state_now_;  // values of this session in safe mode
};

}  // namespace seedbed::ui
