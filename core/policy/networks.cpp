// SPDX-License-Identifier: Apache-2.0
// The tensors are the plan's parameters, named <network>/<entry>; their values are ranges of the parameter
// blob.
#include "core/policy/networks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "core/base/strict_json.hpp"
#include "core/nn/acting_head.hpp"

namespace seedbed {

namespace {

constexpr std::uint64_t kMaxPolicyBytes = 2 << 20;
constexpr const char* kFormat = "seedbed-policy";

bool isNetworkName(std::string_view name) {
    return !name.empty() && name.size() <= 60 && std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
    });
}

Json toJson(const Provenance& from) {
    return {{"env", from.env},
            {"env_params", from.env_params},
            {"algo", from.algo},
            {"config", from.config},
            {"run", from.run},
            {"steps", from.steps},
            {"updates", from.updates},
            {"build", from.build},
            {"evaluation", from.evaluation}};
}

Provenance provenanceFromJson(const Json& json) {
    const auto part = [&](const char* key, const Json& missing) {
        return json.is_object() && json.contains(key) ? json[key] : missing;
    };
    const auto text = [&](const char* key) {
        return part(key, "").is_string() ? part(key, "").get<std::string>() : std::string();
    };
    const auto number = [&](const char* key) {
        return part(key, 0).is_number_integer() ? part(key, 0).get<std::int64_t>() : 0;
    };
    return {text("env"),
            part("env_params", Json::object()),
            text("algo"),
            part("config", Json::object()),
            text("run"),
            number("steps"),
            number("updates"),
            text("build"),
            part("evaluation", nullptr)};
}

Json toJson(const RewardView& view) { return {{"scale", view.scale}, {"clip", view.clip}}; }

// Older policies do not contain the RewardView; it is then derived from the environment's wrappers.
Result<RewardView> rewardFromJson(const Json& json, const Provenance& from) {
    Json view = json.value("reward", Json());
    if (view.is_null() && from.env_params.is_object()) {
        const Json wrap = from.env_params.value("wrap", Json());
        if (!wrap.is_object()) return RewardView{};
        view = {{"scale", wrap.value("reward_scale", Json(1))}, {"clip", wrap.value("reward_clip", Json(0))}};
    }
    if (view.is_null()) return RewardView{};
    const auto number = [&](const char* key) {
        return view.is_object() && view.contains(key) && view[key].is_number() ? view[key].get<float>() : NAN;
    };
    const RewardView reward{number("scale"), number("clip")};
    if (!std::isfinite(reward.scale) || !std::isfinite(reward.clip) || reward.clip < 0)
        return fail("the scaling or clipping of rewards is missing or invalid");
    return reward;
}

std::vector<std::int64_t> shapeOf(const ParamEntry& entry) {
    return {entry.shape.begin(), entry.shape.end()};
}

// Contents of policy.json, with the plans of its networks.
struct Description {
    StoredNetworks stored;
    std::vector<NetPlan> plans;
    std::vector<std::uint64_t> versions;
    std::vector<std::size_t> acting{0};  // the acting network of each policy
};

// Finds the acting networks of a run with several policies: the first one of each.
Result<> readSeats(const Json& json, Description& found) {
    if (!json.is_string()) return fail("its list of policies is not a text");
    SEEDBED_ASSIGN(found.stored.policies, SeatPolicies::parse(json.get<std::string>()));
    const SeatPolicies& policies = found.stored.policies;
    const std::vector<NamedNetwork>& networks = found.stored.networks;
    found.acting.clear();
    for (std::size_t policy = 0; policy < policies.names.size(); ++policy) {
        const auto own = std::find_if(networks.begin(), networks.end(), [&](const NamedNetwork& network) {
            return network.name.starts_with(policies.networkName(policy, ""));
        });
        if (own == networks.end() || !(own->spec == networks.front().spec))
            return fail("policy '" + policies.names[policy] + "' has no network, or a different one");
        found.acting.push_back(static_cast<std::size_t>(own - networks.begin()));
    }
    if (found.acting.empty() || found.acting.front() != 0)
        return fail("its policies are in a different order");
    return {};
}

Result<Description> describe(const std::string& text) {
    const Json json = parseStrictJson(text);
    if (!json.is_object() || json.value("format", Json()) != kFormat)
        return fail("it is not a description of a policy");
    const Json version = json.value("version", Json());
    if (!version.is_number_integer()) return fail("it has no version");
    if (version > kSeatsVersion)
        return fail("it was written by a newer version of Seedbed; update Seedbed to use it");
    const Json networks = json.value("networks", Json());
    if (!networks.is_array() || networks.empty() || networks.size() > 64)
        return fail("it has no list of networks");
    Description found;
    std::set<std::string> names;
    for (const auto& item : networks) {
        const bool complete = item.is_object() && item.contains("name") && item["name"].is_string() &&
                              item.contains("spec") && item.contains("params_version") &&
                              item["params_version"].is_number_unsigned();
        if (!complete) return fail("a network lacks its name, spec or params_version");
        NamedNetwork network;
        network.name = item["name"].get<std::string>();
        if (!isNetworkName(network.name) || !names.insert(network.name).second)
            return fail("the network name '" + network.name + "' is not allowed");
        SEEDBED_ASSIGN(network.spec, netSpecFromJson(item["spec"]));
        SEEDBED_ASSIGN(NetPlan plan, buildPlan(network.spec));
        found.plans.push_back(std::move(plan));
        found.versions.push_back(item["params_version"].get<std::uint64_t>());
        found.stored.networks.push_back(std::move(network));
    }
    const Json squash = json.value("squash", Json());
    if (!squash.is_boolean()) return fail("it does not state whether actions are squashed");
    found.stored.squash = squash.get<bool>();
    found.stored.provenance = provenanceFromJson(json.value("provenance", Json()));
    SEEDBED_ASSIGN(found.stored.reward, rewardFromJson(json, found.stored.provenance));
    if (json.contains("seats")) SEEDBED_TRY(readSeats(json["seats"], found));
    return found;
}

// The destination of one tensor's values.
struct Target {
    const ParamEntry* entry = nullptr;
    std::size_t network = 0;
};

// Matches the tensors of the file one to one with the parameters of the networks.
Result<std::vector<Target>> matchTensors(const TensorHeader& header, const Description& description) {
    std::map<std::string, Target> wanted;
    for (std::size_t i = 0; i < description.plans.size(); ++i)
        for (const auto& entry : description.plans[i].params)
            wanted[description.stored.networks[i].name + "/" + entry.name] = {&entry, i};
    std::vector<Target> targets;
    for (const auto& tensor : header.tensors) {
        const auto found = wanted.find(tensor.name);
        if (found == wanted.end()) return fail("tensor '" + tensor.name + "' belongs to no network");
        if (tensor.shape != shapeOf(*found->second.entry))
            return fail("tensor '" + tensor.name + "' does not have the shape that its network requires");
        targets.push_back(found->second);
        wanted.erase(found);
    }
    if (!wanted.empty()) return fail("tensor '" + wanted.begin()->first + "' is missing");
    return targets;
}

// A safetensors file that is read once, in order.
struct TensorStream {
    std::string what;  // its name in errors
    std::uint64_t bytes = 0;
    ByteSource read;
    std::function<Result<>(std::uint64_t)> skip;
    std::function<Result<>()> finish;  // checks the hash; called before the numbers are used
};

Result<> readParams(const TensorStream& file, Description& description, bool acting_only) {
    const std::string& what = file.what;
    SEEDBED_ASSIGN(const TensorHeader header, readTensorHeader(file.bytes, file.read, what));
    auto targets = matchTensors(header, description);
    if (!targets) return fail(what + " does not match its description: " + targets.error().message);

    // The blobs are larger than the file only by their padding, so a wrong description cannot exhaust the
    // memory.
    std::vector<std::vector<float>> blobs(description.plans.size());
    for (std::size_t i = 0; i < blobs.size(); ++i)
        if (!acting_only || std::count(description.acting.begin(), description.acting.end(), i) > 0)
            blobs[i].resize(description.plans[i].param_floats);
    for (const Target& target : *targets) {
        const ParamEntry& entry = *target.entry;
        auto& blob = blobs[target.network];
        if (blob.empty()) {
            SEEDBED_TRY(file.skip(entry.count * sizeof(float)));
            continue;
        }
        const auto values = std::span(blob).subspan(entry.offset, entry.count);
        SEEDBED_TRY(file.read(std::as_writable_bytes(values)));
    }
    SEEDBED_TRY(file.finish());
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        for (const auto& entry : description.plans[i].params) {
            if (blobs[i].empty()) continue;
            if (const auto checked = checkNumbers(entry, blobs[i].data() + entry.offset); !checked)
                return fail(what + " cannot be used: " + checked.error().message);
        }
        if (!blobs[i].empty())
            description.stored.networks[i].params = Params(std::move(blobs[i]), description.versions[i]);
    }
    if (!acting_only) return {};
    std::vector<NamedNetwork> acting;
    for (const std::size_t i : description.acting)
        acting.push_back(std::move(description.stored.networks[i]));
    description.stored.networks = std::move(acting);
    return {};
}

}  // namespace

Result<PolicyBundle> StoredNetworks::acting() && {
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(networks.front().spec));
    SEEDBED_TRY(actingDistribution(plan, squash));
    PolicyBundle bundle{std::move(networks.front()), squash, reward, std::move(provenance),
                        std::move(policies)};
    for (std::size_t policy = 1; policy < networks.size(); ++policy)
        bundle.others.push_back(std::move(networks[policy].params));
    return bundle;
}

namespace {

// The contents of both files; the tensors refer to the networks' parameters.
struct NetworkContents {
    std::string policy;
    std::vector<TensorView> tensors;
};

Result<NetworkContents> contentsOf(std::span<const NamedNetwork> networks, bool squash,
                                   const RewardView& reward, const Provenance& provenance,
                                   const SeatPolicies& policies) {
    if (networks.empty()) return fail("a policy needs a network");
    Json list = Json::array();
    NetworkContents contents;
    std::set<std::string> names;
    for (const auto& network : networks) {
        if (!isNetworkName(network.name) || !names.insert(network.name).second)
            return fail("the network name '" + network.name + "' is not allowed");
        SEEDBED_ASSIGN(const NetPlan plan, buildPlan(network.spec));
        if (network.params.empty() || network.params.blob().size() != plan.param_floats)
            return fail("the parameters of network '" + network.name + "' do not match it");
        list.push_back(Json{{"name", network.name},
                            {"params_version", network.params.version()},
                            {"params_sha256", network.params.sha256()},
                            {"spec", toJson(network.spec)}});
        for (const auto& entry : plan.params)
            contents.tensors.push_back({network.name + "/" + entry.name, shapeOf(entry),
                                        network.params.blob().subspan(entry.offset, entry.count)});
    }
    Json json = {{"format", kFormat}, {"version", policies.isUsed() ? kSeatsVersion : kPolicyVersion},
                 {"squash", squash},  {"reward", toJson(reward)},
                 {"networks", list},  {"provenance", toJson(provenance)}};
    if (policies.isUsed()) json["seats"] = policies.text();
    contents.policy = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (contents.policy.size() > kMaxPolicyBytes)
        return fail("the description of the networks is too long for a policy");
    return contents;
}

Result<> writeTo(const ByteSink& sink, const NetworkContents& contents) {
    return writeTensors(contents.tensors, {{"format", kFormat}}, sink);
}

}  // namespace

Result<> addNetworks(FolderWriter& folder, std::span<const NamedNetwork> networks, bool squash,
                     const RewardView& reward, const Provenance& provenance, const NetworkFiles& files,
                     const SeatPolicies& policies) {
    SEEDBED_ASSIGN(const NetworkContents contents,
                   contentsOf(networks, squash, reward, provenance, policies));
    const std::string& text = contents.policy;
    SEEDBED_TRY(folder.add(files.policy, std::as_bytes(std::span(text.data(), text.size()))));
    return folder.add(files.params, [&](const ByteSink& sink) { return writeTo(sink, contents); });
}

Result<EncodedNetwork> encodeNetwork(const PolicyBundle& bundle, const Provenance& provenance) {
    SEEDBED_ASSIGN(NetworkContents contents,
                   contentsOf(std::span(&bundle.network, 1), bundle.squash, bundle.reward, provenance, {}));
    EncodedNetwork encoded;
    SEEDBED_TRY(writeTo(
        [&](std::span<const std::byte> part) -> Result<> {
            encoded.params.insert(encoded.params.end(), part.begin(), part.end());
            return {};
        },
        contents));
    encoded.policy = std::move(contents.policy);
    return encoded;
}

Result<StoredNetworks> readNetworks(FileSystem& files, const Path& folder, const Manifest& manifest,
                                    bool acting_only) {
    const bool exported = !manifest.find(kPolicyName) && manifest.find(kExportedPolicyName);
    return readNetworks(files, folder, manifest, acting_only,
                        exported ? NetworkFiles{kExportedPolicyName, kExportedParamsName} : NetworkFiles{});
}

Result<StoredNetworks> readNetworks(FileSystem& files, const Path& folder, const Manifest& manifest,
                                    bool acting_only, const NetworkFiles& names) {
    const ManifestFile* policy = manifest.find(names.policy);
    const ManifestFile* params = manifest.find(names.params);
    if (!policy || !params)
        return fail("'" + folder.string() + "' contains no policy: its manifest lacks " +
                    (policy ? names.params : names.policy));
    const std::string where = "'" + (folder / names.policy).string() + "'";
    if (policy->bytes > kMaxPolicyBytes) return fail(where + " is too long for a description of a policy");
    SEEDBED_ASSIGN(const auto bytes, readChecked(files, folder, *policy));
    auto description = describe(std::string(bytes.begin(), bytes.end()));
    if (!description) return fail(where + " cannot be used: " + description.error().message);
    SEEDBED_ASSIGN(CheckedFile file, CheckedFile::open(files, folder, *params));
    const TensorStream stream{"'" + (folder / params->name).string() + "'", params->bytes,
                              [&](std::span<std::byte> into) { return file.read(into); },
                              [&](std::uint64_t count) { return file.skip(count); },
                              [&] { return file.finish(); }};
    SEEDBED_TRY(readParams(stream, *description, acting_only));
    return std::move(description->stored);
}

Result<StoredNetworks> readNetworks(const std::string& policy, std::span<const std::byte> params) {
    auto description = describe(policy);
    if (!description) return fail("the description cannot be used: " + description.error().message);
    std::size_t at = 0;
    const auto skip = [&](std::uint64_t count) -> Result<> {
        if (count > params.size() - at) return fail("the tensors end too early");
        at += static_cast<std::size_t>(count);
        return {};
    };
    const auto read = [&](std::span<std::byte> into) -> Result<> {
        const std::size_t from = at;
        SEEDBED_TRY(skip(into.size()));
        std::copy_n(params.data() + from, into.size(), into.data());
        return {};
    };
    const auto finish = []() -> Result<> { return {}; };
    SEEDBED_TRY(readParams({"the tensor file", params.size(), read, skip, finish}, *description, true));
    return std::move(description->stored);
}

}  // namespace seedbed
