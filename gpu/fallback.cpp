// SPDX-License-Identifier: Apache-2.0
#include "gpu/fallback.hpp"

#include <atomic>
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
        if (is_on_cpu_) {
            SEEDBED_TRY(checkOnHost(params));
            return current_->run(params, rows, out, keep);
        }
        Result<> done = current_->run(params, rows, out, keep);
        if (!done && isDeviceFailure(done.error())) {
            SEEDBED_TRY(moveToCpu(done.error()));
            SEEDBED_TRY(checkOnHost(params));
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
        SEEDBED_TRY(checkOnHost(params_));
        const NetPlan& plan = net_.plan();
        std::vector<float> heads(static_cast<std::size_t>(rows_.count()) *
                                 static_cast<std::size_t>(plan.head_words));
        SEEDBED_TRY(current_->run(params_, rows_, {heads.data(), nullptr}, Keep::tape));
        return current_->backward(head_gradients, lane, input_gradient);
    }

    // The context on the device; null after it has failed.
    NetContext* onDevice() { return is_on_cpu_ ? nullptr : current_.get(); }

private:
    Result<> checkOnHost(const Params& params) const {
        if (params.blob().data() != net_.only_on_device) return {};
        return fail(ErrorCode::device, "the newest parameters are only on the device");
    }
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

// Reports failures as notices of the network.
class FallbackLearner final : public LearnDevice {
public:
    FallbackLearner(FallbackNet& net, std::unique_ptr<LearnDevice> device)
        : net_(net), device_(std::move(device)) {}
    ~FallbackLearner() override { net_.only_on_device = nullptr; }

    Result<> requireLanes(std::size_t count) override { return noted(device_->requireLanes(count)); }
    Result<> clearLanes() override { return noted(device_->clearLanes()); }
    Result<> backward(NetContext& context, const float* head_gradients, std::size_t lane,
                      const std::vector<float*>* input_gradient) override {
        NetContext* on_device = dynamic_cast<FallbackContext&>(context).onDevice();
        if (on_device == nullptr)
            return fail(ErrorCode::device, "a pass of the network has moved to the CPU");
        return noted(device_->backward(*on_device, head_gradients, lane, input_gradient));
    }
    Result<Optimiser::StepInfo> sum(std::size_t count) override { return noted(device_->sum(count)); }
    Result<> load(const Params& params) override {
        blob_ = params.blob().data();
        return noted(device_->load(params));
    }
    Result<> loadMoments() override { return noted(device_->loadMoments()); }
    Result<> step(const Optimiser::Factors& factors) override {
        net_.only_on_device = blob_;
        return noted(device_->step(factors));
    }
    Result<> follow(LearnDevice& other, double tau) override {
        net_.only_on_device = blob_;
        return noted(device_->follow(*dynamic_cast<FallbackLearner&>(other).device_, tau));
    }
    void rename(const Params& before, const Params& after) override { device_->rename(before, after); }
    Result<> read(float* blob) override {
        SEEDBED_TRY(noted(device_->read(blob)));
        net_.only_on_device = nullptr;
        return {};
    }
    bool canLeave() const override { return true; }
    bool hasFailed() const override { return has_failed_.load(std::memory_order_relaxed); }

private:
    template <class T>
    Result<T> noted(Result<T> result) {
        if (result || !isDeviceFailure(result.error())) return result;
        has_failed_.store(true, std::memory_order_relaxed);
        // If the CPU cannot run the network, its contexts report that.
        static_cast<void>(net_.replacement(result.error()));
        return result;
    }

    FallbackNet& net_;
    std::unique_ptr<LearnDevice> device_;
    const float* blob_ = nullptr;  // of the loaded parameters
    std::atomic<bool> has_failed_{false};
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

std::unique_ptr<LearnDevice> FallbackNet::learnDevice(Optimiser* optimiser) {
    auto device = seedbed::learnDevice(*device_, optimiser);
    if (device == nullptr) return nullptr;
    return std::make_unique<FallbackLearner>(*this, std::move(device));
}

std::string FallbackNet::takeNotice() {
    const MutexLock lock(mutex_);
    return std::exchange(notice_, {});
}

}  // namespace seedbed::gpu
