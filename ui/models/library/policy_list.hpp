// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that can play: the best stored weights of each run, and imported policies.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <QAbstractListModel>
#include <QJsonArray>
#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

class Catalogue;

struct LibraryPolicy {
    QString player;  // as on the command line: "3:best", "3:12000", or the name of an imported policy
    QString name;    // one line of printable characters
    QString env, env_title, algo;
    QString facts;  // of runs: what distinguishes them; ""
    std::optional<double> score, goal;
    bool is_evaluated = true;  // the score is that of these weights, not of the training
    qint64 steps = 0;
    double time = 0;  // seconds since 1970; 0: unknown
    RunId run = 0;    // 0: imported
    QString source;   // of imported policies: the file or folder; "" if unknown
    QString problem;  // why it cannot be read; ""
    // Of imported policies: those of the training, as on the command line.
    std::vector<std::pair<QString, QString>> settings;

    bool isImported() const { return run == 0; }
    bool reachesGoal() const { return score && goal && *score >= *goal; }
};

using BestCheckpoints = std::vector<std::pair<RunId, CheckpointRecord>>;

// Without runs in the trash. `catalogue` may be null: then there are no goals.
std::vector<LibraryPolicy> policiesOfRuns(const std::vector<RunRecord>& runs,
                                          const BestCheckpoints& checkpoints, const Catalogue* catalogue);
// `json`: from `seedbed policies --json`.
std::vector<LibraryPolicy> importedPolicies(const QJsonArray& json, const Catalogue* catalogue);

// "PPO · seed 3 · 60,000 steps · 29 Nov 2026 19:04", the second line of a policy.
QString factsText(const LibraryPolicy& policy);
// "Solved: goal 475", "Not solved yet: goal 475", "In training", or "".
QString goalText(const LibraryPolicy& policy);

enum class PolicyOrder : std::uint8_t {
    newest,
    name,
    score,  // by environment, since scores of different ones cannot be compared; the highest first
};

// The policies that match a filter, in an order. Thread: GUI.
class PolicyList : public QAbstractListModel {
    Q_OBJECT

public:
    explicit PolicyList(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    void setRuns(std::vector<LibraryPolicy> policies);
    void setImported(std::vector<LibraryPolicy> policies);
    // All words must occur in the name, environment, algorithm or source; "imported" is a word of each
    // imported policy.
    void setFilter(const QString& text);
    void setOrder(PolicyOrder order);

    const LibraryPolicy& policyAt(int row) const { return all_[shown_[static_cast<std::size_t>(row)]]; }
    // -1 if it is not shown.
    int rowOf(const QString& player) const;
    int rowOf(RunId run) const;
    // Without the filter.
    std::size_t count() const { return all_.size(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    // The name, and for screen readers all that the row shows.
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void rebuild();

    std::vector<LibraryPolicy> runs_, imported_, all_;
    std::vector<std::size_t> shown_;  // indices into all_
    QStringList words_;
    PolicyOrder order_ = PolicyOrder::newest;
};

}  // namespace seedbed::ui
