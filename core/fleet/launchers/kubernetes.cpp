// SPDX-License-Identifier: Apache-2.0
// Actors as the pods of a Kubernetes Job. A headless Service names the learner, which is outside of the
// cluster; a Secret has the credentials.
#include <algorithm>
#include <optional>

#include "core/base/strict_json.hpp"
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kListValues = 1 << 22;  // a pod has hundreds

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
              {"template", {{"metadata", {{"labels", metadata(name).at("labels")}}}, {"spec", pod}}}}}};
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
    plan.ask.push_back("kubectl" + options + " get jobs,pods -l seedbed-run=" + name + " -o json");
    plan.job = name;
    return plan;
}

// The message of the first condition of this type that holds.
std::optional<std::string> conditionOf(const Json& item, std::string_view type, std::string_view holds) {
    for (const Json& each : item.value("status", Json::object()).value("conditions", Json::array()))
        if (each.value("type", "") == type && each.value("status", "") == holds)
            return each.value("message", each.value("reason", ""));
    return std::nullopt;
}

// Why a pod does not run: the scheduler's message, or that of its container, such as "ImagePullBackOff".
std::string waitsFor(const Json& pod) {
    for (const Json& each : pod.at("status").value("containerStatuses", Json::array())) {
        const Json waiting = each.value("state", Json::object()).value("waiting", Json::object());
        if (waiting.contains("reason")) return waiting.value("reason", "");
    }
    return conditionOf(pod, "PodScheduled", "False").value_or("");
}

// The list of the job and its pods, among warnings.
LaunchState kubernetesState(const std::string& output) try {
    using Kind = LaunchState::Kind;
    const std::size_t begin = output.find('{'), end = output.rfind('}');
    if (begin == std::string::npos || end == std::string::npos || end < begin)
        return {.detail = "kubectl printed no list"};
    const Json list =
        parseStrictJson(std::string_view(output).substr(begin, end + 1 - begin), 32, kListValues);
    bool has_job = false;
    LaunchState state{.kind = Kind::pending, .running = 0};
    for (const Json& item : list.at("items")) {
        if (item.value("kind", "") == "Job") {
            has_job = true;
            if (const auto failed = conditionOf(item, "Failed", "True"))
                return {.kind = Kind::failed, .detail = *failed};
            if (conditionOf(item, "Complete", "True")) return {.kind = Kind::ended};
        } else if (item.at("status").value("phase", "") == "Running") {
            ++*state.running;
        } else if (state.detail.empty() && item.at("status").value("phase", "") == "Pending") {
            state.detail = waitsFor(item);
        }
    }
    if (!has_job) return {.kind = Kind::ended, .detail = "it does not exist"};
    if (*state.running > 0) state.kind = Kind::running;
    return state;
} catch (const Json::exception&) {
    return {.detail = "the output of kubectl cannot be read"};
}

[[maybe_unused]] const bool registered_kubernetes = [] {
    launchers().add({.id = "kubernetes",
                     .aliases = {"k8s"},
                     .help = "the pods of a Kubernetes Job (kubectl)",
                     .title = "Kubernetes job",
                     .plan = kubernetesPlan,
                     .state = kubernetesState});
    return true;
}();

}  // namespace
}  // namespace seedbed
