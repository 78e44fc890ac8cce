// SPDX-License-Identifier: Apache-2.0
// Passes the health of the row writer from its thread to the run's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// Queues notices until the run's thread removes them. The listener shares ownership of the queue, since the
// writer may call it during destruction. Thread: any.
class WriterNotices {
public:
    // For RunWriterOptions::on_health.
    std::function<void(const WriterHealth&)> listener() const {
        return [box = box_](const WriterHealth& health) {
            const MutexLock lock(box->mutex);
            box->texts.push_back(health.saving
                                     ? "saving works again"
                                     : "saving is paused; training continues: " + health.error.text());
        };
    }
    std::vector<std::string> take() {
        const MutexLock lock(box_->mutex);
        return std::exchange(box_->texts, {});
    }

private:
    struct Box {
        Mutex mutex;
        std::vector<std::string> texts SEEDBED_GUARDED_BY(mutex);
    };
    std::shared_ptr<Box> box_ = std::make_shared<Box>();
};

}  // namespace seedbed
