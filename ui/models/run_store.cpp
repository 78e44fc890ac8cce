// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_store.hpp"

#include <algorithm>
#include <set>

#include <sys/stat.h>

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/store/database.hpp"
#include "ui/models/run_filter.hpp"

namespace seedbed::ui {
namespace {

using Clock = std::chrono::steady_clock;

// Time to wait for another program's lock before reporting StoreState::locked.
constexpr std::chrono::milliseconds kLockTimeout{300};
// If reading the whole list took t, it is not read again for kListPauseFactor * t.
constexpr int kListPauseFactor = 20;
// If a poll took t, the next one starts after kPollPauseFactor * t, but not before the poll interval has
// passed.
constexpr int kPollPauseFactor = 2;
// Between two reads of the whole list, this many queued jobs and ids after the newest known run are read.
constexpr std::size_t kFirstJobs = 16, kNewRuns = 64;
constexpr std::chrono::milliseconds kRetryInterval{1000}, kMaxLivePause{2000};
// After RunStore::refresh().
constexpr std::chrono::milliseconds kEagerInterval{20}, kEagerTime{1000};

// Identifies the file at a path, to detect that it was moved, deleted or replaced while open.
struct FileIdentity {
    dev_t device = 0;
    ino_t file = 0;
    bool exists = false;

    static FileIdentity of(const std::filesystem::path& path) {
        struct stat info {};
        if (stat(path.c_str(), &info) != 0) return {};
        return {info.st_dev, info.st_ino, true};
    }
    bool operator==(const FileIdentity&) const = default;
};

// A connection that is opened on demand, and again if the file was replaced.
class Connection {
public:
    explicit Connection(const std::filesystem::path& folder)
        : folder_(folder), file_(folder / kDatabaseName) {}

    Result<StoreReader*> get(const std::stop_token& stop) {
        stop_ = stop;
        gave_up_ = false;
        const FileIdentity now = FileIdentity::of(file_);
        if (reader_ && now == identity_) return &*reader_;
        reader_.reset();
        if (!now.exists) return fail("there is no database in '" + folder_.string() + "'");
        SEEDBED_ASSIGN(StoreReader reader,
                       StoreReader::open(folder_, [this](std::chrono::milliseconds waited) {
                           gave_up_ = stop_.stop_requested() || waited > kLockTimeout;
                           return !gave_up_;
                       }));
        reader_ = std::move(reader);
        identity_ = now;
        ++openings_;
        return &*reader_;
    }
    // Number of times the connection was opened; data versions are comparable within one connection only.
    int openings() const { return openings_; }
    bool exists() const { return FileIdentity::of(file_).exists; }
    // Whether the last call failed because another program holds a lock.
    bool gaveUp() const { return gave_up_; }
    void close() { reader_.reset(); }

private:
    std::filesystem::path folder_, file_;
    std::optional<StoreReader> reader_;
    FileIdentity identity_;
    std::stop_token stop_;
    int openings_ = 0;
    bool gave_up_ = false;
};

bool sameRun(const RunRecord& a, const RunRecord& b) {
    return a.id == b.id && a.name == b.name && a.env == b.env && a.algo == b.algo && a.seed == b.seed &&
           a.status == b.status && a.status_text == b.status_text && a.progress.steps == b.progress.steps &&
           a.progress.updates == b.progress.updates && a.progress.train_seconds == b.progress.train_seconds &&
           a.updated == b.updated && a.best_return == b.best_return && a.last_return == b.last_return &&
           a.return_source == b.return_source && a.tags == b.tags && a.notes == b.notes && a.star == b.star &&
           a.archived == b.archived && a.in_trash == b.in_trash;
}

bool sameQueue(const QueueState& a, const QueueState& b) {
    return a.at_a_time == b.at_a_time && a.paused == b.paused &&
           std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                      [](const QueueEntry& x, const QueueEntry& y) {
                          return x.run == y.run && x.paused == y.paused && x.begun == y.begun &&
                                 x.attempts == y.attempts;
                      });
}

}  // namespace

struct RunStore::Publication {
    std::optional<StoreState> state;
    RunSnapshot runs;  // null if the list is unchanged
    SearchTexts search_texts;
    std::optional<QueueState> queue;
    bool changed = false;
};

struct RunStore::Poller {
    RunStore& store;
    Mutex mutex;
    StoppableConditionVariable wake;
    std::chrono::milliseconds interval SEEDBED_GUARDED_BY(mutex);
    bool poll_now SEEDBED_GUARDED_BY(mutex) = false;
    Clock::time_point eager_until SEEDBED_GUARDED_BY(mutex);

    // Used by the polling thread only.
    std::chrono::milliseconds every{};  // copy of `interval`
    Connection connection;
    bool was_ready = false;
    std::optional<std::pair<int, std::int64_t>> version;  // Connection::openings() and its data version
    StoreState published;
    RunSnapshot runs;
    RunSnapshot outdated;  // freed by this thread, which takes long for thousands of runs
    SearchTexts search_texts;
    std::optional<QueueState> queue;
    Clock::time_point checked_owners;
    bool list_due = true;       // read the whole list in this poll
    bool list_outdated = true;  // something was committed since the list was read
    Clock::time_point list_paused_until;
    Clock::duration list_duration{};

    NamedThread thread;

    Poller(RunStore& owner, std::chrono::milliseconds poll)
        : store(owner),
          interval(poll),
          connection(owner.folder()),
          thread(
              "ui-store",
              [this](const std::stop_token& stop) -> Result<> {
                  loop(stop);
                  return {};
              },
              NamedThread::OnFailure()) {}

    void loop(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            {
                const MutexLock lock(mutex);
                every = interval;
            }
            const auto started = Clock::now();
            const Result<bool> polled = poll(stop);
            if (stop.stop_requested()) return;
            if (!polled) publishFailure(polled.error());
            const auto worked = Clock::now() - started;
            const auto retry = !polled && !connection.gaveUp() ? std::min(kRetryInterval, 10 * every) : every;
            MutexLock lock(mutex);
            const bool eager = Clock::now() < eager_until;
            const auto pause = std::max<Clock::duration>(
                eager ? std::min(every, kEagerInterval) : std::max(retry, livePause()),
                kPollPauseFactor * worked);
            wake.waitFor(lock, stop, pause, [this]() SEEDBED_REQUIRES(mutex) { return poll_now; });
            list_due = std::exchange(poll_now, false);
        }
    }

    // Reads the changes; returns whether anything was published.
    Result<bool> poll(const std::stop_token& stop) {
        SEEDBED_ASSIGN(StoreReader* const reader, connection.get(stop));
        SEEDBED_ASSIGN(const std::int64_t data_version, reader->dataVersion());
        const std::pair now{connection.openings(), data_version};
        // A crashed process commits nothing, so the locks of active runs are checked regularly.
        const bool owners = Clock::now() - checked_owners > std::chrono::seconds(1) && anyLive();
        const bool changed = version != now;
        list_outdated = list_outdated || changed || published.kind != StoreState::Kind::ready;
        const bool other_file = !version || version->first != now.first;
        list_due = list_due || !runs || other_file || Clock::now() >= list_paused_until;
        if (!changed && !owners && !(list_outdated && list_due)) return false;
        checked_owners = Clock::now();
        // If reading the list takes a long time, notifies charts first.
        const bool list_is_long = list_duration > every / 4;
        Publication publication;
        publication.changed = changed;
        if (changed && list_is_long) send(std::exchange(publication, {}));

        std::vector<RunRecord> found;
        SEEDBED_ASSIGN(QueueState found_queue, reader->queue());
        if (!list_is_long || list_due) {
            const auto started = Clock::now();
            SEEDBED_ASSIGN(found, reader->runs());
            list_duration = Clock::now() - started;
            list_paused_until = Clock::now() + kListPauseFactor * list_duration;
            list_outdated = false;
        } else {
            SEEDBED_ASSIGN(found, updatedRows(*reader, found_queue));
        }
        version = now;
        was_ready = true;
        if (!runs || !std::equal(found.begin(), found.end(), runs->begin(), runs->end(), sameRun)) {
            auto texts = std::make_shared<std::vector<QString>>();
            texts->reserve(found.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                texts->push_back(runs && i < runs->size() && sameRun((*runs)[i], found[i])
                                     ? (*search_texts)[i]
                                     : searchTextOf(found[i]));
            search_texts = std::move(texts);
            outdated = std::move(runs);
            runs = std::make_shared<const std::vector<RunRecord>>(std::move(found));
            publication.runs = runs;
            publication.search_texts = search_texts;
            publication.changed = publication.changed || changed;
        }
        if (!queue || !sameQueue(*queue, found_queue)) publication.queue = queue = std::move(found_queue);
        setState(publication, {StoreState::Kind::ready, QString()});
        send(std::move(publication));
        return true;
    }

    // Copies the list and updates the rows that change without user action: active runs, the first jobs of
    // the queue, new runs.
    Result<std::vector<RunRecord>> updatedRows(StoreReader& reader, const QueueState& queue_now) {
        std::set<RunId> ids;
        for (const RunRecord& run : *runs)
            if (isLive(run.status)) ids.insert(run.id);
        for (std::size_t i = 0; i < queue_now.entries.size(); ++i)
            if (i < kFirstJobs || queue_now.entries[i].begun) ids.insert(queue_now.entries[i].run);
        std::vector<RunRecord> list = *runs;
        const RunId newest = list.empty() ? 0 : list.back().id;
        const auto update = [&](RunId id) -> Result<bool> {
            auto now = reader.run(id);
            if (!now && now.error().code == ErrorCode::config)
                return false;  // the run was deleted; its row is removed when the whole list is read
            if (!now) return tl::unexpected<Error>(std::move(now).error());
            const auto at =
                std::lower_bound(list.begin(), list.end(), id,
                                 [](const RunRecord& run, RunId wanted) { return run.id < wanted; });
            if (at != list.end() && at->id == id) *at = std::move(*now);
            else list.insert(at, std::move(*now));
            return true;
        };
        for (const RunId id : ids) SEEDBED_TRY(update(id));
        for (RunId id = newest + 1; id <= newest + static_cast<RunId>(kNewRuns); ++id) {
            SEEDBED_ASSIGN(const bool is_there, update(id));
            if (!is_there) break;
        }
        return list;
    }

    bool anyLive() const {
        return runs && std::any_of(runs->begin(), runs->end(),
                                   [](const RunRecord& run) { return isLive(run.status); });
    }

    // While runs train: what the newest of them allows, since every change that is shown takes time from
    // them.
    std::chrono::milliseconds livePause() const {
        if (!anyLive()) return {};
        auto pause = kMaxLivePause;
        for (const RunRecord& run : *runs)
            if (isLive(run.status)) pause = std::min(pause, readPause(run));
        return pause;
    }

    void publishFailure(const Error& error) {
        using Kind = StoreState::Kind;
        StoreState state{Kind::failed, QString::fromStdString(error.text())};
        const QString folder = QString::fromStdString(store.folder().string());
        if (connection.gaveUp()) {
            state = {Kind::locked, RunStore::tr("Another program has locked the database in %1. Nothing is "
                                                "lost; the window reconnects when the lock is released.")
                                       .arg(folder)};
        } else if (!connection.exists()) {
            if (was_ready)
                state = {
                    Kind::disappeared,
                    RunStore::tr("The data folder %1 is missing: it was moved, deleted or unmounted. The "
                                 "window shows the last known state and reconnects when the folder is back.")
                        .arg(folder)};
            else state = {Kind::empty, QString()};
        }
        connection.close();
        version.reset();
        Publication publication;
        // Publishes an empty list, but only once.
        if (!runs) {
            runs = std::make_shared<const std::vector<RunRecord>>();
            search_texts = std::make_shared<const std::vector<QString>>();
            publication.runs = runs;
            publication.search_texts = search_texts;
        }
        if (setState(publication, state)) send(std::move(publication));
    }

    bool setState(Publication& publication, const StoreState& state) {
        if (published == state) return false;
        publication.state = published = state;
        return true;
    }

    void send(Publication publication) {
        QMetaObject::invokeMethod(
            &store, [this, publication = std::move(publication)] { store.publish(publication); },
            Qt::QueuedConnection);
    }
};

RunStore::RunStore(std::filesystem::path data_folder, int poll_ms, QObject* parent)
    : QObject(parent),
      folder_(std::move(data_folder)),
      runs_(std::make_shared<const std::vector<RunRecord>>()),
      search_texts_(std::make_shared<const std::vector<QString>>()),
      readers_(QStringLiteral("ui-read")) {
    reader_ = [connection = std::make_shared<Connection>(folder_)](const std::stop_token& stop) {
        return connection->get(stop);
    };
    poller_ = std::make_unique<Poller>(*this, std::chrono::milliseconds(poll_ms));
}

RunStore::~RunStore() = default;

std::chrono::milliseconds readPause(const RunRecord& run) {
    constexpr double kPauseShare = 0.02, kLongestMs = 2000;  // of the training time
    if (!isLive(run.status)) return {};
    return std::chrono::milliseconds(
        std::lround(std::min(1000 * kPauseShare * run.progress.train_seconds, kLongestMs)));
}

bool RunStore::isTraining() const {
    return std::any_of(runs()->begin(), runs()->end(),
                       [](const RunRecord& run) { return isLive(run.status); });
}

const RunRecord* RunStore::find(RunId run) const {
    const auto at = std::lower_bound(runs_->begin(), runs_->end(), run,
                                     [](const RunRecord& record, RunId id) { return record.id < id; });
    return at != runs_->end() && at->id == run ? &*at : nullptr;
}

void RunStore::refresh() {
    {
        const MutexLock lock(poller_->mutex);
        poller_->poll_now = true;
        poller_->eager_until = Clock::now() + kEagerTime;
    }
    poller_->wake.notifyOne();
}

void RunStore::setPollInterval(int poll_ms) {
    const std::chrono::milliseconds interval(poll_ms);
    {
        const MutexLock lock(poller_->mutex);
        if (interval < std::exchange(poller_->interval, interval)) poller_->poll_now = true;
    }
    poller_->wake.notifyOne();
}

void RunStore::publish(const Publication& publication) {
    if (publication.runs) {
        runs_ = publication.runs;
        search_texts_ = publication.search_texts;
    }
    if (publication.queue) queue_ = *publication.queue;
    if (publication.state) state_ = *publication.state;
    if (publication.changed) ++changes_;
    // Emits signals only after all members are set.
    if (publication.state) Q_EMIT stateChanged();
    if (publication.runs) Q_EMIT runsChanged();
    if (publication.queue) Q_EMIT queueChanged();
    if (publication.changed) Q_EMIT changed();
}

}  // namespace seedbed::ui
