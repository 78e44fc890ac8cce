// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/library/policy_list.hpp"

#include <algorithm>
#include <map>

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/run_report.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/models/text/score_text.hpp"

namespace seedbed::ui {
namespace {

// Names come from files of others.
QString oneLine(const QString& text) {
    return QString::fromStdString(printableText(text.toStdString())).simplified();
}

void addEnvironment(LibraryPolicy& policy, const Catalogue* catalogue) {
    policy.env_title = oneLine(policy.env);
    if (catalogue == nullptr) return;
    if (const EnvInfo* env = catalogue->environment(policy.env)) policy.env_title = env->title;
    policy.goal = catalogue->goalOf(policy.env);
}

QString searchText(const LibraryPolicy& policy) {
    QStringList parts{policy.name, policy.env, policy.env_title, policy.algo, policy.source, policy.player};
    if (policy.isImported()) parts << QStringLiteral("imported") << PolicyList::tr("imported");
    return parts.join(QLatin1Char(' '));
}

}  // namespace

std::vector<LibraryPolicy> policiesOfRuns(const std::vector<RunRecord>& runs,
                                          const BestCheckpoints& checkpoints, const Catalogue* catalogue) {
    std::map<RunId, const RunRecord*> known;
    for (const RunRecord& run : runs)
        if (!run.in_trash) known[run.id] = &run;
    std::vector<LibraryPolicy> policies;
    for (const auto& [id, checkpoint] : checkpoints) {
        const auto found = known.find(id);
        if (found == known.end()) continue;
        const RunRecord& run = *found->second;
        LibraryPolicy policy;
        policy.player = checkpoint.best ? QStringLiteral("%1:best").arg(id)
                                        : QStringLiteral("%1:%2").arg(id).arg(checkpoint.step);
        policy.name = oneLine(runTitle(run));
        policy.env = QString::fromStdString(run.env);
        policy.algo = oneLine(QString::fromStdString(run.algo));
        policy.score = checkpoint.score ? checkpoint.score : run.last_return;
        policy.is_evaluated = checkpoint.score.has_value();
        policy.steps = checkpoint.step;
        policy.time = checkpoint.time;
        policy.run = id;
        addEnvironment(policy, catalogue);
        policy.env_title = oneLine(envTitle(run.env));
        policy.facts = oneLine(runFacts(run));
        policies.push_back(std::move(policy));
    }
    return policies;
}

std::vector<LibraryPolicy> importedPolicies(const QJsonArray& json, const Catalogue* catalogue) {
    std::vector<LibraryPolicy> policies;
    for (const QJsonValue& value : json) {
        const auto text = [&](const char* key) { return value[QLatin1String(key)].toString(); };
        LibraryPolicy policy;
        policy.player = text("name");
        policy.name = oneLine(policy.player);
        policy.env = text("env");
        policy.algo = oneLine(text("algo"));
        policy.problem = oneLine(text("error"));
        policy.source = oneLine(text("source"));
        policy.steps = value[QLatin1String("steps")].toInteger();
        const QString folder = text("folder");
        policy.time = value[QLatin1String("imported")].toDouble(
            static_cast<double>(QFileInfo(folder).lastModified().toSecsSinceEpoch()));
        const QJsonValue mean = value[QLatin1String("evaluation")][QLatin1String("mean")];
        if (mean.isDouble()) policy.score = mean.toDouble();
        const QJsonObject config = value[QLatin1String("config")].toObject();
        if (!config.isEmpty())
            policy.settings =
                settingsOf(Json::parse(QJsonDocument(config).toJson().toStdString(), nullptr, false), {});
        addEnvironment(policy, catalogue);
        policies.push_back(std::move(policy));
    }
    return policies;
}

QString factsText(const LibraryPolicy& policy) {
    if (!policy.problem.isEmpty()) return policy.problem;
    QStringList parts;
    if (!policy.facts.isEmpty()) parts += policy.facts;
    else
        for (const QString& part : {policy.env_title, algoTitle(policy.algo.toStdString())})
            if (!part.isEmpty()) parts += part;
    parts += PolicyList::tr("%1 steps").arg(countText(policy.steps));
    if (policy.time > 0) parts += timeText(policy.time);
    return parts.join(QStringLiteral(" · "));
}

QString goalText(const LibraryPolicy& policy) {
    if (!policy.score) return {};
    if (policy.reachesGoal()) return PolicyList::tr("Solved: goal %1").arg(scoreText(*policy.goal));
    if (policy.goal) return PolicyList::tr("Not solved yet: goal %1").arg(scoreText(*policy.goal));
    return policy.is_evaluated ? PolicyList::tr("In evaluation") : PolicyList::tr("In training");
}

void PolicyList::setRuns(std::vector<LibraryPolicy> policies) {
    runs_ = std::move(policies);
    rebuild();
}

void PolicyList::setImported(std::vector<LibraryPolicy> policies) {
    imported_ = std::move(policies);
    rebuild();
}

void PolicyList::setFilter(const QString& text) {
    words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    rebuild();
}

void PolicyList::setOrder(PolicyOrder order) {
    order_ = order;
    rebuild();
}

void PolicyList::rebuild() {
    beginResetModel();
    all_ = runs_;
    all_.insert(all_.end(), imported_.begin(), imported_.end());
    std::stable_sort(all_.begin(), all_.end(), [](const LibraryPolicy& a, const LibraryPolicy& b) {
        return std::pair(a.time, a.run) > std::pair(b.time, b.run);
    });
    if (order_ == PolicyOrder::name)
        std::stable_sort(all_.begin(), all_.end(), [](const LibraryPolicy& a, const LibraryPolicy& b) {
            return a.name.localeAwareCompare(b.name) < 0;
        });
    if (order_ == PolicyOrder::score)
        std::stable_sort(all_.begin(), all_.end(), [](const LibraryPolicy& a, const LibraryPolicy& b) {
            if (a.env_title != b.env_title) return a.env_title.localeAwareCompare(b.env_title) < 0;
            return a.score && (!b.score || *a.score > *b.score);
        });
    shown_.clear();
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const QString text = searchText(all_[i]);
        if (std::all_of(words_.begin(), words_.end(),
                        [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); }))
            shown_.push_back(i);
    }
    endResetModel();
}

int PolicyList::rowOf(const QString& player) const {
    const auto found =
        std::find_if(shown_.begin(), shown_.end(), [&](std::size_t i) { return all_[i].player == player; });
    return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

int PolicyList::rowOf(RunId run) const {
    const auto at =
        std::find_if(shown_.begin(), shown_.end(), [&](std::size_t index) { return all_[index].run == run; });
    return at == shown_.end() ? -1 : static_cast<int>(at - shown_.begin());
}

int PolicyList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PolicyList::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const LibraryPolicy& policy = policyAt(index.row());
    if (role == Qt::DisplayRole) return policy.name;
    if (role == Qt::ToolTipRole && !policy.problem.isEmpty()) return policy.problem;
    if (role != Qt::AccessibleTextRole) return {};
    QStringList parts{policy.name};
    if (policy.isImported()) parts += tr("imported");
    parts += factsText(policy);
    if (policy.score) parts += tr("score %1").arg(shortNumber(*policy.score));
    if (const QString goal = goalText(policy); !goal.isEmpty()) parts += goal;
    return parts.join(QStringLiteral(", "));
}

}  // namespace seedbed::ui
