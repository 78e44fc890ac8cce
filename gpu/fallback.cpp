// SPDX-License-Identifier: Apache-2.0
#include "gpu/fallback.hpp"

#include <utility>
#include <vector>

#include "core/base/log.hpp"

namespace seedbed::gpu {

namespace {

bool isDeviceFailure(const Error& error) {
    return error.code == ErrorCode::device || error.code == ErrorCode::out_of_memory;
}

class FallbackContext final : public NetContext {
public:
    FallbackContext(FallbackNet& net, std::unique_ptr<NetContext> device)
        : net_(net), current_(std::move(device)) {}

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        if (is_on_cpu_) return current_->run(params, rows, out, keep);
        Result<> done = current_->run(params, rows, out, keep);
        if (!done && isDeviceFailure(done.error())) {
            SEEDBED_TRY(moveToCpu(done.error()));
            return current_->run(params, rows, out, keep);
        }
        // Kept for a backward pass that fails: the panel is valid until the next run.
        if (keep == Keep::tape) {
            params_ = params;
            rows_ = rows;
        }
        return done;
    }

    Result<> backward(const float* head_gradients, float* lane,
                      const std::vector<float*>* input_gradient) override {
        Result<> done = current_->backward(head_gradients, lane, input_gradient);
        if (done || is_on_cpu_ || !isDeviceFailure(done.error())) return done;
        SEEDBED_TRY(moveToCpu(done.error()));
        const NetPlan& plan = net_.plan();
        std::vector<float> heads(static_cast<std::size_t>(rows_.count()) *
                                 static_cast<std::size_t>(plan.head_words));
        SEEDBED_TRY(current_->run(params_, rows_, {heads.data(), nullptr}, Keep::tape));
        return current_->backward(head_gradients, lane, input_gradient);
    }

private:
    Result<> moveToCpu(const Error& error) {
        SEEDBED_ASSIGN(current_, net_.replacement(error));
        is_on_cpu_ = true;
        return {};
    }

    FallbackNet& net_;
    std::unique_ptr<NetContext> current_;
    bool is_on_cpu_ = false;
    Params params_;
    Rows rows_;
};

}  // namespace

std::unique_ptr<NetContext> FallbackNet::context() {
    return std::make_unique<FallbackContext>(*this, device_->context());
}

Result<std::unique_ptr<NetContext>> FallbackNet::replacement(const Error& error) {
    const MutexLock lock(mutex_);
    if (cpu_ == nullptr) {
        auto compiled = compileNet("native", plan(), {});
        if (!compiled) return tl::unexpected<Error>(error);
        cpu_ = std::move(*compiled);
        notice_ = "the run continues on the CPU, where results may differ in the last bits: " + error.text();
        log::warning(notice_);
    }
    return cpu_->context();
}

std::string FallbackNet::takeNotice() {
    const MutexLock lock(mutex_);
    return std::exchange(notice_, {});
}

}  // namespace seedbed::gpu
