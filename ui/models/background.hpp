// SPDX-License-Identifier: GPL-3.0-or-later
// Work beside the GUI thread: tasks with a key, of which only the newest answer arrives.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>

namespace seedbed::ui {

// One or more threads with a common list of tasks. Thread: made, asked and destroyed by the GUI thread.
class Background {
public:
    // `name` has at most 13 letters; low_priority lets training go first.
    explicit Background(const QString& name, int threads = 1, bool low_priority = true);
    // Asks what runs to stop, waits for it, drops the rest. No answer arrives afterwards.
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // Runs work(stop_token) on a thread of its own, then then(result) on the GUI thread, unless `context` is
    // gone by then. A newer task of the same context and key replaces this one: it is dropped when it has not
    // begun; when it has, its stop token is set and its answer is dropped. Tasks with an empty key replace
    // nothing.
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

    // Whether anything waits, runs, or has not been delivered yet.
    bool busy() const;
    // Waits until all tasks have run; their answers are still delivered later.
    void drain();

private:
    struct Impl;
    using Task = std::function<std::function<void()>(const std::stop_token&)>;
    void post(QObject* context, const QString& key, Task task);

    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed::ui
