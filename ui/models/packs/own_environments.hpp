// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own environments, in DATA/environments.json.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include "ui/models/packs/env_choice.hpp"

namespace seedbed::ui {

struct OwnEnvironment {
    QString title{};  // unique
    EnvChoice choice{};
};

// Thread: GUI.
class OwnEnvironments : public QObject {
    Q_OBJECT

public:
    // `folder`: the data folder, which need not exist yet.
    explicit OwnEnvironments(QString folder, QObject* parent = nullptr);

    // Reads the file; returns why it cannot be read, or "". A missing file is an empty list.
    QString load();
    const QList<OwnEnvironment>& all() const { return all_; }
    const OwnEnvironment* find(const QString& title) const;

    // Adds an environment, or replaces the one with the same title. Returns why it was not stored, or "".
    QString put(const OwnEnvironment& environment);
    QString remove(const QString& title);
    // `title`, or "title (2)" and so on if another environment has it. `replaced`: a title that may be
    // reused.
    QString freeTitle(const QString& title, const QString& replaced = {}) const;

Q_SIGNALS:
    void changed();

private:
    QString save(QList<OwnEnvironment> all);

    QString folder_;
    QList<OwnEnvironment> all_;
    bool is_damaged_ = false;  // the file could not be parsed and must not be overwritten
};

}  // namespace seedbed::ui
