// SPDX-License-Identifier: Apache-2.0
// seedbed edit, rm, restore: what a user may change about runs. Nothing is lost by it; the bin keeps what was
// removed.
#include <cstdio>

#include "app/command.hpp"
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

Result<std::vector<RunId>> resolveAll(const std::vector<std::string>& names, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    std::vector<RunId> runs;
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
        runs.push_back(run);
    }
    return runs;
}

Result<int> edit(EditOptions& options, const Context& context) {
    if (options.star) options.edit.star = true;
    if (options.unstar) options.edit.star = false;
    if (options.archive) options.edit.archived = true;
    if (options.unarchive) options.edit.archived = false;
    const RunEdit& e = options.edit;
    if (!e.name && !e.notes && !e.star && !e.archived && e.add_tags.empty() && e.remove_tags.empty())
        return fail(ErrorCode::usage, "say what to change; 'seedbed edit --help' shows what there is");
    SEEDBED_ASSIGN(const std::vector<RunId> runs, resolveAll({options.run}, context));
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.edit(runs[0], options.edit));
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunRecord run, reader.run(runs[0]));
    if (context.json)
        printJson({{"id", run.id},
                   {"name", run.name},
                   {"notes", run.notes},
                   {"tags", run.tags},
                   {"star", run.star},
                   {"archived", run.archived}});
    return kOk;
}

Result<int> setBin(const std::vector<std::string>& names, bool in_trash, const Context& context) {
    SEEDBED_ASSIGN(const std::vector<RunId> runs, resolveAll(names, context));
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    for (const RunId run : runs) {
        if (in_trash && RunLock::isHeld(context.data_folder, run))
            return fail(ErrorCode::config, "run " + std::to_string(run) + " is going; 'seedbed stop " +
                                               std::to_string(run) + "' stops it first");
    }
    RunEdit edit;
    edit.in_trash = in_trash;
    for (const RunId run : runs) SEEDBED_TRY(store.edit(run, edit));
    if (context.json) printJson({{"runs", runs}, {"in_bin", in_trash}});
    else if (!context.quiet)
        std::fprintf(stderr,
                     in_trash ? "%zu in the bin; 'seedbed restore' takes runs out, 'seedbed db vacuum "
                                "--empty-bin' removes them for good\n"
                              : "%zu taken out of the bin\n",
                     runs.size());
    return kOk;
}

Action defineBin(CLI::App& cli, bool in_trash) {
    auto runs = std::make_shared<std::vector<std::string>>();
    cli.add_option("RUN", *runs, "Ids or names of runs")->required();
    return [runs, in_trash](const Context& context) { return setBin(*runs, in_trash, context); };
}

SEEDBED_REGISTER_COMMAND(
    edit, {.id = "edit",
           .summary = "Name, notes, tags, star and archive of a run",
           .examples = {"seedbed edit 3 --name best-so-far --star",
                        "seedbed edit 3 --tag lstm --tag paper --untag draft",
                        "seedbed edit 3 --note 'entropy was too low' --archive"},
           .define = [](CLI::App& cli) -> Action {
               auto options = std::make_shared<EditOptions>();
               cli.add_option("RUN", options->run, "Id or name of the run")->required();
               const auto text = [&cli](const char* option, std::optional<std::string>& into,
                                        const char* help) {
                   cli.add_option_function<std::string>(
                       option, [&into](const std::string& given) { into = given; }, help);
               };
               text("--name", options->edit.name, "New name; '' takes it away");
               text("--note,--notes", options->edit.notes, "New notes; '' takes them away");
               cli.add_option("--tag", options->edit.add_tags, "A tag more; may be given several times");
               cli.add_option("--untag", options->edit.remove_tags, "A tag less; may be given several times");
               auto* star = cli.add_flag("--star", options->star, "Mark it with a star");
               cli.add_flag("--unstar", options->unstar, "Take the star away")->excludes(star);
               auto* archive = cli.add_flag("--archive", options->archive, "Keep it out of 'seedbed list'");
               cli.add_flag("--unarchive", options->unarchive, "Show it again")->excludes(archive);
               return [options](const Context& context) { return edit(*options, context); };
           }});

SEEDBED_REGISTER_COMMAND(rm, {.id = "rm",
                              .aliases = {"remove"},
                              .summary = "Put runs into the bin",
                              .examples = {"seedbed rm 3", "seedbed rm 3 4 5"},
                              .define = [](CLI::App& cli) -> Action { return defineBin(cli, true); }});

SEEDBED_REGISTER_COMMAND(restore, {.id = "restore",
                                   .summary = "Take runs out of the bin",
                                   .examples = {"seedbed restore 3"},
                                   .define = [](CLI::App& cli) -> Action { return defineBin(cli, false); }});

}  // namespace
}  // namespace seedbed::app
