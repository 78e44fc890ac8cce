// SPDX-License-Identifier: Apache-2.0
// Runs a policy in a child process that writes all outputs of a row, then those of the next row.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/export/executors/float_pipe.hpp"
#include "core/export/executors/scratch_folder.hpp"

namespace seedbed {

// For a negative number of rows, the process plays them as one episode with its own recurrent state.
class RowPipe final : public Executor {
public:
    // `model` must outlive the executor. `folder` contains the files of the process.
    RowPipe(const PolicyModel& model, bool with_value, std::string id, std::string version,
            ScratchFolder folder, FloatPipe pipe)
        : model_(model),
          with_value_(with_value),
          id_(std::move(id)),
          version_(std::move(version)),
          folder_(std::move(folder)),
          pipe_(std::move(pipe)) {}

    Result<> run(const ModelBatch& batch, ModelResult& result) override { return ask(batch, false, result); }
    Result<> playSequence(const PolicyModel&, const ModelBatch& steps, ModelResult& result) override {
        return ask(steps, true, result);
    }
    std::string id() const override { return id_; }
    std::string version() const override { return version_; }

private:
    Result<> ask(const ModelBatch& batch, bool own_memory, ModelResult& result);

    const PolicyModel& model_;
    bool with_value_;
    std::string id_, version_;
    ScratchFolder folder_;
    FloatPipe pipe_;
    std::vector<float> answer_;
};

}  // namespace seedbed
