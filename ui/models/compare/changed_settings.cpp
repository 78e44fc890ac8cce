// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/compare/changed_settings.hpp"

#include <algorithm>

#include <QJsonArray>
#include <QJsonObject>

#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {
namespace {

constexpr qsizetype kMaxChanges = 3;
constexpr qint64 kMinPauseMs = 500, kPauseFactor = 10;

}  // namespace

QStringList changedOf(const ChangedTexts& changed, RunId run) {
    if (!changed) return {};
    const auto at = changed->find(run);
    return at == changed->end() ? QStringList() : at->second;
}

QString briefChanges(const QStringList& changed) {
    QStringList shown = changed.mid(0, kMaxChanges);
    if (changed.size() > kMaxChanges) shown << QStringLiteral("+%1").arg(changed.size() - kMaxChanges);
    return shown.join(QStringLiteral(", "));
}

ChangedSettings::ChangedSettings(RunStore& runs, Launcher& launcher, QObject* parent)
    : QObject(parent), runs_(runs), launcher_(launcher) {
    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &ChangedSettings::refresh);
}

void ChangedSettings::refresh() {
    if (asking_ || pause_.isActive()) return;
    std::vector<std::pair<RunId, RunStatus>> now;
    for (const RunRecord& run : *runs_.runs()) now.emplace_back(run.id, run.status);
    if (now == known_) return;
    known_ = std::move(now);
    asking_ = true;
    asked_.start();
    auto texts = std::make_shared<std::unordered_map<RunId, QStringList>>();
    launcher_.askForMuch(
        {QStringLiteral("list"), QStringLiteral("--all")}, this,
        [texts](const CommandReply& reply) {
            for (const QJsonValue& run : reply.json.array()) {
                QStringList changes;
                for (const QJsonValue& change : run[QLatin1String("changed")].toArray())
                    changes << change.toString();
                texts->emplace(run[QLatin1String("id")].toInteger(), std::move(changes));
            }
        },
        [this, texts](const CommandReply& reply) {
            asking_ = false;
            pause_.start(static_cast<int>(std::max(kMinPauseMs, kPauseFactor * asked_.elapsed())));
            if (!reply.ok()) return;
            texts_ = texts;
            Q_EMIT changed();
        });
}

}  // namespace seedbed::ui
