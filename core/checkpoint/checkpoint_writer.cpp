// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/checkpoint_writer.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/thread.hpp"

namespace seedbed {

struct CheckpointWriter::Impl {
    Impl(CheckpointStore given_store, Retention given_retention, OnDone given_on_done, Prepare given_prepare)
        : store(std::move(given_store)),
          retention(given_retention),
          on_done(std::move(given_on_done)),
          prepare(std::move(given_prepare)) {}

    CheckpointStore store;  // writer's thread only
    Retention retention;
    OnDone on_done;
    Prepare prepare;

    Mutex mutex;
    StoppableConditionVariable changed;
    std::optional<CheckpointJob> next SEEDBED_GUARDED_BY(mutex);
    bool working SEEDBED_GUARDED_BY(mutex) = false;
    std::uint64_t finished SEEDBED_GUARDED_BY(mutex) = 0;  // jobs so far
    std::optional<Result<CheckpointSaved>> last SEEDBED_GUARDED_BY(mutex);
    NamedThread thread;  // declared last because it uses the members above

    bool isBusy() const SEEDBED_REQUIRES(mutex) { return next.has_value() || working; }

    Result<> run(std::stop_token stop) {
        MutexLock lock(mutex);
        while (changed.wait(lock, stop, [this]() SEEDBED_REQUIRES(mutex) { return next.has_value(); })) {
            std::optional<CheckpointJob> job = std::exchange(next, std::nullopt);
            working = true;
            lock.unlock();
            Result<CheckpointSaved> saved = guarded([&] { return save(*job); });
            if (on_done) (void)guarded([&] { return report(saved, std::move(*job)); });
            // Frees the memory of the snapshot before the next one is accepted.
            job.reset();
            releaseFreeMemory();
            lock.lock();
            working = false;
            ++finished;
            last = std::move(saved);
            changed.notifyAll();
        }
        return {};
    }

    // Converts exceptions, such as std::bad_alloc, to errors, because the owner waits for a result.
    template <class Body>
    static auto guarded(const Body& body) -> decltype(body()) {
        try {
            return body();
        } catch (...) {
            return tl::unexpected<Error>(currentException());
        }
    }

    Result<> report(const Result<CheckpointSaved>& saved, CheckpointJob job) {
        const Result<> done = guarded([&]() -> Result<> {
            on_done(saved, std::move(job));
            return {};
        });
        if (!done) log::warning("a checkpoint could not be recorded", {{"reason", done.error().text()}});
        return done;
    }

    Result<CheckpointSaved> save(CheckpointJob& job) {
        if (prepare) prepare(job.data);
        const std::int64_t begin = store.clock().monotonicNs();
        CheckpointSaved saved;
        SEEDBED_ASSIGN(saved.info, store.save(job.data));
        // The checkpoint is saved; later failures affect only the mark of the best one, or disk space.
        if (job.mark_best) {
            const auto marked = store.markBest(job.data.step, job.data.score);
            saved.info.best = marked.has_value();
            if (!marked)
                log::warning("the best checkpoint could not be marked", {{"reason", marked.error().text()}});
        }
        auto removed = store.prune(retention);
        if (removed) saved.removed = std::move(*removed);
        else log::warning("old checkpoints could not be removed", {{"reason", removed.error().text()}});
        saved.seconds = static_cast<double>(store.clock().monotonicNs() - begin) * 1e-9;
        return saved;
    }
};

CheckpointWriter::CheckpointWriter(CheckpointStore store, Retention retention, OnDone on_done,
                                   Prepare prepare)
    : impl_(std::make_unique<Impl>(std::move(store), retention, std::move(on_done), std::move(prepare))) {
    Impl* self = impl_.get();
    impl_->thread =
        NamedThread("checkpoints", [self](std::stop_token stop) { return self->run(std::move(stop)); }, {});
}

CheckpointWriter::~CheckpointWriter() {
    wait();
    impl_->thread.requestStop();
    impl_->thread.join();
}

bool CheckpointWriter::busy() const {
    MutexLock lock(impl_->mutex);
    return impl_->isBusy();
}

bool CheckpointWriter::trySubmit(CheckpointData data, bool mark_best) {
    MutexLock lock(impl_->mutex);
    if (impl_->isBusy()) return false;
    impl_->next = CheckpointJob{std::move(data), mark_best};
    impl_->changed.notifyAll();
    return true;
}

Result<CheckpointSaved> CheckpointWriter::saveNow(CheckpointData data, bool mark_best) {
    MutexLock lock(impl_->mutex);
    impl_->changed.wait(lock, [this]() SEEDBED_REQUIRES(impl_->mutex) { return !impl_->isBusy(); });
    const std::uint64_t target = impl_->finished + 1;
    impl_->next = CheckpointJob{std::move(data), mark_best};
    impl_->changed.notifyAll();
    impl_->changed.wait(lock, [&]() SEEDBED_REQUIRES(impl_->mutex) { return impl_->finished >= target; });
    return *impl_->last;
}

void CheckpointWriter::wait() {
    MutexLock lock(impl_->mutex);
    impl_->changed.wait(lock, [this]() SEEDBED_REQUIRES(impl_->mutex) { return !impl_->isBusy(); });
}

}  // namespace seedbed
