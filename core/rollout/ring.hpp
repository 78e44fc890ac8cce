// SPDX-License-Identifier: Apache-2.0
// The ring: the history of one actor group. Rollouts, frame stacks, burn-in and replay read windows of it.
// ring.cpp describes the rows at the end of an episode.
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
    int columns = 0;  // N: agents, stepped in lockstep
    int rows = 0;  // R: capacity in rows; one is always being written, so windows of at most R - 1 - history
                   // rows fit
    int policy_words = 0;  // P: floats of the behaviour distribution per column
    int state_words = 0;   // S: floats of recurrent state per column, 0 without recurrence
    int state_every = 0;   // rows t with t % state_every == 0 store the recurrent state before obs_t
    // Number of earlier rows that a row depends on: stack - 1 for frame stacks, 1 for the previous action and
    // reward.
    int history() const;
};

// A ring buffer of rows. Every field is an array [R, N, ...]; the row of absolute time t is at t mod R and
// starts on a 64-byte boundary. Pointers to row t are valid while tail() <= t <= head(). Threads: one writer
// (the actor's thread); any number of readers, each of which pins what it reads.
class Ring {
public:
    // Bytes that create() allocates for a valid `spec`.
    static std::size_t bytes(const RingSpec& spec);
    // error: out_of_memory; config if a size is not positive or rows < history + 2.
    static Result<std::unique_ptr<Ring>> create(const RingSpec& spec);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    const RingSpec& spec() const { return spec_; }
    int columns() const { return spec_.columns; }

    // Row fields; the first dimension is N. Thread: readers for pinned rows; the writer for row head and,
    // after hasRoom(), row head + 1.
    //
    // [N, leaf.bytes()], single frames
    std::uint8_t* obs(int leaf, std::uint64_t t) { return at(obs_[static_cast<std::size_t>(leaf)], t); }
    // [N, A]
    float* action(std::uint64_t t) { return at<float>(action_, t); }
    // [N] of the behaviour policy
    float* logProb(std::uint64_t t) { return at<float>(log_prob_, t); }
    // [N, P] parameters of the behaviour distribution
    float* policy(std::uint64_t t) { return at<float>(policy_, t); }
    // [N] value estimate when the action was chosen
    float* value(std::uint64_t t) { return at<float>(value_, t); }
    // [N] as used by the learner
    float* reward(std::uint64_t t) { return at<float>(reward_, t); }
    // [N] 0 where the episode terminated, else 1
    float* discount(std::uint64_t t) { return at<float>(discount_, t); }
    // [N] 0 on the extra row of a truncation
    std::uint8_t* valid(std::uint64_t t) { return at(valid_, t); }
    // [N] 1 where obs_t is the first of an episode
    std::uint8_t* first(std::uint64_t t) { return at(first_, t); }
    // [N] decisions since the episode began
    std::int32_t* episodeStep(std::uint64_t t) { return at<std::int32_t>(episode_step_, t); }
    // [N, mask_bytes]
    std::uint8_t* mask(std::uint64_t t) { return at(mask_, t); }
    // [N] who chose the action: 0 is the learner, others are its opponents in self-play
    std::uint16_t* policyId(std::uint64_t t) { return at<std::uint16_t>(policy_id_, t); }
    // [N] version of the parameters that chose the action
    std::uint32_t* version(std::uint64_t t) { return at<std::uint32_t>(version_, t); }
    // [N, S], only at rows with t % state_every == 0
    float* state(std::uint64_t t);

    // The row being written: it has its observation, but not necessarily its action. Rows below it are
    // complete.
    std::uint64_t head() const { return head_.load(std::memory_order_acquire); }
    // The oldest row that can be pinned; its history can be read, too. May increase at any time unless this
    // row is pinned.
    std::uint64_t tail() const;
    // Writer: makes `row` the head of a ring without rows, to which no earlier row belongs.
    void beginAt(std::uint64_t row);
    // Writer: publishes row head and moves to the next. Requires hasRoom().
    void advance();
    // Writer: whether row head + 1 can be written without overwriting a pinned row or its history. Once true,
    // it stays true until advance().
    bool hasRoom();
    // Writer: waits for room; false if stopped.
    bool waitForRoom(std::stop_token stop);

    // Readers: protects rows >= t and their history from being overwritten until it is moved or destroyed.
    class Pin {
    public:
        Pin() = default;
        Pin(Pin&&) noexcept;
        Pin& operator=(Pin&&) noexcept;
        ~Pin();
        explicit operator bool() const { return ring_ != nullptr; }
        // `t` must not decrease.
        void moveTo(std::uint64_t t);

    private:
        friend class Ring;
        void drop();
        Ring* ring_ = nullptr;
        std::size_t slot_ = 0;
    };
    // Pins rows >= t. Requires t >= tail() until this returns (because of another pin, or because the
    // writer is paused); t may be above head(). Violations, and more than 256 pins at once, are bugs.
    Pin pin(std::uint64_t t);
    // Like pin(), for readers concurrent with the writer (replay): the pin is empty if row t or its history
    // has been overwritten.
    Pin tryPin(std::uint64_t t);
    // Readers: waits until head() >= t; false if stopped.
    bool waitForRow(std::uint64_t t, std::stop_token stop) const;

    // Saves or restores rows [from, head] with their history, for exact resume. Saving requires tail <= from
    // <= head. Loading requires a ring with the same spec (`rows` may differ if everything fits) that no
    // other thread uses; `from` is ignored and the saved value becomes tail. error: the archive is too short
    // or belongs to a differently shaped ring.
    Result<> archive(Archive& archive, std::uint64_t from);
    // An upper bound for the bytes that saving needs.
    std::size_t archiveBytes(std::uint64_t from) const;

private:
    struct Field {
        std::uint8_t* base = nullptr;
        std::size_t stride = 0;  // bytes of a row, a multiple of 64
        std::size_t used = 0;    // bytes of a row that contain data
    };
    struct Shared;

    explicit Ring(const RingSpec& spec);
    // t mod R by multiplication. Exact for every t: the estimated quotient is at most one too small.
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
    // Places the fields, starting at `base` (nullptr: only measures), and returns their size in bytes.
    std::size_t place(std::uint8_t* base);
    std::uint64_t lowestWhenWriting(std::uint64_t row) const;
    std::uint64_t lowestOf(std::uint64_t pinned) const { return pinned > history_ ? pinned - history_ : 0; }
    std::uint64_t lowestReadable() const;
    bool pinsAllow(std::uint64_t row) const;
    void archiveRows(Archive& archive, std::uint64_t low, std::uint64_t head);
    void checkRow(Archive& archive, std::uint64_t t);
    std::vector<std::uint64_t> shape() const;

    RingSpec spec_;
    std::uint64_t rows_ = 1;
    std::uint64_t reciprocal_ = 0;  // floor((2^64 - 1) / R)
    std::uint64_t history_ = 0;
    std::vector<Field> obs_;
    Field action_, log_prob_, policy_, value_, reward_, discount_, valid_, first_, episode_step_, mask_,
        policy_id_, version_, state_;

    alignas(64) std::atomic<std::uint64_t> head_{0};
    // The highest row that the writer may write, times 2; odd while it checks the pins.
    alignas(64) std::atomic<std::uint64_t> claim_{0};
    std::atomic<std::uint64_t> floor_{0};  // lowest row of a restored ring
    std::unique_ptr<Shared> shared_;
    std::unique_ptr<std::uint8_t[], void (*)(void*)> memory_;
};

}  // namespace seedbed
