// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/authority.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <memory>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {
namespace {

template <auto Free>
struct Deleter {
    template <class T>
    void operator()(T* pointer) const {
        Free(pointer);
    }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using CertPtr = std::unique_ptr<X509, Deleter<X509_free>>;
using BioPtr = std::unique_ptr<BIO, Deleter<BIO_free>>;
using ExtensionPtr = std::unique_ptr<X509_EXTENSION, Deleter<X509_EXTENSION_free>>;

constexpr std::int64_t kDayS = 86'400;
constexpr std::size_t kMaxFile = 1 << 16;

std::string textOf(BIO* bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return {data, static_cast<std::size_t>(size)};
}

std::string pemOf(EVP_PKEY* key) {
    const BioPtr bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
    return textOf(bio.get());
}

std::string pemOf(X509* certificate) {
    const BioPtr bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(bio.get(), certificate);
    return textOf(bio.get());
}

BioPtr reading(const std::string& text) {
    return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}
CertPtr certificateOf(const std::string& pem) {
    return CertPtr(PEM_read_bio_X509(reading(pem).get(), nullptr, nullptr, nullptr));
}
KeyPtr keyOf(const std::string& pem) {
    return KeyPtr(PEM_read_bio_PrivateKey(reading(pem).get(), nullptr, nullptr, nullptr));
}

bool extend(X509* certificate, X509* issuer, int id, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    const ExtensionPtr extension(X509V3_EXT_conf_nid(nullptr, &context, id, value));
    return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// A certificate for `key`, signed by the issuer; without an issuer, that of an authority.
Result<CertPtr> sign(EVP_PKEY* key, const std::string& name, X509* issuer, EVP_PKEY* issuer_key,
                     std::int64_t from_s, std::int64_t until_s) {
    CertPtr certificate(X509_new());
    std::int64_t serial = 0;
    RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
    X509* x = certificate.get();
    X509* by = issuer != nullptr ? issuer : x;
    X509_NAME* subject = X509_get_subject_name(x);
    const auto* bytes = reinterpret_cast<const unsigned char*>(name.c_str());
    const std::string names = "DNS:" + name;
    bool ok = X509_set_version(x, 2) == 1 &&
              ASN1_INTEGER_set_int64(X509_get_serialNumber(x), serial >> 1 & INT64_MAX) == 1 &&
              ASN1_TIME_set(X509_getm_notBefore(x), from_s) != nullptr &&
              ASN1_TIME_set(X509_getm_notAfter(x), until_s) != nullptr && X509_set_pubkey(x, key) == 1 &&
              X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, bytes, -1, -1, 0) == 1 &&
              X509_set_issuer_name(x, X509_get_subject_name(by)) == 1 &&
              extend(x, by, NID_basic_constraints, issuer == nullptr ? "critical,CA:TRUE" : "CA:FALSE");
    if (issuer != nullptr) ok = ok && extend(x, by, NID_subject_alt_name, names.c_str());
    if (ok && X509_sign(x, issuer_key != nullptr ? issuer_key : key, EVP_sha256()) != 0) return certificate;
    return fail("a certificate could not be created");
}

Result<LinkIdentity> issue(const std::string& authority, const std::string& authority_key,
                           const std::string& name, std::int64_t from_s, std::int64_t until_s) {
    const CertPtr issuer = certificateOf(authority);
    const KeyPtr issuer_key = keyOf(authority_key), key(EVP_EC_gen("P-256"));
    if (issuer == nullptr || issuer_key == nullptr || key == nullptr)
        return fail("a certificate could not be created: the authority in DATA/fleet is damaged");
    SEEDBED_ASSIGN(const CertPtr certificate,
                   sign(key.get(), name, issuer.get(), issuer_key.get(), from_s, until_s));
    return LinkIdentity{authority, pemOf(certificate.get()), pemOf(key.get())};
}

// Held while an authority is created, which takes milliseconds.
Result<Descriptor> lockAuthority(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "authority.lock";
    Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock) return systemFailure("opening '" + file.string() + "'");
    while (::flock(lock.get(), LOCK_EX) != 0)
        if (errno != EINTR) return systemFailure("locking '" + file.string() + "'");
    return lock;
}

}  // namespace

std::filesystem::path fleetFolder(const std::filesystem::path& data_folder, std::int64_t run) {
    return data_folder / "fleet" / ("run-" + std::to_string(run));
}

Result<FleetAuthority> FleetAuthority::open(FileSystem& files, const std::filesystem::path& data_folder) {
    const std::filesystem::path folder = data_folder / "fleet";
    SEEDBED_ASSIGN(auto existing, read(files, folder));
    if (existing) return std::move(*existing);
    SEEDBED_TRY(makeFolders(files, folder));
    SEEDBED_ASSIGN(const Descriptor lock, lockAuthority(folder));
    // Another process may have created it before this one got the lock.
    SEEDBED_ASSIGN(auto created, read(files, folder));
    if (created) return std::move(*created);
    return create(files, folder);
}

Result<std::optional<FleetAuthority>> FleetAuthority::read(FileSystem& files,
                                                           const std::filesystem::path& folder) {
    SEEDBED_ASSIGN(const auto exists, files.info(folder / "authority.pem"));
    if (!exists) return std::optional<FleetAuthority>();
    SEEDBED_ASSIGN(std::string certificate, readFile(files, folder / "authority.pem", kMaxFile));
    SEEDBED_ASSIGN(std::string key, readFile(files, folder / "authority.key", kMaxFile));
    return std::optional<FleetAuthority>(FleetAuthority(std::move(certificate), std::move(key)));
}

Result<FleetAuthority> FleetAuthority::create(FileSystem& files, const std::filesystem::path& folder) {
    const KeyPtr key(EVP_EC_gen("P-256"));
    if (key == nullptr) return fail("a key could not be created");
    const std::int64_t now = std::time(nullptr);
    // Authorities of different data folders have different names, so that errors name the cause.
    std::uint64_t number = 0;
    RAND_bytes(reinterpret_cast<unsigned char*>(&number), sizeof number);
    const std::string name = "Seedbed fleet " + std::to_string(number);
    SEEDBED_ASSIGN(const CertPtr certificate,
                   sign(key.get(), name, nullptr, nullptr, now - kDayS, now + 3650 * kDayS));
    FleetAuthority authority(pemOf(certificate.get()), pemOf(key.get()));
    // The certificate comes last: if it exists, so does the key.
    SEEDBED_TRY(writeFileAtomically(files, folder / "authority.key", authority.key_));
    SEEDBED_TRY(writeFileAtomically(files, folder / "authority.pem", authority.certificate_));
    return authority;
}

std::string FleetAuthority::id() const { return sha256Hex(certificate_).substr(0, 8); }

Result<LinkIdentity> FleetAuthority::learner(std::int64_t now_s) const {
    return issue(certificate_, key_, kLearnerName, now_s - kDayS, now_s + 365 * kDayS);
}

// Certificates are valid a day longer than tokens on both sides, so that a token that has expired and clocks
// that differ are reported as such.
Result<ActorCredentials> FleetAuthority::actor(std::int64_t run, const std::string& address,
                                               std::int64_t now_s, std::int64_t valid_s) const {
    ActorCredentials credentials{.run = run,
                                 .address = address,
                                 .identity = {},
                                 .token = {},
                                 .issued_s = now_s,
                                 .expires_s = now_s + valid_s};
    SEEDBED_ASSIGN(credentials.identity,
                   issue(certificate_, key_, "seedbed-actor", now_s - kDayS, credentials.expires_s + kDayS));
    const std::string text = std::to_string(run) + "." + std::to_string(credentials.expires_s);
    credentials.token = text + "." + signature(text);
    return credentials;
}

std::string FleetAuthority::signature(const std::string& text) const {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
    std::string hex;
    for (unsigned int i = 0; i < size; ++i)
        for (const int half : {digest[i] >> 4, digest[i] & 15}) hex += "0123456789abcdef"[half];
    return hex;
}

Result<> FleetAuthority::checkToken(const std::string& token, std::int64_t run, std::int64_t now_s) const {
    const std::vector<std::string> parts = split(token, '.');
    const std::string expected = parts.size() == 3 ? signature(parts[0] + "." + parts[1]) : "";
    if (parts.size() != 3 || parts[2].size() != expected.size() ||
        CRYPTO_memcmp(parts[2].data(), expected.data(), expected.size()) != 0)
        return fail("the token was not issued by this data folder");
    if (parts[0] != std::to_string(run))
        return fail("the token is for run " + parts[0] + ", but this is run " + std::to_string(run));
    if (parseInteger(parts[1]).value_or(0) >= now_s) return {};
    return fail("the token has expired; issue a new one with 'seedbed fleet add " + parts[0] + "'");
}

std::string ActorCredentials::json() const {
    return Json{{"run", run},
                {"address", address},
                {"authority", identity.authority},
                {"certificate", identity.certificate},
                {"key", identity.key},
                {"token", token},
                {"issued_s", issued_s},
                {"expires_s", expires_s}}
        .dump(2);
}

Result<ActorCredentials> ActorCredentials::parse(const std::string& text) try {
    const Json json = parseStrictJson(text);
    ActorCredentials credentials;
    json.at("run").get_to(credentials.run);
    json.at("address").get_to(credentials.address);
    json.at("authority").get_to(credentials.identity.authority);
    json.at("certificate").get_to(credentials.identity.certificate);
    json.at("key").get_to(credentials.identity.key);
    json.at("token").get_to(credentials.token);
    json.at("issued_s").get_to(credentials.issued_s);
    json.at("expires_s").get_to(credentials.expires_s);
    return credentials;
} catch (const Json::exception&) {
    return fail(ErrorCode::config, "this is not a file with credentials of an actor");
}

Result<> ActorCredentials::check(std::int64_t now_s) const {
    const CertPtr authority = certificateOf(identity.authority),
                  certificate = certificateOf(identity.certificate);
    const KeyPtr key = keyOf(identity.key);
    if (authority == nullptr || certificate == nullptr || key == nullptr ||
        X509_verify(certificate.get(), X509_get0_pubkey(authority.get())) != 1 ||
        X509_check_private_key(certificate.get(), key.get()) != 1)
        return fail(ErrorCode::config,
                    "the certificate was not signed by the authority of these credentials");
    if (now_s < issued_s - kClockSkewS)
        return fail(ErrorCode::config, "the credentials were issued " +
                                           formatDuration(double(issued_s - now_s)) +
                                           " in the future of this machine's clock; set the clock");
    if (now_s > expires_s)
        return fail(ErrorCode::config,
                    "the credentials expired " + formatDuration(double(now_s - expires_s)) +
                        " ago; issue new ones with 'seedbed fleet add " + std::to_string(run) + "'");
    return {};
}

}  // namespace seedbed
