// SPDX-License-Identifier: Apache-2.0
// A data folder that exists for the duration of a test, and helpers that create and fill runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/store/fault_vfs.hpp"

namespace seedbed::testing {

class StoreTest : public ::testing::Test {
protected:
    StoreTest() { FaultVfs::install(); }

    std::filesystem::path folder() const { return temporary_.path() / "data"; }

    static NewRun cartpole(std::string name = "") {
        NewRun run;
        run.name = std::move(name), run.env = "cartpole", run.algo = "ppo", run.seed = 7,
        run.engine = "reference";
        run.config = {{"algo", {{"gamma", 0.99}}}};
        return run;
    }
    // A run that has started and is locked.
    OwnedRun begin(Store& store, std::string name = "") {
        OwnedRun run = must(store.createRun(cartpole(std::move(name))));
        must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
        return run;
    }
    std::unique_ptr<RunWriter> writer(const OwnedRun& run, RunWriterOptions options = {}) {
        return must(RunWriter::open(folder(), *run.lock, std::move(options)));
    }
    StoreReader reader() const { return must(StoreReader::open(folder())); }

    static void point(RunWriter& writer, std::int64_t step, double value,
                      std::string_view name = "loss/policy") {
        const RunWriter::Value values[] = {{name, value}};
        writer.metrics(step, 1.7e9 + static_cast<double>(step) * 0.25, values);
    }
    // Adds points at steps first, first + 1, ... with the step as value.
    static void points(RunWriter& writer, std::int64_t first, std::int64_t count,
                       std::string_view name = "loss/policy") {
        for (std::int64_t step = first; step < first + count; ++step)
            point(writer, step, static_cast<double>(step), name);
    }
    static std::vector<std::int64_t> range(std::int64_t first, std::int64_t count) {
        std::vector<std::int64_t> steps;
        for (std::int64_t step = first; step < first + count; ++step) steps.push_back(step);
        return steps;
    }

private:
    TemporaryFolder temporary_;
};

}  // namespace seedbed::testing
