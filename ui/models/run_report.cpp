// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>

#include <QTimer>

#include "core/analysis/resume_step.hpp"
#include "core/analysis/run_settings.hpp"
#include "ui/models/launcher.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kNewestUpdates = 100;
// After an examination of duration t, the next one starts after kPausePerExamination * t, at least
// kMinPause, to limit the load to half a percent of one core; more often at first, when a mistake in the
// settings shows.
constexpr int kPausePerExamination = 200, kFirstPausePerExamination = 50;
constexpr std::chrono::milliseconds kMinPause{2000};
constexpr double kPauseShare = 0.1;  // of the training time, at most
// The same for reading the rows of the run, at most two percent of one core.
constexpr int kPausePerReading = 50;

}  // namespace

Result<RunReport> loadReport(StoreReader& reader, const std::filesystem::path& data_folder, RunId run) {
    RunReport report;
    SEEDBED_ASSIGN(report.details, reader.details(run));
    RealFileSystem files;
    SEEDBED_ASSIGN(report.resume_step, resumeStep(files, data_folder, report.details.run));
    SEEDBED_ASSIGN(report.metrics, reader.metricNames(run));
    return report;
}

Result<std::optional<TimeShares>> loadShares(StoreReader& reader, RunId run) {
    SEEDBED_ASSIGN(const std::vector<std::string> names, reader.metricNames(run));
    std::size_t updates = 0;
    const auto sum = [&](const char* phase) -> Result<double> {
        const std::string name = std::string("time/") + phase;
        if (!std::binary_search(names.begin(), names.end(), name)) return 0.0;
        SEEDBED_ASSIGN(const MetricCurve curve, reader.metric(run, name));
        const std::size_t count = std::min(curve.values.size(), kNewestUpdates);
        updates = std::max(updates, count);
        double total = 0;
        for (std::size_t i = curve.values.size() - count; i < curve.values.size(); ++i)
            total += std::isfinite(curve.values[i]) ? curve.values[i] : 0;
        return total;
    };
    TimeShares shares;
    const auto add = [&](double& share, std::initializer_list<const char*> phases) -> Result<> {
        for (const char* phase : phases) {
            SEEDBED_ASSIGN(const double part, sum(phase));
            share += part;
        }
        return {};
    };
    SEEDBED_TRY(add(shares.env, {"env"}));
    SEEDBED_TRY(add(shares.inference, {"inference"}));
    SEEDBED_TRY(add(shares.learning, {"gather", "targets", "forward", "loss", "backward", "optimiser"}));
    SEEDBED_TRY(add(shares.waiting, {"wait", "idle"}));
    const double total = shares.env + shares.inference + shares.learning + shares.waiting;
    if (!(total > 0)) return std::nullopt;
    for (double* share : {&shares.env, &shares.inference, &shares.learning, &shares.waiting}) *share /= total;
    shares.updates = static_cast<std::int64_t>(updates);
    return shares;
}

std::vector<Finding> findingsFrom(const QByteArray& json) {
    std::vector<Finding> findings;
    const Json reply = Json::parse(json.begin(), json.end(), nullptr, false);
    if (!reply.is_object() || !reply.contains("findings") || !reply.at("findings").is_array())
        return findings;
    for (const Json& one : reply.at("findings"))
        if (auto finding = findingFromJson(one)) findings.push_back(std::move(*finding));
    return findings;
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
                                            : QString::fromStdString(seedbed::settingText(at->second)),
                         QString::fromStdString(seedbed::settingText(value)));
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

RunReporter::RunReporter(RunStore& store, Launcher* launcher, QObject* parent)
    : QObject(parent), store_(store), launcher_(launcher) {
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
    loading_ = examining_ = examination_paused_ = paused_ = false;
    ++examination_number_;
    reload();
}

void RunReporter::setLive(bool live) {
    live_ = live;
    if (live_ && stale_) reload();
}

void RunReporter::reload() {
    stale_ = true;
    const RunRecord* now = store_.find(run_);
    const bool has_ended =
        report_ && now != nullptr && isLive(report_->details.run.status) && !isLive(now->status);
    if (run_ == 0 || !live_ || loading_ || (paused_ && !has_ended)) return;
    stale_ = false;
    loading_ = true;
    const auto started = std::chrono::steady_clock::now();
    store_.read(
        this, QStringLiteral("report"),
        [run = run_, folder = store_.folder()](StoreReader& reader) {
            return loadReport(reader, folder, run);
        },
        [this, run = run_, started](Result<RunReport> loaded) {
            if (run != run_) return;
            loading_ = false;
            pauseReading(std::chrono::steady_clock::now() - started);
            if (!loaded) {
                error_ = QString::fromStdString(loaded.error().text());
            } else {
                error_.clear();
                auto report = std::make_shared<RunReport>(std::move(*loaded));
                const bool ends =
                    report_ && isLive(report_->details.run.status) && !isLive(report->details.run.status);
                // Keep the findings until the next examination, but not those from before the end of the run.
                if (report_) report->shares = report_->shares;
                // Findings about a run without steps are wrong after its first ones.
                const bool begins = examined_steps_ == 0 && report->details.run.progress.steps > 0;
                if (report_ && !ends && !begins) {
                    report->findings = report_->findings;
                    report->examined = report_->examined;
                }
                report_ = std::move(report);
                if (ends || begins) {
                    examined_steps_ = -1;
                    examination_paused_ = false;
                    ++examination_number_;  // its pause has ended
                }
                examineLater();
            }
            Q_EMIT changed();
        });
}

void RunReporter::pauseReading(std::chrono::steady_clock::duration reading) {
    paused_ = true;
    auto pause = std::chrono::ceil<std::chrono::milliseconds>(kPausePerReading * reading);
    if (report_) pause = std::max(pause, readPause(report_->details.run));
    QTimer::singleShot(pause, this, [this, number = ++pause_number_] {
        if (number != pause_number_) return;
        paused_ = false;
        if (stale_) reload();
    });
}

void RunReporter::examineLater() {
    if (launcher_ == nullptr || examining_ || examination_paused_ || !report_ ||
        report_->details.run.progress.steps == examined_steps_)
        return;
    examining_ = true;
    examination_started_ = std::chrono::steady_clock::now();
    store_.read(
        this, QStringLiteral("shares"), [run = run_](StoreReader& reader) { return loadShares(reader, run); },
        [this, run = run_](Result<std::optional<TimeShares>> loaded) {
            if (run != run_) return;
            const std::optional<TimeShares> shares = loaded ? *loaded : std::nullopt;
            const std::int64_t steps = report_ ? report_->details.run.progress.steps : -1;
            const bool live = report_ && isLive(report_->details.run.status);
            launcher_->ask({QStringLiteral("doctor"), QString::number(run)}, this,
                           [this, run, shares, steps, live](const CommandReply& reply) {
                               if (run != run_) return;
                               // The run has ended or begun in the meantime.
                               if (report_ && ((live && !isLive(report_->details.run.status)) ||
                                               (steps == 0 && report_->details.run.progress.steps > 0))) {
                                   examining_ = false;
                                   return examineLater();
                               }
                               examined(shares, findingsFrom(reply.json.toJson(QJsonDocument::Compact)),
                                        reply.ok() ? steps : -1);
                           });
        });
}

void RunReporter::examined(std::optional<TimeShares> shares, std::vector<Finding> findings,
                           std::int64_t steps) {
    examining_ = false;
    examination_paused_ = true;
    const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - examination_started_);
    const double trained_s = report_ ? report_->details.run.progress.train_seconds : 0;
    const std::chrono::milliseconds share(std::lround(kPauseShare * 1000 * trained_s));
    const auto pause =
        std::clamp(share, kFirstPausePerExamination * duration, kPausePerExamination * duration);
    QTimer::singleShot(std::max(kMinPause, pause), this, [this, number = ++examination_number_] {
        if (number != examination_number_) return;
        examination_paused_ = false;
        examineLater();
    });
    if (steps < 0 || !report_) return;
    examined_steps_ = steps;
    auto report = std::make_shared<RunReport>(*report_);
    report->shares = shares;
    report->findings = std::move(findings);
    report->examined = true;
    report_ = std::move(report);
    Q_EMIT changed();
}

}  // namespace seedbed::ui
