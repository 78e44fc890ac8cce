// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/recommended.hpp"

#include "ui/models/config_form.hpp"
#include "ui/models/launcher.hpp"

namespace seedbed::ui {

quint64 askForRecommendation(Launcher& launcher, QObject* context, const QString& env, const ConfigForm& form,
                             std::function<void(const Recommended&)> done) {
    QStringList arguments{QStringLiteral("config"), env, QStringLiteral("--algo"), kRecommended};
    for (const auto& [key, text] : form.changes().asKeyValueRange())
        if (key.startsWith(QLatin1String("env.")) || key == QLatin1String("run.threads"))
            arguments << QStringLiteral("--%1=%2").arg(key, text);
    return launcher.ask(arguments, context, [done = std::move(done)](const CommandReply& reply) {
        Recommended chosen;
        chosen.problem = reply.error;
        const QJsonObject json = reply.json.object()[QLatin1String("recommendation")].toObject();
        chosen.algo = json[QLatin1String("algo")].toString();
        chosen.preset = json[QLatin1String("preset")].toString();
        chosen.why = json[QLatin1String("why")].toString();
        if (chosen.preset.isEmpty()) chosen.preset = QStringLiteral("none");
        const QJsonObject settings = json[QLatin1String("settings")].toObject();
        for (auto at = settings.begin(); at != settings.end(); ++at)
            chosen.settings.emplace_back(at.key(), at.value().toString());
        done(chosen);
    });
}

}  // namespace seedbed::ui
