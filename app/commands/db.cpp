// SPDX-License-Identifier: Apache-2.0
// seedbed db: checks, compacts, exports and imports a data folder.
#include <cstdio>

#include "app/command.hpp"
#include "app/commands/db_checkpoints.hpp"
#include "app/data_extras.hpp"
#include "app/interrupt.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/run/data_copy.hpp"
#include "core/store/check_database.hpp"
#include "core/store/import.hpp"
#include "core/store/vacuum.hpp"

namespace seedbed::app {
namespace {

std::string databaseFile(const Context& context) { return (context.data_folder / "seedbed.db").string(); }

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
            std::printf("ok: %s, %s, %s, %s%s\n", countText(report.runs, "run").c_str(),
                        countText(report.points, "point").c_str(),
                        countText(report.episodes, "episode").c_str(), formatBytes(report.bytes).c_str(),
                        checkpoints ? (", " + countText(good, "checkpoint")).c_str()
                                    : "; checkpoint files were not read");
        else
            std::fprintf(stderr,
                         "%s; nothing was changed. 'seedbed db export' copies everything readable to a new "
                         "folder.\n",
                         countText(static_cast<std::int64_t>(report.problems.size()), "problem").c_str());
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
        std::fprintf(
            stderr, "%s before, %s after%s\n", formatBytes(report.bytes_before).c_str(),
            formatBytes(report.bytes_after).c_str(),
            report.removed.empty()
                ? ""
                : ("; permanently deleted " +
                   countText(static_cast<std::int64_t>(report.removed.size()), "run") + " from the trash")
                      .c_str());
    for (const std::string& problem : report.problems) std::fprintf(stderr, "%s\n", problem.c_str());
    return report.problems.empty() ? kOk : 1;
}

// Lists the items that could not be copied. An incomplete copy is a failure.
int reportNotCopied(const std::vector<std::string>& not_copied) {
    for (const std::string& what : not_copied) std::fprintf(stderr, "not copied: %s\n", what.c_str());
    return not_copied.empty() ? kOk : 1;
}

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

Result<int> exportTo(const std::string& target, const std::vector<std::string>& names, bool checkpoints,
                     const Context& context) {
    SEEDBED_ASSIGN(const std::vector<RunId> runs, resolveRuns(names, context));
    Interrupt interrupt("");
    interrupt.giveTime();  // to allow time for removing the copies
    ExtrasReport extras;
    SEEDBED_ASSIGN(CopyReport report, exportRuns(context.data_folder, target, runs, checkpoints, realSystem(),
                                                 interrupt.token(), [&](const Path& copy) -> Result<> {
                                                     if (!names.empty()) return {};
                                                     RealFileSystem files;
                                                     SEEDBED_ASSIGN(
                                                         extras, copyExtras(files, context.data_folder, copy,
                                                                            true, interrupt.token()));
                                                     return {};
                                                 }));
    append(report.not_copied, extras.not_copied);
    std::size_t copied = 0;
    for (const auto& [run, count] : report.checkpoints) copied += count;
    if (context.json)
        printJson({{"folder", target},
                   {"checkpoints", copied},
                   {"policies", extras.policies},
                   {"environments", extras.environments},
                   {"not_copied", report.not_copied}});
    else if (!context.quiet)
        std::fprintf(stderr,
                     "'%s' is a complete data folder%s: use it with --data, or import it with 'seedbed db "
                     "import'\n",
                     target.c_str(), report.not_copied.empty() ? "" : " except for the parts reported here");
    return reportNotCopied(report.not_copied);
}

// Reports the data that an import without --trust omitted.
void reportWithoutState(const CopyReport& report, const std::string& source) {
    if (report.without_state.empty()) return;
    std::fprintf(stderr,
                 "imported curves, settings and weights; the training state of %s was not imported, so %s "
                 "cannot be resumed. If you trust where %s from: seedbed db import --trust %s\n",
                 countText(static_cast<std::int64_t>(report.without_state.size()), "run").c_str(),
                 report.without_state.size() == 1 ? "it" : "they",
                 report.without_state.size() == 1 ? "it comes" : "they come", source.c_str());
}

void reportExtras(const ExtrasReport& extras, const std::string& source) {
    if (!extras.policies.empty())
        std::fprintf(stderr, "imported %s: %s\n", extras.policies.size() == 1 ? "policy" : "policies",
                     join(extras.policies, ", ").c_str());
    if (!extras.environments.empty())
        std::fprintf(stderr, "added your own environments: %s\n", join(extras.environments, ", ").c_str());
    if (!extras.untrusted.empty())
        std::fprintf(stderr,
                     "not imported, because they run programs: the environments %s. If you trust where they "
                     "come from: seedbed db import --trust %s\n",
                     join(extras.untrusted, ", ").c_str(), source.c_str());
}

Result<int> importFrom(const std::string& source, const ImportOptions& options, const Context& context) {
    Interrupt interrupt("");
    interrupt.giveTime();  // to allow time for removing the copies
    SEEDBED_ASSIGN(CopyReport report,
                   importRuns(context.data_folder, source, options, realSystem(), interrupt.token()));
    RealFileSystem files;
    ExtrasReport extras;
    if (std::filesystem::is_directory(source)) {
        auto copied = copyExtras(files, source, context.data_folder, options.trust, interrupt.token());
        if (copied) extras = std::move(*copied);
        else extras.not_copied.push_back("policies and environments: " + copied.error().text());
        append(report.not_copied, extras.not_copied);
    }
    Json runs = Json::array();
    for (const ImportedRun& run : report.imported) {
        const auto copied = report.checkpoints.find(run.id);
        if (!run.moved_checkpoints.empty())
            std::fprintf(stderr,
                         "the folder of run %lld contained checkpoints of a run that is not in the database; "
                         "they were moved to %s\n",
                         static_cast<long long>(run.id), run.moved_checkpoints.c_str());
        runs.push_back({{"there", run.source_id},
                        {"id", run.id},
                        {"name", run.name},
                        {"known", run.existed},
                        {"resumable", options.checkpoints && !report.without_state.contains(run.id)},
                        {"checkpoints", copied == report.checkpoints.end() ? 0 : copied->second}});
        if (context.json || context.quiet) continue;
        std::fprintf(stderr,
                     run.existed ? "run %lld is already here as run %lld" : "run %lld imported as run %lld",
                     static_cast<long long>(run.source_id), static_cast<long long>(run.id));
        if (run.existed && copied != report.checkpoints.end())
            std::fprintf(stderr, "; added %s%s",
                         countText(static_cast<std::int64_t>(copied->second), "checkpoint").c_str(),
                         options.trust ? " with the training state" : "");
        std::fprintf(stderr, "\n");
    }
    if (context.json) {
        printJson({{"runs", runs},
                   {"policies", extras.policies},
                   {"environments", extras.environments},
                   {"not_copied", report.not_copied}});
    } else if (!context.quiet) {
        reportExtras(extras, source);
        reportWithoutState(report, source);
    }
    const int code = reportNotCopied(report.not_copied);
    return interrupt.token().stop_requested() && code != kOk ? kInterrupted : code;
}

SEEDBED_REGISTER_COMMAND(db_path,
                         {.id = "db path",
                          .summary = "Print the path of the database",
                          .examples = {"seedbed db path", "sqlite3 -readonly \"$(seedbed db path)\""},
                          .define = [](CLI::App&) -> Action {
                              return [](const Context& context) -> Result<int> {
                                  if (context.json) printJson({{"path", databaseFile(context)}});
                                  else std::printf("%s\n", databaseFile(context).c_str());
                                  return kOk;
                              };
                          }});

SEEDBED_REGISTER_COMMAND(
    db_check, {.id = "db check",
               .summary = "Check the database and all checkpoints for damage",
               .examples = {"seedbed db check", "seedbed db check --no-checkpoints --json"},
               .define = [](CLI::App& cli) -> Action {
                   auto checkpoints = std::make_shared<bool>(true);
                   cli.add_flag("--checkpoints,!--no-checkpoints", *checkpoints,
                                "Read every checkpoint completely (default), or check the database only");
                   return [checkpoints](const Context& context) { return check(*checkpoints, context); };
               }});

SEEDBED_REGISTER_COMMAND(db_vacuum,
                         {.id = "db vacuum",
                          .summary = "Compact the database",
                          .examples = {"seedbed db vacuum", "seedbed db vacuum --empty-trash"},
                          .define = [](CLI::App& cli) -> Action {
                              auto empty_trash = std::make_shared<bool>(false);
                              cli.add_flag("--empty-trash", *empty_trash,
                                           "Permanently delete the runs in the trash and their checkpoints");
                              cli.add_flag("--empty-bin", *empty_trash)->group("");  // the name of
                                                                                     // --empty-trash in
                                                                                     // version 0.1
                              return [empty_trash](const Context& context) {
                                  return vacuum(*empty_trash, context);
                              };
                          }});

SEEDBED_REGISTER_COMMAND(
    db_export, {.id = "db export",
                .summary = "Copy runs, imported policies and your own environments to a new folder",
                .examples = {"seedbed db export backup", "seedbed db export for-anna 3 my-run"},
                .define = [](CLI::App& cli) -> Action {
                    auto target = std::make_shared<std::string>();
                    auto runs = std::make_shared<std::vector<std::string>>();
                    auto without = std::make_shared<bool>(false);
                    cli.add_option("FOLDER", *target, "A folder that does not exist yet")->required();
                    cli.add_option("RUN", *runs, "Copy only these runs: ids or names (default: everything)");
                    cli.add_flag("--no-checkpoints", *without, "Copy the database only");
                    return [target, runs, without](const Context& context) {
                        return exportTo(*target, *runs, !*without, context);
                    };
                }});

SEEDBED_REGISTER_COMMAND(
    db_import,
    {.id = "db import",
     .summary = "Import runs from an exported folder or a database file",
     .examples = {"seedbed db import backup --trust", "seedbed db import from-anna"},
     .define = [](CLI::App& cli) -> Action {
         auto source = std::make_shared<std::string>();
         auto options = std::make_shared<ImportOptions>();
         cli.add_option("FOLDER", *source,
                        "A data folder, for example from 'seedbed db export', or a seedbed.db file")
             ->required();
         cli.add_flag("!--no-checkpoints", options->checkpoints, "Copy the database only");
         cli.add_flag(
             "--trust", options->trust,
             "Also copy the training state, which is needed for resuming, and own environments; use only "
             "for sources that you trust as much as a program you run");
         return [source, options](const Context& context) { return importFrom(*source, *options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
