// SPDX-License-Identifier: Apache-2.0
// Objects are written as arrays of their fields in order, because the program and the module are always from
// the same build.
#include "core/nn/engines/torch/plan_json.hpp"

namespace seedbed {

namespace {

Json opToJson(const PlanOp& op) {
    return Json::array({op.kind, op.inputs, op.output, op.params, static_cast<int>(op.activation), op.leaf,
                        op.kernel, op.stride, op.pad, op.state_offset, op.clip});
}

PlanOp opFromJson(const Json& json) {
    PlanOp op;
    op.kind = json.at(0);
    op.inputs = json.at(1).get<std::vector<int>>();
    op.output = json.at(2);
    op.params = json.at(3).get<std::vector<int>>();
    op.activation = static_cast<Activation>(json.at(4).get<int>());
    op.leaf = json.at(5);
    op.kernel = json.at(6);
    op.stride = json.at(7);
    op.pad = json.at(8);
    op.state_offset = json.at(9);
    op.clip = json.at(10);
    return op;
}

}  // namespace

std::string planToJson(const NetPlan& plan) {
    Json json = {{"spaces", toJson(plan.spec.spaces)},
                 {"params", Json::array()},
                 {"param_floats", plan.param_floats},
                 {"values", Json::array()},
                 {"ops", Json::array()},
                 {"heads", Json::array()},
                 {"head_words", plan.head_words},
                 {"state_words", plan.state_words}};
    for (const ParamEntry& entry : plan.params)
        json["params"].push_back(Json::array(
            {entry.name, entry.shape, entry.offset, entry.count, entry.role == ParamEntry::Role::buffer}));
    for (const PlanValue& value : plan.values)
        json["values"].push_back(Json::array({value.channels, value.height, value.width}));
    for (const PlanOp& op : plan.ops) json["ops"].push_back(opToJson(op));
    for (const PlanHead& head : plan.heads)
        json["heads"].push_back(Json::array({head.name, head.kind, head.begin, head.width, head.value}));
    return json.dump();
}

Result<NetPlan> planFromJson(const std::string& text) {
    NetPlan plan;
    try {
        const Json json = Json::parse(text);
        SEEDBED_ASSIGN(plan.spec.spaces, spacesFromJson(json.at("spaces")));
        for (const Json& item : json.at("params")) {
            ParamEntry entry;
            entry.name = item.at(0);
            entry.shape = item.at(1).get<std::vector<int>>();
            entry.offset = item.at(2);
            entry.count = item.at(3);
            entry.role = item.at(4).get<bool>() ? ParamEntry::Role::buffer : ParamEntry::Role::weight;
            plan.params.push_back(std::move(entry));
        }
        for (const Json& item : json.at("values"))
            plan.values.push_back({item.at(0), item.at(1), item.at(2)});
        for (const Json& item : json.at("ops")) plan.ops.push_back(opFromJson(item));
        for (const Json& item : json.at("heads"))
            plan.heads.push_back({item.at(0), item.at(1), item.at(2), item.at(3), item.at(4)});
        plan.param_floats = json.at("param_floats");
        plan.head_words = json.at("head_words");
        plan.state_words = json.at("state_words");
    } catch (const Json::exception& exception) {
        return fail(ErrorCode::config,
                    std::string("the network's plan could not be read: ") + exception.what());
    }
    return plan;
}

}  // namespace seedbed
