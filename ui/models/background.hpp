// SPDX-License-Identifier: GPL-3.0-or-later
// Runs tasks on worker threads and delivers their results on the GUI thread. For tasks with the same key,
// only the latest result is delivered.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>

namespace seedbed::ui {

// One or more threads that share a queue of tasks. Thread: created, called and destroyed by the GUI thread.
class Background {
public:
    // `name`: at most 13 characters. low_priority: the threads run at low priority, so that training is not
    // slowed down.
    explicit Background(const QString& name, int threads = 1, bool low_priority = true);
    // Sends running tasks a stop request, waits for them and drops queued tasks. No result is delivered
    // afterwards.
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // Runs work(stop_token) on a worker thread and afterwards calls then(result) on the GUI thread, unless
    // `context` has been destroyed. A newer task with the same context and key replaces this one: a task that
    // has not started is dropped; a running one gets a stop request and its result is dropped. Tasks with an
    // empty key do not replace others.
    template <class Work, class Then>
    void run(QObject* context, const QString& key, Work work, Then then) {
        using Value = std::invoke_result_t<Work&, std::stop_token>;
        post(context, key,
             [work = std::move(work),
              then = std::move(then)](const std::stop_token& stop) mutable -> std::function<void()> {
                 auto value = std::make_shared<Value>(work(stop));
                 return [value, then]() mutable { then(std::move(*value)); };
             });
    }

    // True if any task is queued or running, or a result has not been delivered yet.
    bool busy() const;
    // Waits until all tasks have run. Their results are delivered later.
    void drain();

private:
    struct Impl;
    using Task = std::function<std::function<void()>(const std::stop_token&)>;
    void post(QObject* context, const QString& key, Task task);

    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed::ui
