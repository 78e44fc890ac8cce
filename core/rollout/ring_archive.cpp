// SPDX-License-Identifier: Apache-2.0
// Saves and restores the open rows of a ring, so that a resumed run goes on with the windows it was filling.
#include <string>
#include <vector>

#include "core/rollout/ring.hpp"

namespace seedbed {

// What must be equal between the ring that saved and the one that loads; the number of rows may differ.
std::vector<std::uint64_t> Ring::shape() const {
    std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(spec_.columns),
                                     static_cast<std::uint64_t>(spec_.state_every), history_};
    for (const Field& field : obs_) shape.push_back(field.used);
    for (const Field* field : {&action_, &policy_, &mask_, &state_}) shape.push_back(field->used);
    return shape;
}

void Ring::archiveRows(Archive& archive, std::uint64_t low, std::uint64_t head) {
    for (std::uint64_t t = low; t <= head; ++t) {
        const auto row = [&](const Field& field) { archive.raw(at(field, t), field.used); };
        for (const Field& field : obs_) row(field);
        for (const Field* field : {&action_, &policy_, &mask_, &log_prob_, &value_, &reward_, &discount_,
                                   &episode_step_, &version_, &policy_id_, &valid_, &first_})
            row(*field);
        if (spec_.state_words > 0 && spec_.state_every > 0 &&
            t % static_cast<std::uint64_t>(spec_.state_every) == 0)
            archive.raw(state(t), state_.used);
    }
}

Result<> Ring::archive(Archive& archive, std::uint64_t from) {
    const std::vector<std::uint64_t> own = shape();
    std::vector<std::uint64_t> saved = own;
    std::uint64_t head = this->head();
    std::uint64_t low = lowestOf(from);
    if (!archive.isLoading())
        SEEDBED_CHECK(from >= tail() && from <= head, "only readable rows can be saved");
    archive(saved)(low)(head);
    if (archive.failed()) return fail("the saved rows of a ring are incomplete");
    if (saved != own)
        return fail("the saved rows belong to a ring of another shape (other columns, spaces or network)");
    if (low > head || head - low >= rows_)
        return fail("the saved rows " + std::to_string(low) + " to " + std::to_string(head) +
                    " do not fit a ring of " + std::to_string(rows_));
    archiveRows(archive, low, head);
    if (archive.failed()) return fail("the saved rows of a ring are incomplete");
    if (archive.isLoading()) {
        floor_.store(low, std::memory_order_relaxed);
        claim_.store(head * 2, std::memory_order_release);
        head_.store(head, std::memory_order_release);
    }
    return {};
}

std::size_t Ring::archiveBytes(std::uint64_t from) const {
    const auto most = static_cast<std::size_t>(head() - lowestOf(from) + 1);
    return (bytes(spec_) / rows_ + 1) * most + state_.stride + sizeof(std::uint64_t) * (shape().size() + 4);
}

}  // namespace seedbed
