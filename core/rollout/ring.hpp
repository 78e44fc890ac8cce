// SPDX-License-Identifier: Apache-2.0
// The ring: history of one actor group, written once. Rollouts, frame stacks, burn-in and replay are windows
// on it.
//
// Row t of a column holds obs_t and the action taken on it, and the reward and discount that action earned.
// The successor of row t is always row t+1. Termination: discount_t = 0 and row t+1 is the first observation
// of the next episode. Truncation: discount_t = 1 and row t+1 is an extra row with the true final observation
// (valid = 0, discount = 0, reward = 0, no action applied); the next episode starts at row t+2.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/error.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

struct RingSpec {
    Spaces spaces;
    int columns = 0;  // N: agent slots, stepped in lock step
    int rows = 0;  // R: capacity in rows; one is always being written, so windows of at most R - 1 - history
                   // rows fit
    int policy_words = 0;  // P: floats of the behaviour distribution per column
    int state_words = 0;   // S: floats of recurrent state per column, 0 without recurrence
    int state_every = 0;   // rows t with t % state_every == 0 store the recurrent state before obs_t
    // Rows before a row that belong to it: frame stacks reach back stack - 1 rows, previous action and reward
    // one row.
    int history() const;
};

// Every field is an array [R, N, ...]; the row of absolute time t is t mod R, and each row starts on a
// 64-byte boundary. Pointers returned for row t stay valid while t is in [tail, head]. Memory is zero at
// first and becomes resident as rows are written. Threads: one writer (the actor thread); any readers, each
// of which pins what it reads.
class Ring {
public:
    // Bytes that create() will allocate. `spec` must be acceptable to create().
    static std::size_t bytes(const RingSpec& spec);
    // error: out_of_memory; config when a size is not positive or rows < history + 2.
    static Result<std::unique_ptr<Ring>> create(const RingSpec& spec);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    const RingSpec& spec() const { return spec_; }
    int columns() const { return spec_.columns; }

    // Row fields. Leading dimension of all is N. Thread: any; the writer for row head and (after hasRoom())
    // row head + 1.
    std::uint8_t* obs(int leaf, std::uint64_t t) {
        return at(obs_[static_cast<std::size_t>(leaf)], t);
    }                                                                     // [N, leaf.bytes()], single frames
    float* action(std::uint64_t t) { return at<float>(action_, t); }      // [N, A]
    float* log_prob(std::uint64_t t) { return at<float>(log_prob_, t); }  // [N] of the behaviour policy
    float* policy(std::uint64_t t) {
        return at<float>(policy_, t);
    }  // [N, P] parameters of the behaviour distribution
    float* value(std::uint64_t t) { return at<float>(value_, t); }    // [N] estimate at acting time
    float* reward(std::uint64_t t) { return at<float>(reward_, t); }  // [N] as the learner sees it
    float* discount(std::uint64_t t) {
        return at<float>(discount_, t);
    }  // [N] 0 where the episode terminated, else 1
    std::uint8_t* valid(std::uint64_t t) { return at(valid_, t); }  // [N] 0 on the extra row of a truncation
    std::uint8_t* first(std::uint64_t t) {
        return at(first_, t);
    }  // [N] 1 where obs_t is the first of an episode
    std::int32_t* episodeStep(std::uint64_t t) {
        return at<std::int32_t>(episode_step_, t);
    }                                                             // [N] decisions since the episode began
    std::uint8_t* mask(std::uint64_t t) { return at(mask_, t); }  // [N, mask_bytes]
    std::uint16_t* policyId(std::uint64_t t) {
        return at<std::uint16_t>(policy_id_, t);
    }  // [N] who acted (self-play)
    std::uint32_t* version(std::uint64_t t) {
        return at<std::uint32_t>(version_, t);
    }                               // [N] parameter version that acted
    float* state(std::uint64_t t);  // [N, S]; only t % state_every == 0

    // The row being filled: its observation is there, its action may not be. Rows below it are complete.
    std::uint64_t head() const { return head_.load(std::memory_order_acquire); }
    // Oldest row that can still be pinned: its history is readable too. It may grow at any time unless rows
    // from it on are pinned.
    std::uint64_t tail() const;
    // Writer: publishes row head and moves to the next. Needs hasRoom().
    void advance();
    // Writer: whether row head + 1 may be written, that is without overwriting a pinned row or its history.
    // True stays true until advance().
    bool hasRoom();
    // Writer: waits for room; false when stopped.
    bool waitForRoom(std::stop_token stop);

    // Readers: keeps rows >= t (and their history) from being overwritten until moved or dropped.
    class Pin {
    public:
        Pin() = default;
        Pin(Pin&&) noexcept;
        Pin& operator=(Pin&&) noexcept;
        ~Pin();
        explicit operator bool() const { return ring_ != nullptr; }
        // Forward only.
        void moveTo(std::uint64_t t);

    private:
        friend class Ring;
        void drop();
        Ring* ring_ = nullptr;
        std::size_t slot_ = 0;
    };
    // t >= tail, also ahead of head, and still so when this returns (another pin holds it, or the writer
    // rests): anything else is a bug, as is holding more than 256 pins at once.
    Pin pin(std::uint64_t t);
    // The same for readers that race with the writer (replay): an empty pin when row t or its history is
    // gone.
    Pin tryPin(std::uint64_t t);
    // Readers: waits until head() >= t; false when stopped.
    bool waitForRow(std::uint64_t t, std::stop_token stop) const;

    // Saves or restores rows [from, head] with their history, for exact resume; saving needs tail <= from <=
    // head. Loading needs a ring of equal spec (rows may differ when everything fits) that nobody else uses;
    // afterwards tail is `from` as saved (the argument is ignored). error: the archive is short, or was made
    // by a ring of another shape.
    Result<> archive(Archive& archive, std::uint64_t from);
    // At least the bytes that saving takes, at most those of the rows in memory.
    std::size_t archiveBytes(std::uint64_t from) const;

private:
    struct Field {
        std::uint8_t* base = nullptr;
        std::size_t stride = 0;  // bytes of a row, a multiple of 64
        std::size_t used = 0;    // bytes of a row that carry data
    };
    struct Shared;

    explicit Ring(const RingSpec& spec);
    // t mod R by multiplication; exact for every t (the estimated quotient is at most one too small).
    std::uint64_t slotOf(std::uint64_t t) const {
        __extension__ using Wide = unsigned __int128;
        const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(t) * reciprocal_) >> 64);
        const std::uint64_t rest = t - quotient * rows_;
        return rest >= rows_ ? rest - rows_ : rest;
    }
    template <class T = std::uint8_t>
    T* at(const Field& field, std::uint64_t t) {
        return reinterpret_cast<T*>(field.base + slotOf(t) * field.stride);
    }
    // Assigns the fields from `base` on, or from nowhere; returns the bytes they take.
    std::size_t place(std::uint8_t* base);
    std::uint64_t lowestWhenWriting(std::uint64_t row) const;
    std::uint64_t lowestOf(std::uint64_t pinned) const { return pinned > history_ ? pinned - history_ : 0; }
    std::uint64_t lowestReadable() const;
    bool pinsAllow(std::uint64_t row) const;
    void archiveRows(Archive& archive, std::uint64_t low, std::uint64_t head);
    std::vector<std::uint64_t> shape() const;

    RingSpec spec_;
    std::uint64_t rows_ = 1;
    std::uint64_t reciprocal_ = 0;  // floor((2^64 - 1) / R)
    std::uint64_t history_ = 0;
    std::vector<Field> obs_;
    Field action_, log_prob_, policy_, value_, reward_, discount_, valid_, first_, episode_step_, mask_,
        policy_id_, version_, state_;

    alignas(64) std::atomic<std::uint64_t> head_{0};
    // Highest row the writer may write, times 2; odd while it is still looking whether pins allow it.
    alignas(64) std::atomic<std::uint64_t> claim_{0};
    std::atomic<std::uint64_t> floor_{0};  // rows below were never here (restored rings)
    std::unique_ptr<Shared> shared_;
    std::unique_ptr<std::uint8_t[], void (*)(void*)> memory_;
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

// Appends the elements of a window in time-major order: all columns of row t0, then of t0 + 1, and so on.
void appendRows(const Window& window, std::vector<RowRef>& rows);
// Elements of a window that count as decisions (valid = 1).
std::size_t validRows(const std::vector<Ring*>& rings, const Window& window);

// Copies the (stacked) observation of each row into `out` [count, stack * leaf bytes], oldest frame first.
// Frames before the start of an episode repeat its first frame (as Gymnasium's FrameStackObservation pads on
// reset). Thread: any that pins the rows, or the writer.
void gatherObs(const std::vector<Ring*>& rings, int leaf, const RowRef* rows, std::size_t count,
               std::uint8_t* out);
// The action and reward of the row before each row, zero at the first row of an episode: [count, A] and
// [count].
void gatherPrevious(const std::vector<Ring*>& rings, const RowRef* rows, std::size_t count,
                    float* prev_action, float* prev_reward);

}  // namespace seedbed
