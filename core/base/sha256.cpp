// SPDX-License-Identifier: Apache-2.0
// SHA-256, computed by OpenSSL's libcrypto, which uses the processor's SHA instructions. The newer functions
// EVP_* would make static libraries contain all of its algorithms.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/base/sha256.hpp"

#include <array>

#include <openssl/sha.h>

#include "core/base/error.hpp"

namespace seedbed {

struct Sha256::Impl {
    SHA256_CTX context;
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) { SEEDBED_CHECK(SHA256_Init(&impl_->context) == 1); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
    SEEDBED_CHECK(SHA256_Update(&impl_->context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SEEDBED_CHECK(SHA256_Final(digest.data(), &impl_->context) == 1);
    std::string text;
    for (const unsigned char byte : digest) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

std::string sha256Hex(std::span<const std::byte> bytes) {
    Sha256 sha;
    sha.update(bytes);
    return sha.hex();
}

std::string sha256Hex(std::string_view text) {
    return sha256Hex(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace seedbed
