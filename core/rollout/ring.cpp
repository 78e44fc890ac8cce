// SPDX-License-Identifier: Apache-2.0
// One zeroed allocation divided into fields, and the protocol between writer and readers for overwriting
// rows.
//
// Row t of a column contains obs_t, the action taken, and the reward and discount of that action. The
// successor of row t is always row t + 1. Termination: discount_t = 0, and row t + 1 is the first observation
// of the next episode. Truncation: discount_t = 1, and row t + 1 is an extra row with the true final
// observation (valid = 0, discount = 0, reward = 0, action not applied); row t + 2 starts the next
// episode. A termination in an environment with goals has this extra row, too.
#include "core/rollout/ring.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kPins = 256;
constexpr std::size_t kTooMuch = std::numeric_limits<std::size_t>::max() / 2;
constexpr std::uint64_t kLastRow = std::uint64_t{1}
                                   << 60;  // largest row accepted from an archive; a ring never reaches it
constexpr std::int32_t kLongestEpisode = 2'000'000'000;  // largest step accepted from an archive
constexpr std::uint64_t kFree = std::numeric_limits<std::uint64_t>::max();

std::size_t alignUp(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

int RingSpec::history() const {
    int history = 1;
    for (const ObsLeaf& leaf : spaces.obs) history = std::max(history, leaf.stack - 1);
    return history;
}

// The pins and the waiting threads. Only threads that wait or wake others lock the mutex.
struct Ring::Shared {
    std::array<std::atomic<std::uint64_t>, kPins> pins;
    std::atomic<std::size_t> pins_used{0};  // this slot and later ones were never used
    std::atomic<bool> writer_waits{false};
    std::atomic<int> readers_wait{0};
    Mutex mutex;
    StoppableConditionVariable changed;

    Shared() {
        for (auto& pin : pins) pin.store(kFree, std::memory_order_relaxed);
    }
    void wake() {
        // Taking the mutex orders this after the waiter's last check, so that the notification cannot be lost
        // between the check and the sleep.
        { const MutexLock lock(mutex); }
        changed.notifyAll();
    }
};

Ring::Ring(const RingSpec& spec)
    : spec_(spec), shared_(std::make_unique<Shared>()), memory_(nullptr, &std::free) {
    rows_ = static_cast<std::uint64_t>(spec.rows);
    reciprocal_ = std::numeric_limits<std::uint64_t>::max() / rows_;
    history_ = static_cast<std::uint64_t>(spec.history());
}

Ring::~Ring() = default;

std::size_t Ring::place(std::uint8_t* base) {
    std::size_t total = 0;
    const auto columns = static_cast<std::size_t>(spec_.columns);
    const auto place_field = [&](Field& field, std::size_t bytes_per_column, std::size_t rows) {
        field.used = bytes_per_column * columns;
        field.stride = alignUp(field.used);
        field.base = base == nullptr ? nullptr : base + total;
        std::size_t bytes = 0;
        // Sizes beyond the address space become the maximum value, so that the allocation fails.
        if (__builtin_mul_overflow(field.stride, rows, &bytes) ||
            __builtin_add_overflow(total, bytes, &total))
            total = kTooMuch;
    };
    const auto rows = static_cast<std::size_t>(rows_);
    obs_.resize(spec_.spaces.obs.size());
    for (std::size_t leaf = 0; leaf < obs_.size(); ++leaf)
        place_field(obs_[leaf], spec_.spaces.obs[leaf].bytes(), rows);
    place_field(action_, sizeof(float) * static_cast<std::size_t>(spec_.spaces.actionWords()), rows);
    place_field(policy_, sizeof(float) * static_cast<std::size_t>(spec_.policy_words), rows);
    place_field(mask_, static_cast<std::size_t>(spec_.spaces.maskBytes()), rows);
    for (Field* field : {&log_prob_, &value_, &reward_, &discount_}) place_field(*field, sizeof(float), rows);
    place_field(episode_step_, sizeof(std::int32_t), rows);
    place_field(version_, sizeof(std::uint32_t), rows);
    place_field(policy_id_, sizeof(std::uint16_t), rows);
    place_field(valid_, 1, rows);
    place_field(first_, 1, rows);
    // Any R consecutive rows contain at most ceil(R / every) rows with a state.
    const auto every = static_cast<std::size_t>(spec_.state_every);
    const std::size_t states = every > 0 && spec_.state_words > 0 ? (rows + every - 1) / every : 0;
    place_field(state_, sizeof(float) * static_cast<std::size_t>(spec_.state_words), states);
    return total;
}

std::size_t Ring::bytes(const RingSpec& spec) { return Ring(spec).place(nullptr); }

Result<std::unique_ptr<Ring>> Ring::create(const RingSpec& spec) {
    if (spec.columns <= 0 || spec.policy_words < 0 || spec.state_words < 0 || spec.state_every < 0)
        return fail(ErrorCode::config, "a ring needs at least one column, and no size may be negative");
    if (spec.rows < spec.history() + 2)
        return fail(ErrorCode::config,
                    "a ring of " + std::to_string(spec.rows) +
                        " rows is too short: frame stacks and the row being written need " +
                        std::to_string(spec.history() + 2));
    std::unique_ptr<Ring> ring(new Ring(spec));
    const std::size_t need = ring->place(nullptr);
    // calloc returns pages that become resident on first use, so a ring occupies memory only as it fills.
    void* memory = std::calloc(need + kAlign, 1);
    if (memory == nullptr)
        return fail(ErrorCode::out_of_memory, "not enough memory for a ring of " + formatBytes(need));
    ring->memory_.reset(static_cast<std::uint8_t*>(memory));
    const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(memory) % kAlign;
    ring->place(ring->memory_.get() + (misaligned == 0 ? 0 : kAlign - misaligned));
    return ring;
}

float* Ring::state(std::uint64_t t) {
    const auto every = static_cast<std::uint64_t>(spec_.state_every);
    SEEDBED_CHECK(every > 0 && t % every == 0, "row " + std::to_string(t) + " stores no recurrent state");
    const std::uint64_t states = (rows_ + every - 1) / every;
    return reinterpret_cast<float*>(state_.base + t / every % states * state_.stride);
}

// Writer and pins: the writer publishes the row that it is going to overwrite (an odd claim), then reads the
// pins; a reader sets its pin, then reads the claim. Both are sequentially consistent, so at least one of
// them sees the other.

// The oldest row that is kept while `row` is being written.
std::uint64_t Ring::lowestWhenWriting(std::uint64_t row) const { return row >= rows_ ? row + 1 - rows_ : 0; }

std::uint64_t Ring::lowestReadable() const {
    std::uint64_t claim = claim_.load(std::memory_order_seq_cst);
    // The writer is checking the pins, which takes a short time.
    while ((claim & 1) != 0) {
        std::this_thread::yield();
        claim = claim_.load(std::memory_order_seq_cst);
    }
    return std::max(lowestWhenWriting(claim >> 1), floor_.load(std::memory_order_relaxed));
}

std::uint64_t Ring::tail() const {
    const std::uint64_t lowest = lowestReadable();
    return lowest == 0 ? 0 : lowest + history_;
}

bool Ring::pinsAllow(std::uint64_t row) const {
    const std::uint64_t before = lowestWhenWriting(row - 1);
    const std::uint64_t after = lowestWhenWriting(row);
    const std::size_t used = shared_->pins_used.load(std::memory_order_seq_cst);
    for (std::size_t slot = 0; slot < used; ++slot) {
        const std::uint64_t pinned = shared_->pins[slot].load(std::memory_order_seq_cst);
        if (pinned == kFree) continue;
        // A pin below `before` was set too late; its reader will drop it.
        const std::uint64_t lowest = lowestOf(pinned);
        if (lowest >= before && lowest < after) return false;
    }
    return true;
}

bool Ring::hasRoom() {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    const std::uint64_t next = head + 1;
    if ((claim_.load(std::memory_order_relaxed) >> 1) >= next) return true;
    claim_.store(next * 2 + 1, std::memory_order_seq_cst);
    const bool allowed = lowestWhenWriting(next) == 0 || pinsAllow(next);
    claim_.store((allowed ? next : head) * 2, std::memory_order_release);
    return allowed;
}

bool Ring::waitForRoom(std::stop_token stop) {
    if (hasRoom()) return true;
    MutexLock lock(shared_->mutex);
    shared_->writer_waits.store(true, std::memory_order_seq_cst);
    const bool has_room = shared_->changed.wait(lock, stop, [this] { return hasRoom(); });
    shared_->writer_waits.store(false, std::memory_order_seq_cst);
    return has_room;
}

void Ring::beginAt(std::uint64_t row) {
    SEEDBED_CHECK(head() == 0, "the ring has rows");
    floor_.store(row, std::memory_order_relaxed);
    claim_.store(row * 2, std::memory_order_release);
    head_.store(row, std::memory_order_release);
}

void Ring::advance() {
    SEEDBED_CHECK(hasRoom(), "the ring is full");
    head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    if (shared_->readers_wait.load(std::memory_order_seq_cst) > 0) shared_->wake();
}

bool Ring::waitForRow(std::uint64_t t, std::stop_token stop) const {
    if (head() >= t) return true;
    MutexLock lock(shared_->mutex);
    shared_->readers_wait.fetch_add(1, std::memory_order_seq_cst);
    const bool there =
        shared_->changed.wait(lock, stop, [this, t] { return head_.load(std::memory_order_seq_cst) >= t; });
    shared_->readers_wait.fetch_sub(1, std::memory_order_seq_cst);
    return there;
}

Ring::Pin Ring::tryPin(std::uint64_t t) {
    Pin pin;
    for (std::size_t slot = 0; slot < kPins && !pin; ++slot) {
        std::uint64_t expected = kFree;
        if (!shared_->pins[slot].compare_exchange_strong(expected, t, std::memory_order_seq_cst)) continue;
        pin.ring_ = this;
        pin.slot_ = slot;
        std::size_t used = shared_->pins_used.load(std::memory_order_seq_cst);
        while (used <= slot &&
               !shared_->pins_used.compare_exchange_weak(used, slot + 1, std::memory_order_seq_cst)) {
        }
    }
    SEEDBED_CHECK(static_cast<bool>(pin), "too many pins on a ring");
    const std::uint64_t lowest = lowestReadable();
    if (lowest > 0 && t < lowest + history_) pin.drop();
    return pin;
}

Ring::Pin Ring::pin(std::uint64_t t) {
    Pin pin = tryPin(t);
    SEEDBED_CHECK(
        static_cast<bool>(pin),
        "row " + std::to_string(t) + " has been overwritten; the oldest row is " + std::to_string(tail()));
    return pin;
}

Ring::Pin::Pin(Pin&& other) noexcept : ring_(std::exchange(other.ring_, nullptr)), slot_(other.slot_) {}

Ring::Pin& Ring::Pin::operator=(Pin&& other) noexcept {
    if (this == &other) return *this;
    drop();
    ring_ = std::exchange(other.ring_, nullptr);
    slot_ = other.slot_;
    return *this;
}

Ring::Pin::~Pin() { drop(); }

void Ring::Pin::moveTo(std::uint64_t t) {
    SEEDBED_CHECK(ring_ != nullptr, "an empty pin cannot move");
    Shared& shared = *ring_->shared_;
    SEEDBED_CHECK(t >= shared.pins[slot_].load(std::memory_order_relaxed), "pins move forward only");
    shared.pins[slot_].store(t, std::memory_order_seq_cst);
    if (shared.writer_waits.load(std::memory_order_seq_cst)) shared.wake();
}

void Ring::Pin::drop() {
    if (ring_ == nullptr) return;
    Shared& shared = *std::exchange(ring_, nullptr)->shared_;
    shared.pins[slot_].store(kFree, std::memory_order_seq_cst);
    if (shared.writer_waits.load(std::memory_order_seq_cst)) shared.wake();
}

// The properties that must be equal in the saving and the loading ring. The number of rows may differ.
std::vector<std::uint64_t> Ring::shape() const {
    std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(spec_.columns),
                                     static_cast<std::uint64_t>(spec_.state_every), history_};
    for (const Field& field : obs_) shape.push_back(field.used);
    for (const Field* field : {&action_, &policy_, &mask_, &state_}) shape.push_back(field->used);
    return shape;
}

void Ring::archiveRows(Archive& archive, std::uint64_t low, std::uint64_t head) {
    for (std::uint64_t t = low; t <= head; ++t) {
        const auto row = [&](const Field& field) { archive.unchecked(at(field, t), field.used); };
        const auto reals = [&](const char* name, const Field& field, Limits<float> limits) {
            archive.reals(name, std::span(at<float>(field, t), field.used / sizeof(float)), limits);
        };
        for (std::size_t leaf = 0; leaf < obs_.size(); ++leaf) {
            if (spec_.spaces.obs[leaf].kind == ObsLeaf::Kind::vector)
                reals("an observation", obs_[leaf], kFinite<float>);
            else row(obs_[leaf]);
        }
        reals("an action", action_, kFinite<float>);
        reals("an output of the policy", policy_, kFinite<float>);
        row(mask_);
        reals("the log-probability of an action", log_prob_, kFinite<float>);
        reals("a value estimate", value_, kFinite<float>);
        reals("a reward", reward_, kFinite<float>);
        reals("a discount", discount_, range(0.0F, 1.0F));
        for (const Field* field : {&episode_step_, &version_, &policy_id_, &valid_, &first_}) row(*field);
        if (spec_.state_words > 0 && spec_.state_every > 0 &&
            t % static_cast<std::uint64_t>(spec_.state_every) == 0)
            archive.reals("a recurrent state", std::span(state(t), state_.used / sizeof(float)),
                          kFinite<float>);
        if (archive.isLoading() && !archive.failed()) checkRow(archive, t);
    }
}

// Saves or restores everything that is used as an index, a factor or a count.
void Ring::checkRow(Archive& archive, std::uint64_t t) {
    const Spaces& spaces = spec_.spaces;
    const auto words = static_cast<std::size_t>(spaces.actionWords());
    for (std::size_t n = 0; n < static_cast<std::size_t>(spec_.columns); ++n) {
        for (std::size_t leaf = 0; leaf < obs_.size(); ++leaf)
            archive.require(isObservation(spaces.obs[leaf], at(obs_[leaf], t) + n * spaces.obs[leaf].bytes()),
                            "a row has an observation outside its space");
        archive.require(isAction(spaces, action(t) + n * words), "a row has an action outside its space");
        archive.require(valid(t)[n] <= 1 && first(t)[n] <= 1, "a row has an invalid flag");
        const std::int32_t step = episodeStep(t)[n];
        archive.require(step >= 0 && step <= kLongestEpisode, "a row has an invalid step of its episode");
    }
    const std::uint8_t* allowed = mask(t);
    archive.require(std::all_of(allowed, allowed + mask_.used, [](std::uint8_t flag) { return flag <= 1; }),
                    "a row has an invalid mask");
}

Result<> Ring::archive(Archive& archive, std::uint64_t from) {
    const std::vector<std::uint64_t> own = shape();
    std::vector<std::uint64_t> saved = own;
    std::uint64_t head = this->head();
    std::uint64_t low = lowestOf(from);
    if (!archive.isLoading())
        SEEDBED_CHECK(from >= tail() && from <= head, "only readable rows can be saved");
    archive.fixed("the shape of a ring", saved).field("row", low, range(0, kLastRow));
    archive.field("row", head, range(0, kLastRow));
    SEEDBED_TRY(archive.status());
    if (saved != own) return fail("the saved rows do not match this ring: columns, spaces or network differ");
    if (low > head || head - low >= rows_)
        return fail("the saved rows " + std::to_string(low) + " to " + std::to_string(head) +
                    " do not fit a ring of " + std::to_string(rows_));
    if (low > 0 && head - low < history_) return fail("the saved rows of a ring lack their history");
    archiveRows(archive, low, head);
    SEEDBED_TRY(archive.status());
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
