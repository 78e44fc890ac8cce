// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/play/duel_candidates.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QJsonObject>

#include "core/env/env_registry.hpp"
#include "core/env/scripted_player.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kMaxCandidateRuns = 300;  // older ones are linked from the run table
constexpr const char* kLeaguePlayer = "league:";
constexpr double kToleratedPart = 0.05;  // of the range of a number
constexpr int kDefaultStrength = 3;      // above the lowest one, of players without a default

struct DuelCandidates {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::DuelCandidates)
};

}  // namespace

std::vector<DuelCandidate> duelCandidates(const std::vector<RunRecord>& runs, const QJsonArray& policies,
                                          const QJsonArray& leagues, const QString& env) {
    std::vector<DuelCandidate> all;
    if (!env.isEmpty())
        all.push_back({QLatin1String(kPersonPlayer), DuelCandidates::tr("You (keyboard)"), {}, 0});
    for (auto run = runs.rbegin(); run != runs.rend() && all.size() < kMaxCandidateRuns; ++run) {
        if (run->in_trash || run->progress.steps == 0) continue;
        QString text = runEntry(*run).simplified();
        if (run->last_return) text += QStringLiteral(" · ") + shortNumber(*run->last_return);
        all.push_back({.player = QString::number(run->id),
                       .text = text,
                       .env = QString::fromStdString(run->env),
                       .run = run->id});
    }
    for (const QJsonValue& policy : policies) {
        const QString name = policy[QLatin1String("name")].toString(),
                      its_env = policy[QLatin1String("env")].toString();
        if (its_env.isEmpty()) continue;  // damaged
        all.push_back({name, DuelCandidates::tr("%1 · imported").arg(name), its_env, 0});
    }
    for (const QJsonValue& league : leagues) {
        const QString name = league[QLatin1String("name")].toString();
        for (const QJsonValue& each : league[QLatin1String("players")].toArray()) {
            if (each[QLatin1String("params_sha256")].toString().isEmpty() ||
                !each[QLatin1String("problem")].toString().isEmpty())
                continue;  // scripted players are listed below
            const QString member = each[QLatin1String("name")].toString();
            all.push_back({leaguePlayer(name, member), DuelCandidates::tr("League %1: %2").arg(name, member),
                           league[QLatin1String("env")].toString(), 0});
        }
    }
    const std::string wanted = env.toStdString();
    for (const std::string& id : scriptedPlayerRegistry().ids()) {
        const ScriptedPlayerEntry& entry = *scriptedPlayerRegistry().find(id);
        if (env.isEmpty() || (!entry.envs.empty() &&
                              std::find(entry.envs.begin(), entry.envs.end(), wanted) == entry.envs.end()))
            continue;
        QString player = QString::fromStdString(id);
        if (!entry.parameter.empty() && !entry.has_default)
            player += QStringLiteral(":%1").arg(std::min(entry.low + kDefaultStrength, entry.high));
        all.push_back({player, DuelCandidates::tr("%1 · scripted").arg(player), {}, 0});
    }
    return all;
}

QString leaguePlayer(const QString& league, const QString& member) {
    return QLatin1String(kLeaguePlayer) + league + QLatin1Char('/') + member;
}

QString leaguePlayerName(const QString& player) {
    const qsizetype slash = player.indexOf(QLatin1Char('/')), prefix = qstrlen(kLeaguePlayer);
    if (!player.startsWith(QLatin1String(kLeaguePlayer)) || slash < 0) return {};
    return DuelCandidates::tr("%1 of %2", "member of a league")
        .arg(player.mid(slash + 1), player.mid(prefix, slash - prefix));
}

DuelGame gameOf(const QString& env) {
    const EnvEntry* entry = envRegistry().find(env.toStdString());
    if (entry == nullptr) return {};
    const auto params = entry->params->complete(Json::object(), "env");
    if (!params) return {};
    const auto spec = entry->spec(*params);
    if (!spec) return {};
    DuelGame game{.seats = spec->agents};
    for (const ActionLeaf& leaf : spec->spaces.actions)
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            const double tolerance = kToleratedPart * 2 * rangeOf(leaf, i).half;
            game.tolerance = game.tolerance > 0 ? std::min(game.tolerance, tolerance) : tolerance;
        }
    return game;
}

std::optional<qint64> DuelPlayerId::step() const {
    bool is_number = false;
    const qint64 step = version.toLongLong(&is_number);
    return is_number ? std::optional<qint64>(step) : std::nullopt;
}

DuelPlayerId splitPlayer(const QString& player) {
    const qsizetype at = player.indexOf(QLatin1Char(':'));
    bool is_run = false;
    player.left(std::max<qsizetype>(at, 0)).toLongLong(&is_run);
    if (!is_run) return {player, {}};  // also "alpha_beta:4"
    return {player.left(at), player.mid(at + 1)};
}

}  // namespace seedbed::ui
