// SPDX-License-Identifier: Apache-2.0
// SHA-256, used for files, parameters and configurations.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace seedbed {

// Incremental hash: any number of update() calls, then hex() once. Thread: one owner.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    void update(std::string_view text) { update(std::as_bytes(std::span(text.data(), text.size()))); }
    // Finishes the hash and returns 64 lower-case hexadecimal digits.
    std::string hex();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

std::string sha256Hex(std::span<const std::byte> bytes);
std::string sha256Hex(std::string_view text);

}  // namespace seedbed
