// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers (Philox 4x32-10): a number depends on its key and position only, not on
// threads or batching.
#pragma once

#include <array>
#include <cstdint>

namespace seedbed {

// One Philox 4x32 block with 10 rounds. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC
// 2011, section 3.3.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// The purpose of a stream. It is part of the key, so streams with different purposes never share numbers. The
// values are stored in checkpoints: append only.
enum class RngPurpose : std::uint32_t {
    environment = 1,
    action = 2,
    parameters = 3,
    minibatch = 4,
    evaluation_environment = 5,
    evaluation_action = 6,
    play = 7,
    test = 8,
    replay = 9,
    analysis = 10,
    population = 11,
};

// A stream of random numbers with the key (seed, purpose, lane). `position` is the number of 32-bit words
// drawn; it is the complete state. Streams with equal key and position give equal numbers on every machine;
// for normal(), this requires C libraries whose log and cos agree to the last bit. Thread: one owner at a
// time.
class Rng {
public:
    Rng() = default;
    Rng(std::uint64_t seed, RngPurpose purpose, std::uint32_t lane = 0, std::uint64_t position = 0);

    std::uint32_t nextU32() {
        if ((position_ >> 2) != block_) fill();
        return words_[position_++ & 3];
    }
    // Uniform integer in [0, bound), bound >= 1, without modulo bias (Lemire, 2019).
    std::uint32_t below(std::uint32_t bound);
    // Uniform in [0, 1): 24 bits for float, 53 bits for double.
    float uniformF();
    double uniform();
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    // Standard normal: Box-Muller on two uniforms, without a cached second value so that the position is the
    // complete state.
    double normal();
    bool bernoulli(double probability) { return uniform() < probability; }

    std::uint64_t position() const { return position_; }
    // Sets the absolute position.
    void seek(std::uint64_t position) { position_ = position; }

private:
    void fill();

    std::uint64_t seed_ = 0;
    std::uint32_t purpose_ = 0;
    std::uint32_t lane_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t block_ = ~std::uint64_t{0};  // index of the block in words_
    std::array<std::uint32_t, 4> words_{};
};

}  // namespace seedbed
