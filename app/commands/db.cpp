// SPDX-License-Identifier: Apache-2.0
// seedbed db: the data folder as a whole, checked, made smaller, copied out, taken in.
#include <cstdio>

#include "app/command.hpp"
#include "app/commands/db_checkpoints.hpp"
#include "core/base/text.hpp"
#include "core/run/data_copy.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

std::string fileOf(const Context& context) { return (context.data_folder / "seedbed.db").string(); }

Result<int> check(bool checkpoints, const Context& context) {
    SEEDBED_ASSIGN(DatabaseReport report, checkDatabase(context.data_folder));
    std::int64_t good = 0;
    if (checkpoints) {
        RealFileSystem files;
        SEEDBED_TRY(checkCheckpoints(files, context.data_folder, report.problems, good));
    }
    if (context.json) {
        Json json{{"ok", report.problems.empty()}, {"problems", report.problems},
                  {"version", report.version},     {"runs", report.runs},
                  {"points", report.points},       {"episodes", report.episodes},
                  {"bytes", report.bytes}};
        if (checkpoints) json["checkpoints"] = good;
        printJson(json);
    } else {
        for (const std::string& problem : report.problems) std::printf("%s\n", problem.c_str());
        if (report.problems.empty())
            std::printf("ok: %s runs, %s points, %s episodes, %s%s\n", formatCount(report.runs).c_str(),
                        formatCount(report.points).c_str(), formatCount(report.episodes).c_str(),
                        formatBytes(report.bytes).c_str(),
                        checkpoints ? (", " + formatCount(good) + " checkpoints").c_str()
                                    : "; the files of checkpoints were not read");
        else
            std::fprintf(stderr,
                         "%zu problems; nothing was changed. 'seedbed db export' saves what can be read into "
                         "a new file.\n",
                         report.problems.size());
    }
    return report.problems.empty() ? kOk : 1;
}

Result<int> vacuum(bool empty_trash, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const VacuumReport report,
                   vacuumDatabase(files, context.data_folder, {.empty_trash = empty_trash}));
    if (context.json)
        printJson({{"bytes_before", report.bytes_before},
                   {"bytes_after", report.bytes_after},
                   {"removed_runs", report.removed.size()},
                   {"problems", report.problems}});
    else
        std::fprintf(stderr, "%s before, %s now%s\n", formatBytes(report.bytes_before).c_str(),
                     formatBytes(report.bytes_after).c_str(),
                     report.removed.empty() ? ""
                                            : (", " + std::to_string(report.removed.size()) +
                                               " runs of the bin removed for good")
                                                  .c_str());
    for (const std::string& problem : report.problems) std::fprintf(stderr, "%s\n", problem.c_str());
    return report.problems.empty() ? kOk : 1;
}

// A copy that lacks something is no success, whatever else of it is good.
int tellNotCopied(const CopyReport& report) {
    for (const std::string& what : report.not_copied) std::fprintf(stderr, "not copied: %s\n", what.c_str());
    return report.not_copied.empty() ? kOk : 1;
}

Result<int> exportTo(const std::string& target, const std::vector<std::string>& names, bool checkpoints,
                     const Context& context) {
    std::vector<RunId> runs;
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
        for (const std::string& name : names) {
            SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
            runs.push_back(run);
        }
    }
    SEEDBED_ASSIGN(const CopyReport report, exportRuns(context.data_folder, target, runs, checkpoints));
    std::size_t copied = 0;
    for (const auto& [run, count] : report.checkpoints) copied += count;
    if (context.json)
        printJson({{"folder", target}, {"checkpoints", copied}, {"not_copied", report.not_copied}});
    else if (!context.quiet)
        std::fprintf(stderr,
                     "'%s' is a data folder of its own now%s: use it with --data, or take it in with "
                     "'seedbed db import'\n",
                     target.c_str(), report.not_copied.empty() ? "" : ", but it lacks checkpoints");
    return tellNotCopied(report);
}

Result<int> importFrom(const std::string& source, bool checkpoints, const Context& context) {
    SEEDBED_ASSIGN(const CopyReport report, importRuns(context.data_folder, source, checkpoints));
    Json runs = Json::array();
    for (const ImportedRun& run : report.imported) {
        const auto copied = report.checkpoints.find(run.here);
        if (!run.moved_checkpoints.empty())
            std::fprintf(stderr,
                         "the folder of run %lld held checkpoints of a run that is not in the database; they "
                         "are now in %s\n",
                         static_cast<long long>(run.here), run.moved_checkpoints.c_str());
        runs.push_back({{"there", run.there},
                        {"id", run.here},
                        {"name", run.name},
                        {"known", run.known},
                        {"checkpoints", copied == report.checkpoints.end() ? 0 : copied->second}});
        if (!context.json && !context.quiet)
            std::fprintf(
                stderr,
                run.known ? "run %lld there is run %lld here already\n" : "run %lld there is run %lld here\n",
                static_cast<long long>(run.there), static_cast<long long>(run.here));
    }
    if (context.json) printJson({{"runs", runs}, {"not_copied", report.not_copied}});
    return tellNotCopied(report);
}

SEEDBED_REGISTER_COMMAND(db_path,
                         {.id = "db path",
                          .summary = "Where the database is",
                          .examples = {"seedbed db path", "sqlite3 -readonly \"$(seedbed db path)\""},
                          .define = [](CLI::App&) -> Action {
                              return [](const Context& context) -> Result<int> {
                                  if (context.json) printJson({{"path", fileOf(context)}});
                                  else std::printf("%s\n", fileOf(context).c_str());
                                  return kOk;
                              };
                          }});

SEEDBED_REGISTER_COMMAND(
    db_check, {.id = "db check",
               .summary = "Read everything, checkpoints too, and say what is damaged",
               .examples = {"seedbed db check", "seedbed db check --no-checkpoints --json"},
               .define = [](CLI::App& cli) -> Action {
                   auto checkpoints = std::make_shared<bool>(true);
                   cli.add_flag("--checkpoints,!--no-checkpoints", *checkpoints,
                                "Every byte of every checkpoint too (default), or the database only");
                   return [checkpoints](const Context& context) { return check(*checkpoints, context); };
               }});

SEEDBED_REGISTER_COMMAND(db_vacuum, {.id = "db vacuum",
                                     .summary = "Give space of the database back to the disk",
                                     .examples = {"seedbed db vacuum", "seedbed db vacuum --empty-bin"},
                                     .define = [](CLI::App& cli) -> Action {
                                         auto empty_trash = std::make_shared<bool>(false);
                                         cli.add_flag(
                                             "--empty-bin", *empty_trash,
                                             "Remove the runs of the bin for good, with their checkpoints");
                                         return [empty_trash](const Context& context) {
                                             return vacuum(*empty_trash, context);
                                         };
                                     }});

SEEDBED_REGISTER_COMMAND(db_export,
                         {.id = "db export",
                          .summary = "Copy runs into a new folder, also while they are going",
                          .examples = {"seedbed db export backup", "seedbed db export for-anna 3 my-run"},
                          .define = [](CLI::App& cli) -> Action {
                              auto target = std::make_shared<std::string>();
                              auto runs = std::make_shared<std::vector<std::string>>();
                              auto without = std::make_shared<bool>(false);
                              cli.add_option("FOLDER", *target, "A folder that is not there yet")->required();
                              cli.add_option("RUN", *runs, "Ids or names of runs (default: all)");
                              cli.add_flag("--no-checkpoints", *without, "The database only");
                              return [target, runs, without](const Context& context) {
                                  return exportTo(*target, *runs, !*without, context);
                              };
                          }});

SEEDBED_REGISTER_COMMAND(
    db_import,
    {.id = "db import",
     .summary = "Take runs in from an exported folder or a database file",
     .examples = {"seedbed db import backup"},
     .define = [](CLI::App& cli) -> Action {
         auto source = std::make_shared<std::string>();
         auto without = std::make_shared<bool>(false);
         cli.add_option("FOLDER", *source, "An exported or other data folder, or a seedbed.db")->required();
         cli.add_flag("--no-checkpoints", *without, "The database only");
         return [source, without](const Context& context) { return importFrom(*source, !*without, context); };
     }});

}  // namespace
}  // namespace seedbed::app
