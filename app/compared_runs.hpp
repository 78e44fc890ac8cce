// SPDX-License-Identifier: Apache-2.0
// The scores of runs that a command compares, and the files that it writes about them.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "core/analysis/load_run.hpp"
#include "core/analysis/report/vector_picture.hpp"

namespace seedbed::app {

struct ScoreOptions {
    std::vector<std::string> runs;
    std::string at = "common", score = "auto";
    std::string format = "text";  // of the table; text, csv, markdown or latex
    std::string figure;           // "": none
};
// RUN..., --at, --score, --format and --figure. `runs` describes RUN.
void addScoreOptions(CLI::App& cli, ScoreOptions& options, const std::string& runs,
                     const std::string& figure);

// "greedy", "sampled" or "training".
const char* scoreKindName(ScoreKind kind);
// "Run 3", "Runs 3, 4".
std::string runList(const std::vector<RunId>& runs);

// The scores of all runs, none of which is empty. error: config, if a run has not started or lacks a score,
// with the commands that help; usage, if the figure is neither an SVG nor a PDF file.
Result<LoadedScores> comparedScores(StoreReader& reader, const ScoreOptions& options, const Context& context);

// At which steps the scores were taken, and why not from evaluations, as lines; usually "".
std::string scoreNotes(const LoadedScores& loaded);

// Writes an SVG or PDF file, by its ending. error: config, if the file exists and is not one
// that this function wrote.
Result<> writeFigure(const std::string& file, const VectorPicture& picture);

}  // namespace seedbed::app
