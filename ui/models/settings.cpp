// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/settings.hpp"

namespace seedbed::ui {
namespace {

std::unique_ptr<QSettings> open(const std::filesystem::path& folder) {
    return std::make_unique<QSettings>(QString::fromStdString((folder / "window.ini").string()),
                                       QSettings::IniFormat);
}

}  // namespace

Settings::Settings(const UserFolders& folders, bool safe_mode) : safe_mode_(safe_mode) {
    if (safe_mode) return;
    config_ = open(folders.config);
    state_ = open(folders.state);
}

QVariant Settings::value(const QString& key, const QVariant& fallback) const {
    return config_ ? config_->value(key, fallback) : config_now_.value(key, fallback);
}

void Settings::setValue(const QString& key, const QVariant& value) {
    if (config_) config_->setValue(key, value);
    else config_now_[key] = value;
}

QVariant Settings::state(const QString& key, const QVariant& fallback) const {
    return state_ ? state_->value(key, fallback) : state_now_.value(key, fallback);
}

void Settings::setState(const QString& key, const QVariant& value) {
    if (state_) state_->setValue(key, value);
    else state_now_[key] = value;
}

void Settings::sync() {
    if (config_) config_->sync();
    if (state_) state_->sync();
}

}  // namespace seedbed::ui
