// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_writer.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/store/rows/row_batch.hpp"
#include "core/store/rows/unsaved_rows.hpp"

namespace seedbed {

namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

struct RunWriter::Impl {
    using SharedBatch = std::shared_ptr<const NumberedBatch>;

    std::filesystem::path folder;
    RunId run = 0;
    RunWriterOptions options;
    SegmentKey key;

    // Shared by callers and the writer's thread, under `mutex`.
    mutable Mutex mutex;
    ConditionVariable work;                                      // the writer waits for rows, flush, stop
    StoppableConditionVariable room;                             // callers wait for space in the queue
    StoppableConditionVariable done;                             // flush() waits
    RowBatch queue SEEDBED_GUARDED_BY(mutex);                    // rows appended by calls
    std::deque<SharedBatch> sealed SEEDBED_GUARDED_BY(mutex);    // complete; the first one is being written
    std::deque<SharedBatch> unsynced SEEDBED_GUARDED_BY(mutex);  // committed, but not known to be on disk
    std::size_t sealed_bytes SEEDBED_GUARDED_BY(mutex) = 0;
    std::size_t unsynced_bytes SEEDBED_GUARDED_BY(mutex) = 0;
    std::int64_t next_number SEEDBED_GUARDED_BY(mutex) = 1;  // number of the next sealed batch
    std::map<std::string, std::size_t, std::less<>> names SEEDBED_GUARDED_BY(mutex);
    std::uint64_t calls SEEDBED_GUARDED_BY(mutex) = 0;         // calls accepted so far
    std::uint64_t synced_calls SEEDBED_GUARDED_BY(mutex) = 0;  // accepted calls that are synced to disk
    std::uint64_t flush_calls SEEDBED_GUARDED_BY(mutex) = 0;   // number of calls that flush() waits for
    std::uint64_t failures SEEDBED_GUARDED_BY(mutex) = 0;      // failed attempts to save
    bool stopping SEEDBED_GUARDED_BY(mutex) = false;
    // Set if a stop was requested while the queue was full. Later rows are also dropped, so that the saved
    // rows remain a prefix.
    bool gave_up SEEDBED_GUARDED_BY(mutex) = false;
    WriterHealth health SEEDBED_GUARDED_BY(mutex);
    std::atomic<bool> stop_flag{false};

    // Writer's thread only.
    std::unique_ptr<RowSink> sink;
    std::vector<std::string> name_list;
    std::int64_t committed_number = 0;  // number of the newest committed batch
    std::uint64_t committed_calls = 0;
    bool reported_saving = true;  // the last value that on_health reported
    bool had_file_error = false;  // a sink had a file error, and no later transaction succeeded
    SteadyClock::time_point last_sync = SteadyClock::now();
    std::optional<SteadyClock::time_point> stop_time;

    NamedThread thread;  // declared last because it uses the members above

    std::chrono::milliseconds timeFor(std::chrono::milliseconds limit) const {
        return options.stop_budget == nullptr ? limit : options.stop_budget->left(limit);
    }
    bool keepWaiting(std::chrono::milliseconds waited) const {
        return waited < (stop_flag ? timeFor(options.shutdown_timeout) : options.lock_timeout);
    }

    Result<> complete() const SEEDBED_REQUIRES(mutex) {
        if (!gave_up) return {};
        return fail(
            health.saving ? ErrorCode::failure : health.error.code,
            "the newest rows of run " + std::to_string(run) + " could not be saved before it was stopped" +
                (health.saving ? "" : ": " + health.error.text()) + "; everything saved earlier is safe");
    }

    void startNumbering() {
        MutexLock lock(mutex);
        next_number = committed_number + 1;
    }

    std::size_t queuedBytes() const SEEDBED_REQUIRES(mutex) { return queue.bytes + sealed_bytes; }

    // Leaves space for events, states and the rows of one more update.
    bool isFull() const SEEDBED_REQUIRES(mutex) {
        return !gave_up && queuedBytes() > options.queue_bytes - options.queue_bytes / 8;
    }

    std::size_t nameIndex(std::string_view text) SEEDBED_REQUIRES(mutex) {
        auto name = names.find(text);
        if (name == names.end()) name = names.emplace(text, names.size()).first;
        return name->second;
    }

    void report(std::int64_t step, double time, std::span<const Value> values) const {
        if (options.on_points && !values.empty()) options.on_points(step, time, values);
    }
    void addPoints(RowBatch& to, std::int64_t step, double time, std::span<const Value> values)
        SEEDBED_REQUIRES(mutex) {
        for (const auto& value : values)
            to.points.push_back({nameIndex(value.name), {step, time, value.value}});
    }

    // Waits for space, then calls `add` to append rows to the queue while the mutex is held. Clang cannot
    // detect this, so lambdas that call addPoints() disable the thread-safety analysis.
    template <class Add>
    void enqueue(std::size_t bytes, const Add& add) {
        MutexLock lock(mutex);
        // Rows larger than the whole queue are accepted if it is empty.
        const auto fits = [&]() SEEDBED_REQUIRES(mutex) {
            return queuedBytes() + bytes <= options.queue_bytes || queuedBytes() == 0;
        };
        if (gave_up) return;
        // After a stop request, rows that are still being saved may free space.
        if (!fits() && !room.wait(lock, options.stop, fits))
            gave_up = !room.waitFor(lock, timeFor(options.shutdown_timeout), fits);
        if (gave_up) return;
        add(queue);
        queue.bytes += bytes;
        ++calls;
        work.notifyOne();
    }

    // Turns the queued rows into a numbered batch. Nothing changes if there is not enough memory.
    void seal() SEEDBED_REQUIRES(mutex) {
        if (queue.empty()) return;
        auto batch = std::make_shared<NumberedBatch>();
        sealed.push_back(batch);
        batch->number = next_number++;
        batch->calls = calls;
        batch->rows = std::exchange(queue, RowBatch{});
        sealed_bytes += batch->rows.bytes;
    }

    Result<> writeUntilStopped() {
        while (true) {
            Result<bool> ended = guarded([this] { return writeNext(); });
            if (ended ? *ended : !retryAfter(std::move(ended).error())) return {};
        }
    }

    // Turns exceptions, such as out of memory, into errors.
    template <class Body>
    static Result<bool> guarded(const Body& body) {
        try {
            return body();
        } catch (...) {
            return tl::unexpected<Error>(currentException());
        }
    }

    // Waits for rows or a sync that is due and writes the oldest batch. Returns whether everything is written
    // and the writer should stop. After an error or exception the batch is still queued.
    Result<bool> writeNext() {
        SharedBatch batch;
        bool sync = false;
        bool wanted = false;
        {
            MutexLock lock(mutex);
            waitForWork(lock);
            if (sealed.empty()) seal();
            if (!sealed.empty()) batch = sealed.front();
            else committed_calls = calls;  // the calls since the newest batch had no rows
            for (const auto& [name, index] : names) {
                if (index >= name_list.size()) name_list.resize(index + 1);
                if (name_list[index].empty()) name_list[index] = name;
            }
            // A flush syncs once, with the last batch that it waits for.
            const bool flushing =
                flush_calls > synced_calls && (batch ? batch->calls : committed_calls) >= flush_calls;
            const bool leaving = stopping && queue.empty() && sealed.size() <= 1;
            sync = flushing || leaving || SteadyClock::now() - last_sync >= options.sync_interval ||
                   unsynced_bytes > options.queue_bytes / 4;
            wanted = batch || (sync && (flushing || !unsynced.empty()));
        }
        if (wanted) SEEDBED_TRY(write(batch.get(), sync));
        MutexLock lock(mutex);
        if (batch) finishBatch();
        if (sync) {
            unsynced.clear();
            unsynced_bytes = 0;
            synced_calls = committed_calls;
            last_sync = SteadyClock::now();
        }
        room.notifyAll();
        done.notifyAll();
        return stopping && queue.empty() && sealed.empty();
    }

    // If this fails for lack of memory, the batch is written again, which has no effect.
    void finishBatch() SEEDBED_REQUIRES(mutex) {
        unsynced.push_back(sealed.front());
        unsynced_bytes += sealed.front()->rows.bytes;
        sealed_bytes -= sealed.front()->rows.bytes;
        sealed.pop_front();
    }

    // Returns when rows have waited for commit_interval, a sync or flush is due, or a stop is requested.
    void waitForWork(MutexLock& lock) SEEDBED_REQUIRES(mutex) {
        const auto urgent = [this]() SEEDBED_REQUIRES(mutex) {
            return stopping || flush_calls > synced_calls || !sealed.empty();
        };
        if (!unsynced.empty()) {
            work.waitUntil(lock, last_sync + options.sync_interval,
                           [&]() SEEDBED_REQUIRES(mutex) { return urgent() || !queue.empty(); });
        } else {
            work.wait(lock, [&]() SEEDBED_REQUIRES(mutex) { return urgent() || !queue.empty(); });
        }
        if (queue.empty() || urgent()) return;
        work.waitFor(lock, options.commit_interval, [&]() SEEDBED_REQUIRES(mutex) {
            return urgent() || queue.bytes > options.queue_bytes / 2;
        });
    }

    // `batch`: null for a sync only.
    Result<> write(const NumberedBatch* batch, bool sync) {
        if (!sink) SEEDBED_TRY(openSink());
        static const RowBatch none;
        SEEDBED_TRY(sink->write(batch ? batch->rows : none, batch ? batch->number : committed_number,
                                name_list, sync));
        if (batch) {
            committed_number = batch->number;
            committed_calls = batch->calls;
        }
        had_file_error = false;
        {
            MutexLock lock(mutex);
            health = {true, {}};
        }
        reportHealth();
        return {};
    }

    Result<> openSink() {
        SEEDBED_ASSIGN(auto opened,
                       RowSink::open(
                           folder, run, [this](auto waited) { return keepWaiting(waited); }, options.system));
        if (!(opened->key() == key))
            return fail("the database in '" + folder.string() +
                        "' was replaced while in use: it does not contain this process of run " +
                        std::to_string(run) + "; put the original back to save the rows that are waiting");
        SEEDBED_ASSIGN(const std::int64_t newest, opened->batches());
        if (newest < committed_number) {
            log::warning("the database was replaced by an older copy; rows in between are missing",
                         {{"run", run}});
            committed_number = newest;
        }
        sink = std::move(opened);
        if (had_file_error) sink->setFileError();
        return {};
    }

    // After a failed attempt: waits until the next one is due. Returns false if shutdown_timeout has passed.
    // Works without free memory.
    bool retryAfter(Error error) {
        had_file_error = had_file_error || (sink && sink->hadFileError());
        sink.reset();
        {
            MutexLock lock(mutex);
            health = {false, std::move(error)};
            ++failures;
            done.notifyAll();
            if (stopping && !stop_time) stop_time = SteadyClock::now() + timeFor(options.shutdown_timeout);
        }
        (void)guarded([this] { return reportHealth(); });
        if (stop_time && SteadyClock::now() > *stop_time) {
            (void)guarded([this] { return reportLoss(); });
            return false;
        }
        MutexLock lock(mutex);
        const bool was_stopping = stopping;
        work.waitFor(lock,
                     std::min(options.retry_interval, std::chrono::milliseconds(was_stopping ? 100 : 60'000)),
                     [&]() SEEDBED_REQUIRES(mutex) { return stopping && !was_stopping; });
        return true;
    }

    // Calls on_health if `health.saving` has changed since its last call. Returns true, for guarded().
    bool reportHealth() {
        WriterHealth now;
        {
            MutexLock lock(mutex);
            if (health.saving == reported_saving) return true;
            now = health;
        }
        reported_saving = now.saving;
        if (options.on_health) options.on_health(now);
        return true;
    }

    bool reportLoss() {
        MutexLock lock(mutex);
        log::warning("rows of this run could not be written to the database when its process stopped",
                     {{"run", run}, {"reason", health.error.text()}});
        return true;
    }
};

RunWriter::RunWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<RunWriter>> RunWriter::open(const std::filesystem::path& data_folder,
                                                   const RunLock& lock, RunWriterOptions options) {
    auto impl = std::make_unique<Impl>();
    impl->folder = data_folder;
    impl->run = lock.run();
    impl->options = std::move(options);
    Impl* self = impl.get();
    SEEDBED_ASSIGN(impl->sink,
                   RowSink::open(
                       data_folder, impl->run, [self](auto waited) { return self->keepWaiting(waited); },
                       impl->options.system));
    impl->key = impl->sink->key();
    SEEDBED_ASSIGN(impl->committed_number, impl->sink->batches());
    impl->startNumbering();
    std::unique_ptr<RunWriter> writer(new RunWriter(std::move(impl)));
    // Started last, because only the destructor of RunWriter stops it.
    self->thread =
        NamedThread("store-writer", [self](std::stop_token) { return self->writeUntilStopped(); }, {});
    return writer;
}

RunWriter::~RunWriter() {
    {
        MutexLock lock(impl_->mutex);
        impl_->stopping = true;
        impl_->stop_flag = true;
    }
    impl_->work.notifyAll();
    impl_->thread.join();
    try {
        if (impl_->sink) impl_->sink->checkpointLog();
    } catch (...) {
        // Closing the log is optional, and may fail if memory is exhausted.
    }
}

void RunWriter::metrics(std::int64_t step, double time, std::span<const Value> values) {
    impl_->report(step, time, values);
    impl_->enqueue(values.size() * sizeof(RowBatch::Point),
                   [&](RowBatch& queue)
                       SEEDBED_NO_THREAD_SAFETY_ANALYSIS { impl_->addPoints(queue, step, time, values); });
}

void RunWriter::episodes(std::span<const EpisodeRecord> episodes) {
    impl_->enqueue(episodes.size_bytes(), [&](RowBatch& queue) {
        queue.episodes.insert(queue.episodes.end(), episodes.begin(), episodes.end());
    });
}

void RunWriter::evaluation(EvaluationRecord evaluation, std::span<const Value> values) {
    impl_->report(evaluation.step, evaluation.time, values);
    const std::size_t bytes =
        sizeof evaluation + evaluation.episodes.size() * sizeof(EvaluationRecord::Episode);
    impl_->enqueue(bytes, [&](RowBatch& queue) SEEDBED_NO_THREAD_SAFETY_ANALYSIS {
        impl_->addPoints(queue, evaluation.step, evaluation.time, values);
        queue.evaluations.push_back(std::move(evaluation));
    });
}

void RunWriter::checkpoint(CheckpointRecord checkpoint) {
    impl_->enqueue(sizeof checkpoint,
                   [&](RowBatch& queue) { queue.checkpoints.push_back(std::move(checkpoint)); });
}

void RunWriter::checkpointsRemoved(std::span<const std::int64_t> steps) {
    impl_->enqueue(steps.size_bytes(), [&](RowBatch& queue) {
        queue.removed_checkpoints.insert(queue.removed_checkpoints.end(), steps.begin(), steps.end());
    });
}

void RunWriter::event(EventRecord event) {
    const std::size_t bytes = sizeof event + event.text.size() + 256;
    impl_->enqueue(bytes, [&](RowBatch& queue) { queue.events.push_back(std::move(event)); });
}

void RunWriter::status(RunStatus status, std::string_view text) {
    impl_->enqueue(64, [&](RowBatch& queue) { queue.status = {status, std::string(text)}; });
}

void RunWriter::progress(const RunProgress& progress) {
    // Replaces the previous value, so it needs no space in the queue.
    impl_->enqueue(0, [&](RowBatch& queue) { queue.progress = progress; });
}

void RunWriter::setAuto(const Json& auto_settings, const Json& devices) {
    impl_->enqueue(1024, [&](RowBatch& queue) { queue.auto_settings = {auto_settings, devices}; });
}

void RunWriter::config(ConfigChange change) {
    impl_->enqueue(4096, [&](RowBatch& queue) { queue.configs.push_back(std::move(change)); });
}

Result<> RunWriter::flush() {
    MutexLock lock(impl_->mutex);
    const std::uint64_t target = impl_->calls;
    const std::uint64_t failures = impl_->failures;
    if (impl_->synced_calls >= target) return impl_->complete();
    impl_->flush_calls = std::max(impl_->flush_calls, target);
    impl_->work.notifyAll();
    impl_->done.wait(lock, {}, [&]() SEEDBED_REQUIRES(impl_->mutex) {
        return impl_->synced_calls >= target || impl_->failures > failures;
    });
    if (impl_->synced_calls >= target) return impl_->complete();
    return tl::unexpected<Error>(impl_->health.error);
}

Result<> RunWriter::flushWithin(std::chrono::milliseconds timeout, const std::stop_token& stop) {
    MutexLock lock(impl_->mutex);
    const std::uint64_t target = impl_->calls;
    impl_->flush_calls = std::max(impl_->flush_calls, target);
    impl_->work.notifyAll();
    const bool saved =
        impl_->done.waitFor(lock, stop, impl_->timeFor(timeout),
                            [&]() SEEDBED_REQUIRES(impl_->mutex) { return impl_->synced_calls >= target; });
    if (saved) return impl_->complete();
    if (!impl_->health.saving) return tl::unexpected<Error>(impl_->health.error);
    return fail("the database '" + (impl_->folder / kDatabaseName).string() +
                "' does not respond: close the program that writes to it (a database browser or shell)");
}

std::vector<std::uint8_t> RunWriter::unsavedRows() {
    UnsavedRows rows{impl_->key.uid, impl_->key.segment, {}, {}};
    {
        MutexLock lock(impl_->mutex);
        impl_->seal();
        rows.batches.assign(impl_->unsynced.begin(), impl_->unsynced.end());
        rows.batches.insert(rows.batches.end(), impl_->sealed.begin(), impl_->sealed.end());
        rows.names.resize(impl_->names.size());
        for (const auto& [name, index] : impl_->names) rows.names[index] = name;
    }
    return rows.batches.empty() ? std::vector<std::uint8_t>() : encodeRows(rows);
}

Result<bool> RunWriter::addUnsavedRows(std::span<const std::uint8_t> bytes) {
    SEEDBED_ASSIGN(const UnsavedRows rows, decodeRows(bytes));
    if (rows.uid != impl_->key.uid || rows.segment < impl_->key.segment) return false;
    if (rows.segment > impl_->key.segment)
        return fail("the database is an older copy that does not contain the latest process of run " +
                    std::to_string(impl_->run) + ", whose rows could not be written yet");
    MutexLock lock(impl_->mutex);
    bool added = false;
    for (const auto& batch : rows.batches) {
        if (batch->number < impl_->next_number) continue;
        auto copy = std::make_shared<NumberedBatch>(*batch);
        copy->calls = ++impl_->calls;
        for (auto& point : copy->rows.points) point.name = impl_->nameIndex(rows.names[point.name]);
        impl_->next_number = batch->number + 1;
        impl_->sealed_bytes += copy->rows.bytes;
        impl_->sealed.push_back(std::move(copy));
        added = true;
    }
    impl_->work.notifyAll();
    return added;
}

bool RunWriter::isFull() const {
    MutexLock lock(impl_->mutex);
    return impl_->isFull();
}

void RunWriter::waitForRoom(std::chrono::milliseconds timeout) {
    MutexLock lock(impl_->mutex);
    impl_->room.waitFor(lock, impl_->options.stop, timeout,
                        [this]() SEEDBED_REQUIRES(impl_->mutex) { return !impl_->isFull(); });
}

WriterHealth RunWriter::health() const {
    MutexLock lock(impl_->mutex);
    return impl_->health;
}

}  // namespace seedbed
