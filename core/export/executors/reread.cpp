// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/reread.hpp"

#include "core/base/version.hpp"
#include "core/export/executors/scratch_folder.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

namespace {

class RereadExecutor final : public Executor {
public:
    static Result<std::unique_ptr<Executor>> open(const ExecutorRequest& request) {
        SEEDBED_ASSIGN(const ScratchFolder folder, ScratchFolder::create());
        SEEDBED_TRY(folder.add(request.files, {kExportedPolicyName, kExportedParamsName}));
        auto self = std::make_unique<RereadExecutor>();
        RealFileSystem files;
        SEEDBED_ASSIGN(PolicyBundle bundle, loadExportedNetworks(files, folder.path()));
        SEEDBED_ASSIGN(PolicyModel model, makePolicyModel(std::move(bundle)));
        self->model_ = std::make_unique<PolicyModel>(std::move(model));
        SEEDBED_ASSIGN(self->net_,
                       compileNet("reference", self->model_->plan, EngineOptions{.double_precision = true}));
        self->inner_ = engineExecutor(*self->model_, *self->net_, "reference");
        return std::unique_ptr<Executor>(std::move(self));
    }
    Result<> run(const ModelBatch& batch, ModelResult& result) override { return inner_->run(batch, result); }
    std::string id() const override { return "reference"; }
    std::string version() const override {
        return std::string("engine of Seedbed ") + kVersion + " in double precision";
    }

private:
    std::unique_ptr<PolicyModel> model_;
    std::unique_ptr<EngineNet> net_;
    std::unique_ptr<Executor> inner_;
};

}  // namespace

Result<std::unique_ptr<Executor>> openReread(const ExecutorRequest& request) {
    return RereadExecutor::open(request);
}

}  // namespace seedbed
