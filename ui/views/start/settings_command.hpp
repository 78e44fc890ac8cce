// SPDX-License-Identifier: GPL-3.0-or-later
// The undo step for settings changed in the form for a new run.
#pragma once

#include <optional>
#include <utility>

#include <QMap>
#include <QPointer>
#include <QString>
#include <QUndoCommand>

#include "ui/views/start/customize_view.hpp"

namespace seedbed::ui {

// Valid while the form shows the same environment. Thread: GUI.
class SettingsCommand : public QUndoCommand {
public:
    using Texts = QMap<QString, std::optional<QString>>;
    SettingsCommand(CustomizeView& view, const QString& text, Texts before, Texts after)
        : QUndoCommand(text),
          view_(&view),
          env_(view.env_),
          before_(std::move(before)),
          after_(std::move(after)) {}
    void undo() override { put(before_); }
    void redo() override { put(after_); }

private:
    void put(const Texts& texts) {
        if (view_.isNull() || view_->env_ != env_) setObsolete(true);
        else view_->apply(env_, texts);
    }
    QPointer<CustomizeView> view_;
    QString env_;
    Texts before_, after_;
};

}  // namespace seedbed::ui
