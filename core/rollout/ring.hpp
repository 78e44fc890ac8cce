// SPDX-License-Identifier: Apache-2.0
// The ring: history of one actor group, written once. Rollouts, frame stacks, burn-in and replay are windows on it.
//
// Row t of a column holds obs_t and the action taken on it, and the reward and discount that action earned. The successor of row t is always
// row t+1. Termination: discount_t = 0 and row t+1 is the first observation of the next episode. Truncation: discount_t = 1 and row t+1 is an
// extra row with the true final observation (valid = 0, discount = 0, reward = 0, no action applied); the next episode starts at row t+2.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

struct RingSpec {
    Spaces spaces;
    int columns = 0;       // N: agent slots, stepped in lock step
    int rows = 0;          // R: capacity in rows
    int policy_words = 0;  // P: floats of the behaviour distribution per column
    int state_words = 0;   // S: floats of recurrent state per column, 0 without recurrence
    int state_every = 0;   // rows t with t % state_every == 0 store the recurrent state before obs_t
};

// Every field is an array [R, N, ...]; the row of absolute time t is t mod R, and each row starts on a 64-byte boundary.
// Pointers returned for row t stay valid while t is in [tail, head].
// Threads: one writer (the actor thread); any readers, each of which pins what it reads.
class Ring {
public:
    // Bytes that create() will allocate.
    static std::size_t bytes(const RingSpec& spec);
    // error: out_of_memory.
    static Result<std::unique_ptr<Ring>> create(const RingSpec& spec);

    const RingSpec& spec() const { return spec_; }
    int columns() const { return spec_.columns; }

    // Row fields. Leading dimension of all is N.
    std::uint8_t* obs(int leaf, std::uint64_t t);   // [N, leaf.bytes()], single frames
    float* action(std::uint64_t t);                 // [N, A]
    float* log_prob(std::uint64_t t);               // [N] of the behaviour policy
    float* policy(std::uint64_t t);                 // [N, P] parameters of the behaviour distribution
    float* value(std::uint64_t t);                  // [N] estimate at acting time
    float* reward(std::uint64_t t);                 // [N] as the learner sees it
    float* discount(std::uint64_t t);               // [N] 0 where the episode terminated, else 1
    std::uint8_t* valid(std::uint64_t t);           // [N] 0 on the extra row of a truncation
    std::uint8_t* first(std::uint64_t t);           // [N] 1 where obs_t is the first of an episode
    std::int32_t* episodeStep(std::uint64_t t);     // [N] decisions since the episode began
    std::uint8_t* mask(std::uint64_t t);            // [N, mask_bytes]
    std::uint16_t* policyId(std::uint64_t t);       // [N] who acted (self-play)
    std::uint32_t* version(std::uint64_t t);        // [N] parameter version that acted
    float* state(std::uint64_t t);                  // [N, S]; only t % state_every == 0

    // The row being filled: its observation is there, its action may not be. Rows below it are complete.
    std::uint64_t head() const { return head_.load(std::memory_order_acquire); }
    // Oldest row still readable.
    std::uint64_t tail() const;
    // Writer: publishes row head and moves to the next. Needs room().
    void advance();
    // Writer: whether advance() is possible without overwriting a pinned row. Frame stacks of pinned rows count as pinned.
    bool room() const;
    // Writer: waits for room; false when stopped.
    bool waitForRoom(std::stop_token stop);

    // Readers: keeps rows >= t from being overwritten until moved or dropped. t must still be readable.
    class Pin {
    public:
        Pin() = default;
        Pin(Pin&&) noexcept;
        Pin& operator=(Pin&&) noexcept;
        ~Pin();
        void moveTo(std::uint64_t t);

    private:
        friend class Ring;
        Ring* ring_ = nullptr;
        std::size_t slot_ = 0;
    };
    Pin pin(std::uint64_t t);
    // Readers: waits until head() >= t; false when stopped.
    bool waitForRow(std::uint64_t t, std::stop_token stop) const;

private:
    explicit Ring(const RingSpec& spec);
    struct Field;
    struct Impl;
    RingSpec spec_;
    std::atomic<std::uint64_t> head_{0};
    std::shared_ptr<Impl> impl_;
};

// A rectangle of history: rows [t0, t0 + length), columns [column, column + columns) of one group's ring.
struct Window {
    int group = 0;
    std::uint64_t t0 = 0;
    int length = 0;
    int column = 0;
    int columns = 0;
    bool operator==(const Window&) const = default;
};

// One element of history.
struct RowRef {
    std::uint64_t t = 0;
    std::int32_t column = 0;
    std::int32_t group = 0;
};

// Copies the (stacked) observation of each row into `out` [rows.size(), stack * leaf bytes], oldest frame first. Frames before the start of an
// episode repeat its first frame (as Gymnasium's FrameStackObservation pads on reset).
void gatherObs(const std::vector<Ring*>& rings, int leaf, const RowRef* rows, std::size_t count, std::uint8_t* out);
// The action and reward of the row before each row, zero at the first row of an episode: [count, A] and [count].
void gatherPrevious(const std::vector<Ring*>& rings, const RowRef* rows, std::size_t count, float* prev_action, float* prev_reward);

}  // namespace seedbed
