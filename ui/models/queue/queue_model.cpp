// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/queue/queue_model.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

#include <QJsonArray>
#include <QJsonObject>
#include <QMimeData>

#include "core/analysis/config_difference.hpp"
#include "core/base/text.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_link.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/event_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

// MIME type of dragged rows: run ids separated by spaces.
constexpr const char* kRunsType = "application/x-seedbed-queued-runs";
constexpr std::size_t kTrainedRuns = 200;  // number of the newest runs that estimates are based on
constexpr double kNoTarget = -1e29;        // smaller values of run.target_return mean that there is no target
constexpr std::size_t kLinks = 16;         // live runs whose speed is followed
constexpr auto kAskDelay = std::chrono::milliseconds(300), kReportDelay = std::chrono::milliseconds(500);

const RunRecord* findRun(const std::vector<RunRecord>& runs, RunId id) {
    const auto found = std::lower_bound(runs.begin(), runs.end(), id,
                                        [](const RunRecord& run, RunId wanted) { return run.id < wanted; });
    return found != runs.end() && found->id == id ? &*found : nullptr;
}

QString queueLine(const QString& text) {
    return QString::fromStdString(printableText(text.toStdString())).simplified();
}

std::size_t kindOf(const RunRecord& run) { return std::hash<std::string>()(run.env + '\n' + run.algo); }

double numberAt(const Json& config, const char* pointer) {
    const Json::json_pointer at(pointer);
    return config.contains(at) && config.at(at).is_number() ? config.at(at).get<double>() : 0;
}

std::size_t hashWithoutLength(const Json& config) {
    Json settings = withoutSeed(config);
    if (settings.contains("run"))
        for (const char* key : {"steps", "minutes"}) settings["run"].erase(key);
    return std::hash<std::string>()(settings.dump());
}

// "about 5 min", "5 min to 7 min".
QString spanText(const Span& seconds) {
    Estimate minutes;
    minutes.low_minutes = seconds.low / 60;
    minutes.middle_minutes = seconds.middle() / 60;
    minutes.high_minutes = seconds.high / 60;
    return minutesText(minutes);
}

}  // namespace

QueueModel::QueueModel(RunStore& store, Launcher* launcher, const Catalogue* catalogue, QObject* parent)
    : QAbstractListModel(parent), store_(store), launcher_(launcher), catalogue_(catalogue) {
    for (QTimer* timer : {&ask_, &report_}) timer->setSingleShot(true);
    ask_.setInterval(kAskDelay);
    report_.setInterval(kReportDelay);
    connect(&ask_, &QTimer::timeout, this, &QueueModel::readChanges);
    connect(&report_, &QTimer::timeout, this, &QueueModel::estimate);
    connect(&store, &RunStore::queueChanged, this, &QueueModel::refresh);
    connect(&store, &RunStore::runsChanged, this, &QueueModel::refresh);
    if (catalogue != nullptr)
        connect(catalogue, &Catalogue::estimatesChanged, &report_, qOverload<>(&QTimer::start));
}

QueueModel::~QueueModel() = default;

void QueueModel::setShown(bool shown) {
    was_hidden_ = !std::exchange(shown_, shown);
    if (shown_) refresh();
    else links_.clear();
}

void QueueModel::setStopped(bool stopped) {
    if (std::exchange(stopped_, stopped) != stopped) estimate();
}

// With thousands of rows each change would take time from the other pages.
void QueueModel::refresh() {
    if (!shown_) return;
    const RunSnapshot runs = store_.runs();
    std::vector<Row> rows;
    rows.reserve(store_.queue().entries.size());
    for (const QueueEntry& entry : store_.queue().entries)
        if (const RunRecord* run = findRun(*runs, entry.run)) rows.push_back({entry, run});
    const bool same = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                                 [](const Row& a, const Row& b) { return a.entry.run == b.entry.run; });
    if (!same) {
        beginResetModel();
        std::unordered_map<RunId, int> places;
        for (const Row& row : rows) {
            const RunId run = row.entry.run;
            places.emplace(run, static_cast<int>(places.size()));
            if (!places_.contains(run)) plans_.erase(run);  // queued again, it may train for longer
        }
        places_ = std::move(places);
    }
    rows_ = std::move(rows);
    runs_ = runs;
    const bool unseen = std::exchange(was_hidden_, false);
    if (unseen)
        for (const Row& row : rows_)
            if (row.run->progress.steps > 0) plans_.erase(row.entry.run);  // may have been queued again
    readPlans(!same || unseen);
    if (!same) {
        endResetModel();
        const auto is_new = [this](const Row& row) { return !changes_.contains(row.entry.run); };
        if (std::any_of(rows_.begin(), rows_.end(), is_new)) ask_.start();
    }
    followLiveRuns();
    estimate();
}

// The newest runs that have trained.
std::vector<const RunRecord*> QueueModel::trainedRuns() const {
    std::vector<const RunRecord*> trained;
    const std::vector<RunRecord>& runs = *store_.runs();
    for (auto run = runs.rbegin(); run != runs.rend() && trained.size() < kTrainedRuns; ++run)
        if (!run->in_trash && run->progress.steps > 0 && run->progress.train_seconds > 0)
            trained.push_back(&*run);
    return trained;
}

// Reads the settings of runs that matter for estimates; they do not change while the runs are queued.
void QueueModel::readPlans(bool of_rows) {
    std::vector<RunId> unknown;
    const auto add = [&](RunId run) {
        if (plans_.try_emplace(run).second) unknown.push_back(run);
    };
    if (of_rows)
        for (const Row& row : rows_) add(row.entry.run);
    for (const RunRecord* run : trainedRuns()) add(run->id);
    if (unknown.empty()) return;
    store_.read(
        this, QString(),
        [unknown](StoreReader& reader) -> Result<std::map<RunId, Plan>> {
            std::map<RunId, Plan> plans;
            for (const RunId run : unknown) {
                const auto config = reader.configOf(run);
                if (!config) continue;
                Plan& plan = plans[run];
                plan.length = {static_cast<std::int64_t>(numberAt(config->first, "/run/steps")),
                               60 * numberAt(config->first, "/run/minutes")};
                plan.has_target = config->first.contains(Json::json_pointer("/run/target_return")) &&
                                  numberAt(config->first, "/run/target_return") > kNoTarget;
                plan.settings = hashWithoutLength(config->first);
                const auto preset = config->second.find("preset");
                if (preset != config->second.end() && preset->is_string())
                    plan.preset = QString::fromStdString(preset->get<std::string>());
            }
            return plans;
        },
        [this](const Result<std::map<RunId, Plan>>& plans) {
            if (!plans) return;
            for (const auto& [run, plan] : *plans) plans_[run] = plan;
            estimate();
        });
}

// Asks the program, which knows the presets.
void QueueModel::readChanges() {
    if (launcher_ == nullptr) return;
    for (const Row& row : rows_) changes_.try_emplace(row.run->id);  // the request is not repeated
    auto changes = std::make_shared<std::unordered_map<RunId, QString>>();
    launcher_->askForMuch(
        {QStringLiteral("queue"), QStringLiteral("list")}, this,
        [changes](const CommandReply& reply) {
            for (const QJsonValue& entry : reply.json.object()[QStringLiteral("entries")].toArray())
                changes->insert_or_assign(entry[QLatin1String("id")].toInteger(),
                                          queueLine(entry[QLatin1String("settings")].toString()));
        },
        [this, changes](const CommandReply&) {
            changes->merge(changes_);  // the new ones stay
            changes_ = std::move(*changes);
            estimate();
        });
}

void QueueModel::followLiveRuns() {
    std::set<RunId> live;
    for (const Row& row : rows_)
        if (isLive(row.run->status) && live.size() < kLinks) live.insert(row.run->id);
    std::erase_if(links_, [&](const auto& link) { return !live.contains(link.first); });
    for (const RunId run : live) {
        std::unique_ptr<RunLink>& link = links_[run];
        if (link) continue;
        link = std::make_unique<RunLink>(store_.folder());
        link->follow(run);
        connect(link.get(), &RunLink::changed, this, [this] {
            if (!report_.isActive()) report_.start();
        });
    }
}

void QueueModel::estimate() {
    std::vector<TrainedRun> trained;
    for (const RunRecord* run : trainedRuns()) {
        const auto plan = plans_.find(run->id);
        if (plan == plans_.end() || plan->second.settings == 0) continue;  // not read yet
        const bool ended = !isLive(run->status) && run->status != RunStatus::queued;
        trained.push_back({.kind = kindOf(*run),
                           .settings = plan->second.settings,
                           .steps = run->progress.steps,
                           .seconds = run->progress.train_seconds,
                           .started = run->started.value_or(0),
                           .ended = ended ? run->updated : std::numeric_limits<double>::infinity(),
                           .finished = run->status == RunStatus::finished,
                           .reached = plan->second.has_target && run->status == RunStatus::finished
                                          ? std::optional(run->status_text.empty())
                                          : std::nullopt,
                           .length = plan->second.length});
    }
    if (const EstimateScore score = scoreEstimates(trained); score != score_) {
        score_ = score;
        Q_EMIT scoreChanged();
    }
    std::vector<QueueWork> work;
    for (Row& row : rows_) {
        const bool live = isLive(row.run->status);
        row.left = secondsLeft(row, trained);
        work.push_back({.live = live,
                        .held = live ? row.run->status == RunStatus::paused : row.entry.paused,
                        .seconds = row.left});
    }
    const std::vector<QueueTimes> times = forecastQueue(work, store_.queue().at_a_time);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].times = times[i];
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(rows_.size()) - 1));
}

// From the run itself; otherwise from the speed of earlier runs, or as measured for the preset.
std::optional<Span> QueueModel::secondsLeft(const Row& row, const std::vector<TrainedRun>& trained) const {
    const Plan& plan = plans_.at(row.run->id);
    TrainingLength left = plan.length;
    if (plan.has_target) left.target_steps = stepsToTarget(trained, plan.settings);
    // A run does not know when it will reach its target.
    if (const LiveStatus* live = liveStatus(row); live != nullptr && live->eta_s && !left.target_steps)
        return Span{live->eta_s->first, live->eta_s->second};
    std::optional<Span> speed = speedOf(trained, kindOf(*row.run), plan.settings);
    if (!speed && catalogue_ != nullptr)
        if (const auto measured = catalogue_->estimate(plan.preset); measured && measured->low_sps > 0)
            speed = {measured->low_sps, measured->high_sps};
    const std::int64_t done = stepsOf(row);
    if (left.steps > 0) left.steps = std::max<std::int64_t>(1, left.steps - done);
    if (left.target_steps)
        for (double* steps : {&left.target_steps->low, &left.target_steps->high})
            *steps = std::max(1.0, *steps - static_cast<double>(done));
    if (left.seconds > 0) left.seconds = std::max(1.0, left.seconds - row.run->progress.train_seconds);
    return secondsFor(left, speed);
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    // Drops are allowed between rows, not onto them.
    return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags | Qt::ItemIsDropEnabled;
}

QStringList QueueModel::mimeTypes() const { return {QLatin1String(kRunsType)}; }

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
    QStringList runs;
    for (const QModelIndex& at : indexes)
        if (const QString run = QString::number(runAt(at.row())); !runs.contains(run)) runs << run;
    auto* data = new QMimeData();
    data->setData(QLatin1String(kRunsType), runs.join(QLatin1Char(' ')).toLatin1());
    return data;
}

bool QueueModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex&) const {
    return data != nullptr && data->hasFormat(QLatin1String(kRunsType));
}

bool QueueModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                              const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    std::vector<RunId> runs;
    for (const QByteArray& run : data->data(QLatin1String(kRunsType)).split(' '))
        if (const RunId id = run.toLongLong(); rowOf(id) >= 0) runs.push_back(id);
    // A drop below all rows moves the runs to the end.
    if (!runs.empty()) Q_EMIT dropped(runs, row >= 0 ? row : parent.isValid() ? parent.row() : rowCount());
    return false;
}

RunId QueueModel::runAt(int row) const {
    return row >= 0 && row < static_cast<int>(rows_.size()) ? rows_[static_cast<std::size_t>(row)].run->id
                                                            : 0;
}

int QueueModel::rowOf(RunId run) const {
    const auto place = places_.find(run);
    return place == places_.end() ? -1 : place->second;
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == kRunRole) return QVariant::fromValue<qint64>(row.run->id);
    if (role == kPausedRole) return row.entry.paused;
    if (role == kLiveRole) return isLive(row.run->status);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) return {};
    const QueueCard card = cardAt(index.row());
    if (role == Qt::DisplayRole) return card.name;
    QStringList parts{card.place + QStringLiteral(". ") + card.name};
    for (const QString& part : {card.state_text, card.facts, card.change, card.estimate, card.steps})
        if (!part.isEmpty()) parts += part;
    if (role == Qt::AccessibleTextRole) return parts.join(QStringLiteral(", "));
    // Names of others must not be read as HTML; long texts are elided in the row.
    return QStringLiteral("<p>%1</p>")
        .arg(parts.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

QueueCard QueueModel::cardAt(int row) const {
    const Row& shown = rows_[static_cast<std::size_t>(row)];
    const RunRecord& run = *shown.run;
    QueueCard card;
    card.place = countText(row + 1);
    card.name = queueLine(runTitle(run));
    card.facts = queueLine(runFacts(run));
    if (const auto change = changes_.find(run.id); change != changes_.end()) card.change = change->second;
    const bool live = isLive(run.status);
    card.state = run.status == RunStatus::paused || (!live && shown.entry.paused) ? QueueCard::State::held
                 : live                                                           ? QueueCard::State::training
                                                                                  : QueueCard::State::waiting;
    card.state_text = queueLine(stateText(shown));
    card.steps = stepsText(shown);
    card.estimate = estimateText(shown);
    const std::int64_t total = plans_.at(run.id).length.steps;
    if (total > 0 && (live || run.progress.steps > 0))
        card.done = std::clamp(static_cast<double>(stepsOf(shown)) / static_cast<double>(total), 0.0, 1.0);
    return card;
}

QString QueueModel::stateText(const Row& row) const {
    const bool live = isLive(row.run->status);
    if (row.entry.paused && !live) return tr("queued, paused");
    if (live && !row.run->status_text.empty())
        return tr("%1: %2").arg(statusText(row.run->status), statusDetail(row.run->status_text));
    return !live && row.run->progress.steps > 0 ? tr("queued to resume")
           : live                               ? statusText(row.run->status)
                                                : tr("queued");
}

const LiveStatus* QueueModel::liveStatus(const Row& row) const {
    const auto link = links_.find(row.run->id);
    return link != links_.end() && link->second->status() ? &*link->second->status() : nullptr;
}

std::int64_t QueueModel::stepsOf(const Row& row) const {
    const LiveStatus* live = liveStatus(row);
    return live != nullptr && live->steps > 0 ? live->steps : row.run->progress.steps;
}

QString QueueModel::stepsText(const Row& row) const {
    const std::int64_t total = plans_.at(row.run->id).length.steps, done = stepsOf(row);
    const bool live = isLive(row.run->status);
    if (!live && done == 0) return total > 0 ? tr("%1 steps").arg(countText(total)) : QString();
    const QString steps = total > 0 ? tr("%1 of %2 steps").arg(countText(done), countText(total))
                                    : tr("%1 steps").arg(countText(done));
    const LiveStatus* status = liveStatus(row);
    const double speed = status != nullptr ? status->steps_per_s : meanSpeed(*row.run);
    if (row.run->status != RunStatus::running || !(speed > 0)) return steps;
    return steps + QStringLiteral(" · ") + tr("%1 steps/s").arg(compactCount(speed));
}

QString QueueModel::estimateText(const Row& row) const {
    if (!row.left) return tr("no estimate yet");
    const QString left = spanText(*row.left);
    if (row.run->status == RunStatus::paused) return tr("%1 left").arg(left);
    if (isLive(row.run->status)) return tr("ends in %1").arg(left);
    const auto& [starts, ends] = row.times;
    if (stopped_ || !starts || !ends) return tr("takes %1").arg(left);
    const QString start = spanText(*starts);
    return start.isEmpty() || starts->high < 1 ? tr("starts now, ends in %1").arg(spanText(*ends))
                                               : tr("starts in %1, ends in %2").arg(start, spanText(*ends));
}

std::optional<QueueWatch::Summary> QueueWatch::update(const QueueState& queue,
                                                      const std::vector<RunRecord>& runs) {
    const bool same = std::equal(queue.entries.begin(), queue.entries.end(), queued_.begin(), queued_.end(),
                                 [](const QueueEntry& entry, RunId run) { return entry.run == run; });
    if (!same) {
        queued_.clear();
        for (const QueueEntry& entry : queue.entries) queued_.push_back(entry.run);
        seen_.insert(queued_.begin(), queued_.end());
    }
    if (std::any_of(queue.entries.begin(), queue.entries.end(),
                    [&](const QueueEntry& entry) { return findRun(runs, entry.run) != nullptr; }))
        return std::nullopt;
    bool open = false;
    Summary summary;
    for (const RunId id : seen_) {
        const RunRecord* run = findRun(runs, id);
        if (run == nullptr || run->in_trash) continue;  // deleted or moved to the trash by the user
        open |= isLive(run->status);
        summary.finished += run->status == RunStatus::finished;
        summary.failed += run->status == RunStatus::failed;
        if (run->status == RunStatus::interrupted)
            ++(run->status_text == kStoppedOnRequest ? summary.stopped : summary.interrupted);
        summary.last = std::max(summary.last, id);
    }
    if (open || seen_.empty()) return std::nullopt;
    seen_.clear();
    queued_.clear();
    if (summary.finished + summary.failed + summary.stopped + summary.interrupted == 0) return std::nullopt;
    return summary;
}

}  // namespace seedbed::ui
