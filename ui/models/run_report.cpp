// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <QTimer>

#include "core/analysis/load_run.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kNewestUpdates = 100;
// After an examination of duration t, the next one starts after kPausePerExamination * t, at least
// kMinPause, to limit the load to about a tenth of one core.
constexpr int kPausePerExamination = 10;
constexpr std::chrono::milliseconds kMinPause{2000};

double newestSum(const std::map<std::string, Curve>& metrics, const std::string& name, std::size_t& updates) {
    const auto at = metrics.find(name);
    if (at == metrics.end()) return 0;
    const std::vector<double>& y = at->second.y;
    const std::size_t count = std::min(y.size(), kNewestUpdates);
    updates = std::max(updates, count);
    double sum = 0;
    for (std::size_t i = y.size() - count; i < y.size(); ++i) sum += std::isfinite(y[i]) ? y[i] : 0;
    return sum;
}

std::optional<TimeShares> sharesOf(const std::map<std::string, Curve>& metrics) {
    std::size_t updates = 0;
    const auto sum = [&](const char* name) {
        return newestSum(metrics, std::string("time/") + name, updates);
    };
    TimeShares shares;
    shares.env = sum("env");
    shares.inference = sum("inference");
    for (const char* phase : {"gather", "targets", "forward", "loss", "backward", "optimiser"})
        shares.learning += sum(phase);
    shares.waiting = sum("wait") + sum("idle");
    const double total = shares.env + shares.inference + shares.learning + shares.waiting;
    if (!(total > 0)) return std::nullopt;
    for (double* share : {&shares.env, &shares.inference, &shares.learning, &shares.waiting}) *share /= total;
    shares.updates = static_cast<std::int64_t>(updates);
    return shares;
}

// Adds the facts about the environment that the rules need; nothing if the environment is unknown here.
void addEnvironment(RunView& view) {
    Json params = view.config.value("env", Json::object());
    const EnvEntry* entry = envRegistry().find(params.value("id", ""));
    if (entry == nullptr) return;
    params.erase("id");
    const EnvSpec spec = entry->spec(params);
    view.horizon = spec.horizon;
    view.random_return = spec.random_return;
    view.discrete_actions =
        std::all_of(spec.spaces.actions.begin(), spec.spaces.actions.end(),
                    [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
    view.reference_score = spec.solved;
    if (!view.reference_score && !spec.references.empty())
        view.reference_score = spec.references.front().score;
}

}  // namespace

Result<RunReport> loadReport(StoreReader& reader, RunId run) {
    RunReport report;
    SEEDBED_ASSIGN(report.details, reader.details(run));
    SEEDBED_ASSIGN(report.metrics, reader.metricNames(run));
    return report;
}

Result<RunReport> examine(StoreReader& reader, RunId run, const std::stop_token& stop) {
    SEEDBED_ASSIGN(RunReport report, loadReport(reader, run));
    SEEDBED_ASSIGN(RunView view, loadView(reader, run, stop));
    addEnvironment(view);
    report.shares = sharesOf(view.metrics);
    report.findings = diagnose(view);
    report.examined = true;
    return report;
}

QString proposedChangeText(const Json& config, const Finding& finding) {
    std::vector<std::pair<std::string, Json>> fields;
    flatten(config, "", fields);
    QString text;
    for (const auto& [key, value] : finding.settings.items()) {
        const auto at =
            std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == key; });
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) +
                QStringLiteral("%1: %2 → %3")
                    .arg(QString::fromStdString(key),
                         at == fields.end() ? QStringLiteral("–")
                                            : QString::fromStdString(settingText(at->second)),
                         QString::fromStdString(settingText(value)));
    }
    return text;
}

std::vector<std::pair<QString, QString>> settingsOf(const Json& config, const Json& change,
                                                    KeepMachine machine) {
    std::vector<std::pair<QString, QString>> settings;
    for (const auto& [name, text] : seedbed::settingsOf(config, change, machine))
        settings.emplace_back(QString::fromStdString(name), QString::fromStdString(text));
    return settings;
}

RunReporter::RunReporter(RunStore& store, QObject* parent) : QObject(parent), store_(store) {
    connect(&store_, &RunStore::changed, this, &RunReporter::reload);
    connect(&store_, &RunStore::runsChanged, this, &RunReporter::reload);
}

void RunReporter::follow(RunId run) {
    if (run != run_) {
        report_.reset();
        examined_steps_ = -1;
        error_.clear();
    }
    run_ = run;
    loading_ = examining_ = examination_paused_ = false;
    reload();
}

void RunReporter::setLive(bool live) {
    live_ = live;
    if (live_ && stale_) reload();
}

void RunReporter::reload() {
    stale_ = true;
    if (run_ == 0 || !live_ || loading_) return;
    stale_ = false;
    loading_ = true;
    store_.read(
        this, QStringLiteral("report"), [run = run_](StoreReader& reader) { return loadReport(reader, run); },
        [this, run = run_](Result<RunReport> loaded) {
            if (run != run_) return;
            loading_ = false;
            if (!loaded) {
                error_ = QString::fromStdString(loaded.error().text());
            } else {
                error_.clear();
                auto report = std::make_shared<RunReport>(std::move(*loaded));
                // Keep the findings until the next examination.
                if (report_) {
                    report->shares = report_->shares;
                    report->findings = report_->findings;
                    report->examined = report_->examined;
                }
                report_ = std::move(report);
                examineLater();
            }
            Q_EMIT changed();
            if (stale_) reload();
        });
}

void RunReporter::examineLater() {
    if (examining_ || examination_paused_ || !report_ ||
        report_->details.run.progress.steps == examined_steps_)
        return;
    examining_ = true;
    const auto started = std::chrono::steady_clock::now();
    doctor_.run(
        this, QStringLiteral("examine"),
        [run = run_, folder = store_.folder()](const std::stop_token& stop) -> Result<RunReport> {
            SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(folder, [&stop](std::chrono::milliseconds) {
                               return !stop.stop_requested();
                           }));
            return examine(reader, run, stop);
        },
        [this, run = run_, started](Result<RunReport> examined) {
            if (run != run_) return;
            examining_ = false;
            examination_paused_ = true;
            const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(
                std::chrono::steady_clock::now() - started);
            QTimer::singleShot(std::max(kMinPause, kPausePerExamination * duration), this, [this, run] {
                if (run != run_) return;
                examination_paused_ = false;
                examineLater();
            });
            if (!examined) return;
            examined_steps_ = examined->details.run.progress.steps;
            report_ = std::make_shared<const RunReport>(std::move(*examined));
            Q_EMIT changed();
        });
}

}  // namespace seedbed::ui
