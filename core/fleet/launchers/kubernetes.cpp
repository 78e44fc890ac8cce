// SPDX-License-Identifier: Apache-2.0
// Actors as the pods of a Kubernetes Job. A headless Service names the learner, which is outside of the
// cluster; a Secret has the credentials.
#include <algorithm>

#include "core/base/json.hpp"
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

Json metadata(const std::string& name) {
    return {{"name", name}, {"labels", {{"app", "seedbed"}, {"seedbed-run", name}}}};
}

Json jobOf(const LaunchRequest& request, const std::string& name) {
    const Json container{
        {"name", "actor"},
        {"image", request.image},
        {"command",
         {"seedbed", "fleet", "actor", "--credentials", "/credentials/actor.json", "--learner",
          name + request.address.substr(request.address.rfind(':'))}},
        {"volumeMounts", {{{"name", "credentials"}, {"mountPath", "/credentials"}, {"readOnly", true}}}},
        {"resources", {{"requests", {{"cpu", "1"}}}}}};
    const Json pod{{"restartPolicy", "OnFailure"},
                   {"containers", Json::array({container})},
                   {"volumes",
                    {{{"name", "credentials"},
                      {"secret", {{"secretName", name}, {"defaultMode", 256}}}}}}};  // mode 0400
    return {{"apiVersion", "batch/v1"},
            {"kind", "Job"},
            {"metadata", metadata(name)},
            {"spec",
             {{"parallelism", request.actors},
              {"completions", request.actors},
              {"backoffLimit", 1000},
              {"template", {{"metadata", {{"labels", {{"app", "seedbed"}}}}}, {"spec", pod}}}}}};
}

Result<LaunchPlan> kubernetesPlan(const LaunchRequest& request) {
    if (request.image.empty())
        return fail(ErrorCode::config, "--on kubernetes needs --image, a container image with seedbed");
    const std::size_t colon = request.address.rfind(':');
    const std::string host = request.address.substr(0, colon);
    if (colon == std::string::npos ||
        std::ranges::any_of(host, [](char c) { return (c < '0' || c > '9') && c != '.'; }))
        return fail(ErrorCode::config,
                    "--on kubernetes needs --address with the learner's IPv4 address, "
                    "because the endpoint of a Service has no name");
    const std::string name = jobName(request);
    const int port = std::atoi(request.address.c_str() + colon + 1);
    const Json ports = Json::array({{{"name", "fleet"}, {"port", port}}});
    const Json service{{"apiVersion", "v1"},
                       {"kind", "Service"},
                       {"metadata", metadata(name)},
                       {"spec", {{"clusterIP", "None"}, {"ports", ports}}}};
    const Json endpoints{
        {"apiVersion", "v1"},
        {"kind", "Endpoints"},
        {"metadata", metadata(name)},
        {"subsets", Json::array({{{"addresses", Json::array({{{"ip", host}}})}, {"ports", ports}}})}};
    const Json list{{"apiVersion", "v1"},
                    {"kind", "List"},
                    {"items", Json::array({service, endpoints, jobOf(request, name)})}};
    LaunchPlan plan;
    const std::string options = request.options.empty() ? "" : " " + request.options;
    plan.files.emplace_back("kubernetes.json", list.dump(2) + "\n");
    plan.start.push_back("kubectl" + options + " create secret generic " + name +
                         " --from-file=actor.json=" + shellWord(request.credentials.string()) +
                         " --dry-run=client -o yaml | kubectl" + options + " apply -f -");
    plan.start.push_back("kubectl" + options + " apply -f " +
                         shellWord((request.folder / "kubernetes.json").string()));
    plan.stop.push_back("kubectl" + options + " delete --ignore-not-found job/" + name + " service/" + name +
                        " secret/" + name);
    return plan;
}

[[maybe_unused]] const bool registered_kubernetes = [] {
    launchers().add({.id = "kubernetes",
                     .aliases = {"k8s"},
                     .help = "the pods of a Kubernetes Job (kubectl)",
                     .plan = kubernetesPlan});
    return true;
}();

}  // namespace
}  // namespace seedbed
