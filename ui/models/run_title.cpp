// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_title.hpp"

#include <map>

#include <QCoreApplication>

#include "core/env/env_registry.hpp"
#include "core/store/store_reader.hpp"
#include "ui/models/packs/env_choice.hpp"
#include "ui/models/text/core_text.hpp"

namespace seedbed::ui {
namespace {

// The context of the translations.
struct RunTitle {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::RunTitle)
};

// "CartPole · run 3".
QString numberedRun(const RunRecord& run) {
    return RunTitle::tr("%1 · run %2").arg(envTitle(run.env)).arg(run.id);
}

}  // namespace

QString envTitle(const std::string& env) {
    static const std::map<std::string, std::string> titles = [] {
        std::map<std::string, std::string> all;
        for (const std::string& id : envRegistry().ids()) {
            const EnvEntry& entry = *envRegistry().find(id);
            if (const auto spec = entry.spec(entry.params->defaults())) all[id] = spec->title;
        }
        return all;
    }();
    const auto found = titles.find(env);
    return found == titles.end() ? shortTitle(QString::fromStdString(env)) : coreText(found->second);
}

QString algoTitle(const std::string& algo) {
    if (algo == "vmpo") return QStringLiteral("V-MPO");
    if (algo == "vtrace") return QStringLiteral("V-trace");
    return QString::fromStdString(algo).toUpper();
}

QString runTitle(const RunRecord& run) {
    return run.name.empty() ? numberedRun(run) : QString::fromStdString(run.name);
}

QString runEntry(const RunRecord& run) {
    const QString number = numberedRun(run);
    return run.name.empty() ? number : QStringLiteral("%1 · %2").arg(runTitle(run), number);
}

QString runFacts(const RunRecord& run) {
    const QString facts =
        QStringLiteral("%1 · %2").arg(algoTitle(run.algo), RunTitle::tr("seed %1").arg(run.seed));
    return run.name.empty() ? facts : QStringLiteral("%1 · %2").arg(numberedRun(run), facts);
}

}  // namespace seedbed::ui
