// SPDX-License-Identifier: GPL-3.0-or-later
// The worker threads of Background and the delivery of their results.
#include "ui/models/background.hpp"

#include <deque>
#include <map>
#include <vector>

#include <sys/resource.h>

#include <QPointer>

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"

namespace seedbed::ui {
namespace {

using Key = std::pair<const QObject*, QString>;

struct Waiting {
    Key key;
    QPointer<QObject> context;  // read by the GUI thread only
    std::uint64_t generation = 0;
    std::function<std::function<void()>(const std::stop_token&)> task;
};

}  // namespace

struct Background::Impl {
    Mutex mutex;
    StoppableConditionVariable wake;
    ConditionVariable idle;
    std::deque<std::shared_ptr<Waiting>> waiting SEEDBED_GUARDED_BY(mutex);
    std::map<std::uint64_t, std::pair<Key, std::stop_source>> running SEEDBED_GUARDED_BY(mutex);
    std::map<Key, std::uint64_t> newest;  // GUI thread; per context and key
    std::uint64_t generation SEEDBED_GUARDED_BY(mutex) = 0;
    int undelivered SEEDBED_GUARDED_BY(mutex) = 0;
    // Receives the results on the GUI thread.
    std::unique_ptr<QObject> relay = std::make_unique<QObject>();
    std::vector<NamedThread> threads;

    void work(const std::stop_token& stop) {
        while (true) {
            std::shared_ptr<Waiting> mine;
            std::stop_source source;
            {
                MutexLock lock(mutex);
                if (!wake.wait(lock, stop, [this]() SEEDBED_REQUIRES(mutex) { return !waiting.empty(); }) ||
                    stop.stop_requested())
                    return;
                mine = std::move(waiting.front());
                waiting.pop_front();
                running.emplace(mine->generation, std::make_pair(mine->key, source));
            }
            const std::stop_callback passed_on(stop, [&source] { source.request_stop(); });
            std::function<void()> answer = mine->task(source.get_token());
            mine->task = {};
            MutexLock lock(mutex);
            running.erase(mine->generation);
            if (waiting.empty() && running.empty()) idle.notifyAll();
            if (stop.stop_requested()) return;
            QMetaObject::invokeMethod(
                relay.get(), [this, mine, answer = std::move(answer)] { deliver(*mine, answer); },
                Qt::QueuedConnection);
        }
    }

    void deliver(const Waiting& task, const std::function<void()>& answer) {
        {
            const MutexLock lock(mutex);
            --undelivered;
        }
        bool wanted = !task.context.isNull();
        if (!task.key.second.isEmpty()) {
            const auto at = newest.find(task.key);
            const bool is_newest = at != newest.end() && at->second == task.generation;
            if (is_newest) newest.erase(at);
            wanted = wanted && is_newest;
        }
        if (wanted) answer();
    }
};

Background::Background(const QString& name, int threads, bool low_priority)
    : impl_(std::make_unique<Impl>()) {
    for (int i = 0; i < threads; ++i)
        impl_->threads.emplace_back((name + QString::number(i)).toStdString(),
                                    [this, low_priority](const std::stop_token& stop) -> Result<> {
                                        if (low_priority)
                                            setpriority(PRIO_PROCESS, 0,
                                                        5);  // on Linux this affects only the calling thread
                                        impl_->work(stop);
                                        return {};
                                    },
                                    NamedThread::OnFailure());
}

Background::~Background() {
    for (NamedThread& thread : impl_->threads) thread.requestStop();
    impl_->threads.clear();
}

void Background::post(QObject* context, const QString& key, Task task) {
    auto waiting = std::make_shared<Waiting>();
    waiting->key = {context, key};
    waiting->context = context;
    waiting->task = std::move(task);
    {
        const MutexLock lock(impl_->mutex);
        waiting->generation = ++impl_->generation;
        if (!key.isEmpty()) {
            impl_->newest[waiting->key] = waiting->generation;
            std::erase_if(impl_->waiting, [&](const auto& other) SEEDBED_REQUIRES(impl_->mutex) {
                const bool older = other->key == waiting->key;
                impl_->undelivered -= older ? 1 : 0;
                return older;
            });
            for (auto& [generation, running] : impl_->running)
                if (running.first == waiting->key) running.second.request_stop();
        }
        ++impl_->undelivered;
        impl_->waiting.push_back(std::move(waiting));
    }
    impl_->wake.notifyOne();
}

bool Background::busy() const {
    const MutexLock lock(impl_->mutex);
    return impl_->undelivered > 0;
}

void Background::drain() {
    MutexLock lock(impl_->mutex);
    impl_->idle.wait(lock, [this]() SEEDBED_REQUIRES(impl_->mutex) {
        return impl_->waiting.empty() && impl_->running.empty();
    });
}

}  // namespace seedbed::ui
