// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_writer.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/store/row_batch.hpp"

namespace seedbed {

namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

struct RunWriter::Impl {
    std::filesystem::path folder;
    RunId run = 0;
    RunWriterOptions options;

    // Shared by callers and the writer's thread, under `mutex`.
    mutable Mutex mutex;
    ConditionVariable work;           // the writer waits: rows, flush, stop
    StoppableConditionVariable room;  // callers wait: space in the queue
    ConditionVariable done;           // flush() waits
    RowBatch queue SEEDBED_GUARDED_BY(mutex);
    std::size_t bytes_in_flight SEEDBED_GUARDED_BY(mutex) = 0;  // of the batch being written
    std::map<std::string, std::size_t, std::less<>> names SEEDBED_GUARDED_BY(mutex);
    std::uint64_t calls SEEDBED_GUARDED_BY(mutex) = 0;         // accepted so far
    std::uint64_t synced_calls SEEDBED_GUARDED_BY(mutex) = 0;  // of these, synced to disk
    std::uint64_t flush_calls SEEDBED_GUARDED_BY(mutex) = 0;   // the calls that a flush() waits for
    std::uint64_t failures SEEDBED_GUARDED_BY(mutex) = 0;      // failed attempts to save
    bool stopping SEEDBED_GUARDED_BY(mutex) = false;
    bool dead SEEDBED_GUARDED_BY(mutex) = false;  // the writer's thread has failed with an exception
    // Stopped while the queue was full. Later rows are dropped too, so that the saved ones stay a prefix.
    bool gave_up SEEDBED_GUARDED_BY(mutex) = false;
    WriterHealth health SEEDBED_GUARDED_BY(mutex);
    std::atomic<bool> stop_flag{false};

    // Writer's thread only.
    std::unique_ptr<RowSink> sink;
    std::vector<std::string> name_list;
    std::int64_t batch_number = 0;
    bool unsynced = false;  // commits since the last synced one
    SteadyClock::time_point last_sync = SteadyClock::now();
    std::optional<SteadyClock::time_point> stop_time;

    NamedThread thread;  // last: it uses all of the above

    bool keepWaiting(std::chrono::milliseconds waited) const {
        return waited < (stop_flag ? options.shutdown_timeout : options.lock_timeout);
    }

    Result<> complete() const SEEDBED_REQUIRES(mutex) {
        if (!gave_up) return {};
        return fail(
            health.saving ? ErrorCode::failure : health.error.code,
            "the newest rows of run " + std::to_string(run) + " could not be saved before it was stopped" +
                (health.saving ? "" : ": " + health.error.text()) + "; what was saved before is safe");
    }

    // Wakes all waiting threads after the writer's thread has failed.
    void writerDied(const Error& error) {
        report({false, error});
        MutexLock lock(mutex);
        dead = true;
        ++failures;
        room.notifyAll();
        done.notifyAll();
    }

    // Reserves space for events, states and the rows of one more update.
    bool isFull() const SEEDBED_REQUIRES(mutex) {
        return !dead && !gave_up &&
               queue.bytes + bytes_in_flight > options.queue_bytes - options.queue_bytes / 8;
    }

    void addPoints(RowBatch& to, std::int64_t step, double time, std::span<const Value> values)
        SEEDBED_REQUIRES(mutex) {
        for (const auto& value : values) {
            auto name = names.find(value.name);
            if (name == names.end()) name = names.emplace(value.name, names.size()).first;
            to.points.push_back({name->second, {step, time, value.value}});
        }
    }

    // Waits for space, then calls `add`, which runs while the mutex is held, to append rows to the queue.
    // Clang cannot see that, so lambdas that call addPoints() turn the analysis off.
    template <class Add>
    void enqueue(std::size_t bytes, const Add& add) {
        MutexLock lock(mutex);
        // Rows larger than the whole queue are accepted if it is empty.
        const auto fits = [&]() SEEDBED_REQUIRES(mutex) {
            const std::size_t queued = queue.bytes + bytes_in_flight;
            return queued + bytes <= options.queue_bytes || queued == 0 || dead;
        };
        if (gave_up) return;
        // After a stop request, saving may still free space.
        if (!fits() && !room.wait(lock, options.stop, fits))
            gave_up = !room.waitFor(lock, options.shutdown_timeout, fits);
        if (dead || gave_up) return;
        add(queue);
        queue.bytes += bytes;
        ++calls;
        work.notifyOne();
    }

    Result<> writeUntilStopped() {
        while (true) {
            RowBatch batch;
            std::uint64_t upto = 0;
            bool flushing = false;
            bool leaving = false;
            {
                MutexLock lock(mutex);
                waitForWork(lock);
                batch = std::exchange(queue, RowBatch{});
                bytes_in_flight = batch.bytes;
                upto = calls;
                flushing = flush_calls > synced_calls;
                leaving = stopping;
                for (const auto& [name, index] : names) {
                    if (index >= name_list.size()) name_list.resize(index + 1);
                    if (name_list[index].empty()) name_list[index] = name;
                }
            }
            const bool sync = flushing || leaving || SteadyClock::now() - last_sync >= options.sync_interval;
            if (!batch.empty() || (sync && (unsynced || flushing))) {
                if (!save(batch, sync)) return {};
            }
            MutexLock lock(mutex);
            bytes_in_flight = 0;
            if (sync) synced_calls = upto;
            room.notifyAll();
            done.notifyAll();
            if (leaving && queue.empty()) return {};
        }
    }

    // Returns when rows have waited for commit_interval, a sync or flush is due, or at a stop.
    void waitForWork(MutexLock& lock) SEEDBED_REQUIRES(mutex) {
        const auto urgent = [this]()
                                SEEDBED_REQUIRES(mutex) { return stopping || flush_calls > synced_calls; };
        if (unsynced) {
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

    // Retries until the batch is saved; false if that fails until shutdown_timeout after a stop.
    bool save(const RowBatch& batch, bool sync) {
        ++batch_number;
        while (true) {
            const Result<> written = trySave(batch, sync);
            if (written) {
                report({true, {}});
                unsynced = !sync;
                if (sync) last_sync = SteadyClock::now();
                return true;
            }
            sink.reset();
            report({false, written.error()});
            MutexLock lock(mutex);
            ++failures;
            done.notifyAll();
            if (stopping && !stop_time) stop_time = SteadyClock::now() + options.shutdown_timeout;
            if (stop_time && SteadyClock::now() > *stop_time) {
                log::warning("rows of this run could not be saved and are lost",
                             {{"run", run}, {"reason", written.error().text()}});
                return false;
            }
            const bool was_stopping = stopping;
            work.waitFor(
                lock,
                std::min(options.retry_interval, std::chrono::milliseconds(was_stopping ? 100 : 60'000)),
                [&]() SEEDBED_REQUIRES(mutex) { return stopping && !was_stopping; });
        }
    }

    Result<> trySave(const RowBatch& batch, bool sync) {
        if (!sink) {
            SEEDBED_ASSIGN(
                sink, RowSink::open(
                          folder, run, [this](auto waited) { return keepWaiting(waited); }, options.system));
        }
        return sink->write(batch, batch_number, name_list, sync);
    }

    void report(WriterHealth now) {
        {
            MutexLock lock(mutex);
            const bool changed = now.saving != health.saving;
            health = now;
            if (!changed) return;
        }
        if (options.on_health) options.on_health(now);
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
    SEEDBED_ASSIGN(impl->batch_number, impl->sink->batches());
    impl->thread = NamedThread(
        "store-writer", [self](std::stop_token) { return self->writeUntilStopped(); },
        [self](const std::string&, const Error& error) { self->writerDied(error); });
    return std::unique_ptr<RunWriter>(new RunWriter(std::move(impl)));
}

RunWriter::~RunWriter() {
    {
        MutexLock lock(impl_->mutex);
        impl_->stopping = true;
        impl_->stop_flag = true;
    }
    impl_->work.notifyAll();
    impl_->thread.join();
    if (impl_->sink) impl_->sink->checkpointLog();
}

void RunWriter::metrics(std::int64_t step, double time, std::span<const Value> values) {
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
    // Replaces the previous value, so it takes no space.
    impl_->enqueue(0, [&](RowBatch& queue) { queue.progress = progress; });
}

void RunWriter::setAuto(const Json& auto_settings, const Json& devices) {
    impl_->enqueue(1024, [&](RowBatch& queue) { queue.auto_settings = {auto_settings, devices}; });
}

void RunWriter::config(const Json& document) {
    impl_->enqueue(4096, [&](RowBatch& queue) { queue.config = document; });
}

Result<> RunWriter::flush() {
    MutexLock lock(impl_->mutex);
    const std::uint64_t target = impl_->calls;
    const std::uint64_t failures = impl_->failures;
    if (impl_->synced_calls >= target && !impl_->dead) return impl_->complete();
    impl_->flush_calls = std::max(impl_->flush_calls, target);
    impl_->work.notifyAll();
    impl_->done.wait(lock, [&]() SEEDBED_REQUIRES(impl_->mutex) {
        return impl_->synced_calls >= target || impl_->failures > failures || impl_->dead;
    });
    if (impl_->synced_calls >= target && !impl_->dead) return impl_->complete();
    return tl::unexpected<Error>(impl_->health.error);
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
