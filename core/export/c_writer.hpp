// SPDX-License-Identifier: Apache-2.0
// Writes the operations of a network plan as blocks of C: functions that the writers of the operations share,
// and the registry of these writers. Internal to core/export.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/export/names.hpp"
#include "core/export/policy_model.hpp"
#include "core/export/work_array.hpp"

namespace seedbed {

class CWriter {
public:
    CWriter(const PolicyModel& model, const std::string& prefix);

    // Determines which operations policy_act and policy_value run; call it before writeOps.
    void countUses(const std::vector<char>& needed);
    // Counts copyOut() as one more reader of a head's value.
    void addUse(int value) { ++uses_[static_cast<std::size_t>(value)]; }
    // Marks the following blocks as part of policy_value, where p->previous_action is already the action of
    // policy_act.
    void beginValue() { judging_ = true; }
    // Returns the blocks of the operations with needed[i] != 0. error: config; names an operation without a
    // registered writer.
    Result<std::string> writeOps(const std::vector<char>& needed);
    // Returns code that copies a value to `to`.
    std::string copyOut(int value, const std::string& to, int words);

    // Static arrays, helper functions, and the number of floats in p->work. Call these functions after all
    // code has been written.
    std::string arrays() const;
    std::string helpers() const;
    std::size_t workFloats() const { return work_.size(); }
    bool usesActionBefore() const { return action_before_; }

    const PolicyModel& model() const { return model_; }
    const CNames& names() const { return names_; }
    const PlanValue& shape(int value) const { return plan_.values[static_cast<std::size_t>(value)]; }
    std::size_t sizeOf(int value) const { return shape(value).size(); }
    const ParamEntry& entry(const PlanOp& op, std::size_t i) const;
    // The location of a value: a C expression of type pointer to float.
    const std::string& pointer(int value) const { return pointers_[static_cast<std::size_t>(value)]; }
    // Sets the location of a value that needs no memory in the work array.
    void setPointer(int value, const std::string& expression);
    // Allocates memory in the work array for the output of an operation; it is released after the last use.
    std::string place(int value);
    // Scratch memory of one operation: `take` returns an offset to pass to `work` and `release`.
    std::size_t take(std::size_t floats) { return work_.take(floats); }
    void release(std::size_t at) { work_.release(at); }
    static std::string work(std::size_t at);

    // Define a static array once and return its name: for the given values (see CNames::array), for a
    // parameter, or for a parameter [out, in] transposed to [in, out], so that inner loops run over outputs.
    std::string array(const std::string& member, const std::vector<float>& values);
    std::string param(const PlanOp& op, std::size_t i);
    std::string transposed(const PlanOp& op, std::size_t i);
    // Adds a helper function, once per name; `text` is its definition.
    void helper(const std::string& name, const std::string& text) { helpers_[name] = text; }
    // The name of the array that contains the previous row's action at this point of the generated code.
    std::string previousAction();

    // { /* title */ const float *x = ...; float *y = ...; body }; empty x or y are omitted.
    static std::string block(const std::string& title, const std::string& x, const std::string& y,
                             const std::string& body);
    // for (i = 0; i < count; i++) statement
    static std::string loop(std::size_t count, const std::string& statement, const char* index = "i");
    // Applies the activation to y in place.
    static std::string activation(Activation kind, std::size_t count);
    // Declares i and j; y = bias + x weight, for a transposed weight.
    static std::string product(std::size_t in, std::size_t out, const std::string& weight,
                               const std::string& bias);
    // Loop over j: y += x weight.
    static std::string addProduct(std::size_t in, std::size_t out, const std::string& weight);
    // ", channels, height, width, ..." of both images and the window: the arguments of the image helpers.
    std::string window(const PlanOp& op) const;
    // The expression "(p->state + at)".
    static std::string state(std::size_t at);

private:
    void used(int value);

    const PolicyModel& model_;
    const NetPlan& plan_;
    CNames names_;
    std::vector<std::string> pointers_;  // one per value
    std::vector<int> uses_;              // one per value: number of readers that have not been written yet
    std::vector<std::size_t> places_;    // one per value: location + 1; 0 if the value has none
    WorkArray work_;
    // Sorted by name, so that their order does not depend on the order of calls.
    std::map<std::string, std::string> arrays_, helpers_;
    bool judging_ = false;        // policy_value is being written
    bool action_before_ = false;  // policy_value reads the previous action
};

// The writer of one operation: each file of c_operations/ registers one.
struct COperation {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    // Returns the operation's blocks and sets the location of its output. title: the layer.
    std::string (*write)(CWriter& writer, const PlanOp& op, const std::string& title) = nullptr;
};

Registry<COperation>& cOperationRegistry();
bool registerCOperation(const std::string& id,
                        std::string (*write)(CWriter& writer, const PlanOp& op, const std::string& title));

}  // namespace seedbed
