// SPDX-License-Identifier: Apache-2.0
// SHA-256 by OpenSSL's libcrypto, which uses the processor's SHA instructions.
#include "core/base/sha256.hpp"

#include <array>

#include <openssl/evp.h>

#include "core/base/error.hpp"

namespace seedbed {

struct Sha256::Impl {
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context;
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
    impl_->context.reset(EVP_MD_CTX_new());
    SEEDBED_CHECK(impl_->context && EVP_DigestInit_ex(impl_->context.get(), EVP_sha256(), nullptr) == 1,
                  "libcrypto has no SHA-256");
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
    SEEDBED_CHECK(EVP_DigestUpdate(impl_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
    std::array<unsigned char, 32> digest{};
    unsigned int size = 0;
    SEEDBED_CHECK(EVP_DigestFinal_ex(impl_->context.get(), digest.data(), &size) == 1 &&
                  size == digest.size());
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
