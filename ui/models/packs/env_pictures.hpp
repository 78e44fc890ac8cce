// SPDX-License-Identifier: GPL-3.0-or-later
// Animations of external environments during random play, in DATA/pictures. `seedbed env gallery` draws them
// on request, one at a time.
#pragma once

#include <deque>

#include <QDateTime>
#include <QMap>
#include <QObject>
#include <QString>

#include "ui/models/packs/env_choice.hpp"

namespace seedbed::ui {

class Launcher;

// Thread: GUI. No function blocks.
class EnvPictures : public QObject {
    Q_OBJECT

public:
    static constexpr int kMost = 200;

    explicit EnvPictures(Launcher& launcher, QObject* parent = nullptr);

    // The GIF file, or "" if it has not been drawn yet or the environment's Python file has changed since
    // then.
    QString file(const EnvChoice& choice) const;
    // Draws the picture unless it exists, is queued, or failed before and the Python file has not changed
    // since then. `again`: retries even if drawing failed before. Deletes the oldest pictures beyond kMost.
    void request(const EnvChoice& choice, bool again = false);
    bool isDrawing(const EnvChoice& choice) const;
    // Why the last attempt failed; "" if it succeeded.
    QString problem(const EnvChoice& choice) const { return problems_.value(choice.key()).text; }

Q_SIGNALS:
    // Emitted when drawing a picture has started, finished or failed. `key`: EnvChoice::key().
    void changed(const QString& key);

private:
    struct Problem {
        QString text{};
        QDateTime changed{};  // time of the Python file at the start of the attempt; invalid: no file
    };

    void drawNext();
    void prune() const;
    QString path(const EnvChoice& choice) const;

    Launcher& launcher_;
    std::deque<EnvChoice> queue_;
    bool is_drawing_ = false;  // whether the first in queue_ is being drawn
    QMap<QString, Problem> problems_;
};

}  // namespace seedbed::ui
