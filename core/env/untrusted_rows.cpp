// SPDX-License-Identifier: Apache-2.0
#include "core/env/untrusted_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/finite.hpp"

namespace seedbed {

std::string flagsProblem(std::span<const EnvCommand> commands, std::span<const std::uint8_t> flags,
                         std::size_t agents) {
    using namespace column_flag;
    constexpr std::uint8_t shared = terminated | truncated | first | failed | continues;
    constexpr std::uint8_t all = shared | inactive | cut, life = terminated | first;
    for (std::size_t column = 0; column < flags.size(); ++column) {
        const std::size_t env = column / agents;
        const std::uint8_t flag = flags[column], of_env = flags[env * agents];
        const EnvCommand command = commands[env];
        const bool known = (flag & ~all) == 0 && (flag & shared) == (of_env & shared) &&
                           ((flag & cut) == 0 || (flag & inactive) != 0) &&
                           ((flag & continues) == 0 || (flag & (life | failed)) == life);
        const bool fits = command == EnvCommand::rest    ? flag == 0
                          : command == EnvCommand::reset ? (flag & (terminated | truncated)) == 0 &&
                                                               ((flag & first) != 0 || (flag & failed) != 0)
                                                         : (flag & first) == 0 || (flag & terminated) != 0;
        if (!known || !fits)
            return "its flags are " + std::to_string(flag) + " after command " +
                   std::to_string(static_cast<int>(command));
    }
    return "";
}

std::string columnsProblem(const EnvSpec& spec, const Exchange& exchange, std::size_t env) {
    const Spaces& spaces = spec.spaces;
    const auto agents = static_cast<std::size_t>(spec.agents);
    for (std::size_t column = env * agents; column < (env + 1) * agents; ++column) {
        if (!std::isfinite(exchange.rewards[column]))
            return "its reward is " + nonFiniteName(exchange.rewards[column]);
        for (std::size_t index = 0; index < spaces.obs.size(); ++index) {
            const ObsLeaf& leaf = spaces.obs[index];
            const std::uint8_t* bytes = exchange.leaves[index] + column * leaf.bytes();
            if (leaf.dtype == DType::f32 &&
                !allFinite(reinterpret_cast<const float*>(bytes), leaf.elements()))
                return "observation '" + leaf.name + "' contains a value that is not finite";
            if (!isObservation(leaf, bytes))
                return "observation '" + leaf.name + "' contains a value outside of its space";
        }
        if (exchange.mask == nullptr) continue;
        const std::uint8_t* mask = exchange.mask + column * static_cast<std::size_t>(spaces.maskBytes());
        for (const ActionLeaf& leaf : spaces.actions) {
            if (leaf.kind != ActionLeaf::Kind::discrete) continue;
            const bool legal = std::all_of(mask, mask + leaf.n, [](std::uint8_t m) { return m <= 1; });
            if (!legal || std::find(mask, mask + leaf.n, 1) == mask + leaf.n)
                return "the mask of '" + leaf.name + "' allows no action";
            mask += leaf.n;
        }
    }
    return "";
}

}  // namespace seedbed
