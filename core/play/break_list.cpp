// SPDX-License-Identifier: Apache-2.0
#include "core/play/break_list.hpp"

namespace seedbed {

std::string BreakList::apply(const PlayerRequest& request) {
    if (request.condition) {
        breaks_.push_back({request.id, *request.condition});
        return "";
    }
    const std::size_t erased =
        std::erase_if(breaks_, [&](const Break& one) { return request.id == 0 || one.id == request.id; });
    return erased == 0 && request.id != 0 ? "there is no condition " + std::to_string(request.id) : "";
}

Json BreakList::check(const std::deque<PlayerRecord>& trace, Ring& ring, int column) const {
    const PlayerRecord& now = trace.back();
    const PlayerRecord* before = trace.size() > 1 ? &trace[trace.size() - 2] : nullptr;
    const auto observed = [&](std::size_t leaf, std::size_t element) {
        const ObsLeaf& spec = ring.spec().spaces.obs[leaf];
        const std::uint8_t* bytes =
            ring.obs(static_cast<int>(leaf), ring.head()) + static_cast<std::size_t>(column) * spec.bytes();
        return elementOf(spec, bytes, element);
    };
    for (const Break& one : breaks_)
        if (one.condition.holds(before, now, observed))
            return {{"break", one.id}, {"when", one.condition.text()}, {"row", now.row}};
    return {};
}

Json BreakList::json() const {
    Json list = Json::array();
    for (const Break& one : breaks_) list.push_back({{"break", one.id}, {"when", one.condition.text()}});
    return list;
}

}  // namespace seedbed
