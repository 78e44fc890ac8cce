// SPDX-License-Identifier: Apache-2.0
// seedbed edit, rm, restore: names, notes, tags and the trash. Nothing is deleted; removed runs are kept in
// the trash.
#include <cstdio>

#include "app/command.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

struct EditOptions {
    std::string run;
    RunEdit edit;
    bool star = false, unstar = false, archive = false, unarchive = false;
};

Result<int> edit(EditOptions& options, const Context& context) {
    if (options.star) options.edit.star = true;
    if (options.unstar) options.edit.star = false;
    if (options.archive) options.edit.archived = true;
    if (options.unarchive) options.edit.archived = false;
    const RunEdit& e = options.edit;
    if (!e.name && !e.notes && !e.star && !e.archived && e.add_tags.empty() && e.remove_tags.empty())
        return fail(ErrorCode::usage, "nothing to change; 'seedbed edit --help' lists the options");
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(options.run));
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.edit(id, options.edit));
    if (!context.json) return kOk;
    SEEDBED_ASSIGN(const RunRecord run, reader.run(id));
    printJson({{"id", run.id},
               {"name", run.name},
               {"notes", run.notes},
               {"tags", run.tags},
               {"star", run.star},
               {"archived", run.archived}});
    return kOk;
}

Result<int> moveToTrash(const std::vector<std::string>& names, bool in_trash, const Context& context) {
    SEEDBED_ASSIGN(const std::vector<RunId> runs,
                   resolveRuns(names, context, in_trash ? RangeSelects::outside_trash : RangeSelects::trash));
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    for (const RunId run : runs) {
        if (in_trash && RunLock::isHeld(context.data_folder, run))
            return fail(ErrorCode::config, "run " + std::to_string(run) +
                                               " is running; stop it first with "
                                               "'seedbed stop " +
                                               std::to_string(run) + "'");
    }
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
        if (record.in_trash != in_trash) continue;
        return fail(ErrorCode::config, "run " + std::to_string(run) +
                                           (in_trash ? " is already in the trash" : " is not in the trash"));
    }
    RunEdit edit;
    edit.in_trash = in_trash;
    for (const RunId run : runs) SEEDBED_TRY(store.edit(run, edit));
    if (context.json) printJson({{"runs", runs}, {"in_bin", in_trash}});
    else if (!context.quiet)
        std::fprintf(stderr,
                     in_trash
                         ? "Moved %s to the trash; 'seedbed restore' moves runs back, 'seedbed db vacuum "
                           "--empty-trash' deletes them permanently\n"
                         : "Restored %s from the trash\n",
                     countText(static_cast<std::int64_t>(runs.size()), "run").c_str());
    return kOk;
}

Action defineTrash(CLI::App& cli, bool in_trash) {
    auto runs = std::make_shared<std::vector<std::string>>();
    addRunsArgument(cli, *runs);
    return [runs, in_trash](const Context& context) { return moveToTrash(*runs, in_trash, context); };
}

SEEDBED_REGISTER_COMMAND(
    edit,
    {.id = "edit",
     .summary = "Change the name, notes, tags or star of a run, or archive it",
     .examples = {"seedbed edit 3 --name best-so-far --star",
                  "seedbed edit 3 --tag lstm --tag paper --untag draft",
                  "seedbed edit 3 --note 'entropy was too low' --archive"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<EditOptions>();
         addRunArgument(cli, options->run);
         const auto text = [&cli](const char* option, std::optional<std::string>& into, const char* help) {
             cli.add_option_function<std::string>(
                 option, [&into](const std::string& given) { into = given; }, help);
         };
         text("--name", options->edit.name, "New name; '' clears it");
         text("--note,--notes", options->edit.notes, "New notes; '' clears them");
         cli.add_option("--tag", options->edit.add_tags, "Add a tag (repeatable)")->type_name("TAG");
         cli.add_option("--untag", options->edit.remove_tags, "Remove a tag (repeatable)")->type_name("TAG");
         auto* star = cli.add_flag("--star", options->star, "Mark the run with a star");
         cli.add_flag("--unstar", options->unstar, "Remove the star")->excludes(star);
         auto* archive = cli.add_flag("--archive", options->archive, "Hide the run from 'seedbed list'");
         cli.add_flag("--unarchive", options->unarchive, "Show the run in 'seedbed list' again")
             ->excludes(archive);
         return [options](const Context& context) { return edit(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(rm, {.id = "rm",
                              .aliases = {"remove"},
                              .summary = "Move runs to the trash",
                              .examples = {"seedbed rm 3", "seedbed rm 3 4 5"},
                              .define = [](CLI::App& cli) -> Action { return defineTrash(cli, true); }});

SEEDBED_REGISTER_COMMAND(restore,
                         {.id = "restore",
                          .summary = "Restore runs from the trash",
                          .examples = {"seedbed restore 3"},
                          .define = [](CLI::App& cli) -> Action { return defineTrash(cli, false); }});

}  // namespace
}  // namespace seedbed::app
