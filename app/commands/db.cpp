// SPDX-License-Identifier: Apache-2.0
// seedbed db: checks, compacts, exports and imports a data folder.
#include <cstdio>

#include "app/command.hpp"
#include "app/commands/db_checkpoints.hpp"
#include "app/data_extras.hpp"
#include "app/interrupt.hpp"
#include "app/league_policies.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/run/data_copy.hpp"
#include "core/store/check_database.hpp"
#include "core/store/import.hpp"
#include "core/store/population/population_store.hpp"
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

// Reports populations, which an export of all runs omits.
void reportPopulations(const Context& context) {
    // A folder that cannot be written can still be exported.
    auto store = PopulationStore::open(context.data_folder);
    if (!store) return;
    const auto populations = store->populations();
    if (populations && !populations->empty())
        std::fprintf(stderr,
                     "populations are not copied, except for their runs; to keep them, copy the whole data "
                     "folder while nothing runs\n");
}

Result<int> exportTo(const std::string& target, const std::vector<std::string>& names, bool checkpoints,
                     const Context& context) {
    SEEDBED_ASSIGN(const std::vector<RunId> runs, resolveRuns(names, context));
    Interrupt interrupt("");
    interrupt.giveTime();  // to allow time for removing the copies
    ExtrasReport extras;
    SEEDBED_ASSIGN(CopyReport report,
                   exportRuns(context.data_folder, target, runs, checkpoints, realSystem(), interrupt.token(),
                              [&](const Path& copy) -> Result<> {
                                  if (!names.empty()) return {};
                                  RealFileSystem files;
                                  SEEDBED_ASSIGN(extras, copyExtras(files, context.data_folder, copy, true,
                                                                    interrupt.token()));
                                  return exportLeaguePolicies(files, context.data_folder, copy,
                                                              interrupt.token(), extras.not_copied);
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
    if (names.empty()) reportPopulations(context);
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

Json leaguesJson(const std::vector<ImportedLeague>& leagues) {
    Json list = Json::array();
    for (const ImportedLeague& league : leagues)
        list.push_back({{"there", league.source_name},
                        {"name", league.name},
                        {"known", league.existed},
                        {"members", league.members},
                        {"matches", league.matches}});
    return list;
}

void reportLeagues(const std::vector<ImportedLeague>& leagues) {
    for (const ImportedLeague& league : leagues) {
        std::fprintf(stderr,
                     league.existed ? "league '%s' is already here as '%s'" : "league '%s' imported as '%s'",
                     league.source_name.c_str(), league.name.c_str());
        if (!league.existed || league.members > 0 || league.matches > 0)
            std::fprintf(
                stderr, "; added %s and %s", countText(league.members, "member").c_str(),
                league.matches == 1 ? "1 match" : (formatCount(league.matches) + " matches").c_str());
        std::fprintf(stderr, "\n");
    }
}

// Copies what belongs to no run. A problem is reported and does not undo the import of the runs.
ExtrasReport importExtras(const std::string& source, bool trust, const std::vector<ImportedLeague>& leagues,
                          const std::stop_token& stop, const Context& context) {
    RealFileSystem files;
    ExtrasReport extras;
    auto copied = copyExtras(files, source, context.data_folder, trust, stop);
    if (copied) extras = std::move(*copied);
    else extras.not_copied.push_back("policies and environments: " + copied.error().text());
    const Result<> of_leagues =
        importLeaguePolicies(files, source, context.data_folder, leagues, stop, extras.not_copied);
    if (!of_leagues) extras.not_copied.push_back("policies of leagues: " + of_leagues.error().text());
    return extras;
}

Json runsJson(const CopyReport& report, const ImportOptions& options) {
    Json runs = Json::array();
    for (const ImportedRun& run : report.imported) {
        const auto copied = report.checkpoints.find(run.id);
        runs.push_back({{"there", run.source_id},
                        {"id", run.id},
                        {"name", run.name},
                        {"known", run.existed},
                        {"resumable", options.checkpoints && !report.without_state.contains(run.id)},
                        {"checkpoints", copied == report.checkpoints.end() ? 0 : copied->second}});
    }
    return runs;
}

void reportRuns(const CopyReport& report, bool trust) {
    for (const ImportedRun& run : report.imported) {
        const auto copied = report.checkpoints.find(run.id);
        std::fprintf(stderr,
                     run.existed ? "run %lld is already here as run %lld" : "run %lld imported as run %lld",
                     static_cast<long long>(run.source_id), static_cast<long long>(run.id));
        if (run.existed && copied != report.checkpoints.end())
            std::fprintf(stderr, "; added %s%s",
                         countText(static_cast<std::int64_t>(copied->second), "checkpoint").c_str(),
                         trust ? " with the training state" : "");
        std::fprintf(stderr, "\n");
    }
}

Result<int> importFrom(const std::string& source, const ImportOptions& options, const Context& context) {
    Interrupt interrupt("");
    interrupt.giveTime();  // to allow time for removing the copies
    SEEDBED_ASSIGN(CopyReport report,
                   importRuns(context.data_folder, source, options, realSystem(), interrupt.token()));
    ExtrasReport extras;
    if (std::filesystem::is_directory(source))
        extras = importExtras(source, options.trust, report.leagues, interrupt.token(), context);
    append(report.not_copied, extras.not_copied);
    for (const ImportedRun& run : report.imported)
        if (!run.moved_checkpoints.empty())
            std::fprintf(stderr,
                         "the folder of run %lld contained checkpoints of a run that is not in the database; "
                         "they were moved to %s\n",
                         static_cast<long long>(run.id), run.moved_checkpoints.c_str());
    if (context.json) {
        printJson({{"runs", runsJson(report, options)},
                   {"leagues", leaguesJson(report.leagues)},
                   {"policies", extras.policies},
                   {"environments", extras.environments},
                   {"not_copied", report.not_copied}});
    } else if (!context.quiet) {
        reportRuns(report, options.trust);
        reportLeagues(report.leagues);
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
                .summary = "Copy runs, leagues, imported policies and your own environments to a new folder",
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
     .summary = "Import runs and leagues from an exported folder or a database file",
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
