// SPDX-License-Identifier: Apache-2.0
// Target `web`: one HTML file with the environment, the policy and a game to watch or play.
#include "core/export/executors/node.hpp"
#include "core/export/executors/reread.hpp"
#include "core/export/web/page.hpp"

namespace seedbed {

namespace {

Result<std::vector<ExportFile>> writeWeb(const PolicyModel& model, const TargetOptions& options) {
    SEEDBED_ASSIGN(const std::string page, webPage(model, options));
    return std::vector<ExportFile>{textFile(kPageName, page)};
}

}  // namespace

SEEDBED_REGISTER_EXPORT_TARGET(
    web,
    {.id = "web",
     .aliases = {"html"},
     .order = 4,
     .title = "Web page: watch the policy and play in a browser",
     .sentence = "One HTML file with the environment and the policy, which needs no network.",
     .files = {kPageName},
     .write = writeWeb,
     .add_golden = addGoldenToPage,
     .executors = {{"node", openNode},
                   {"reference", openReread,
                    "the page was not run, only its tensors; it compares itself with the trained network "
                    "when a browser opens it"}}});

}  // namespace seedbed
