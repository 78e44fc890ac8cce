// SPDX-License-Identifier: Apache-2.0
// The certificate authority of a data folder, and the credentials that it issues for actors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/os/files.hpp"
#include "core/fleet/link.hpp"

namespace seedbed {

// Address, certificate and token of an actor: one private file. Times are seconds since 1970 UTC.
struct ActorCredentials {
    std::int64_t run = 0;
    std::string address;  // "host:port" of the learner
    LinkIdentity identity;
    std::string token;  // see FleetAuthority::checkToken()
    std::int64_t issued_s = 0, expires_s = 0;

    std::string json() const;
    // error: config: the file is damaged.
    static Result<ActorCredentials> parse(const std::string& text);
    // Whether they can be used at this time of this machine's clock. error: config: expired, from the future
    // (clock skew), or parts that do not belong together.
    Result<> check(std::int64_t now_s) const;
};

// Clocks may differ by this much.
inline constexpr std::int64_t kClockSkewS = 300;

class FleetAuthority {
public:
    // Reads DATA/fleet/authority.pem and authority.key, or creates them; only this user can read the key.
    // Processes that create them at the same time get the same authority.
    static Result<FleetAuthority> open(FileSystem& files, const std::filesystem::path& data_folder);
    // Eight hexadecimal digits that differ between data folders.
    std::string id() const;

    // A certificate for a learner, valid for a year from `now_s`. It is not stored.
    Result<LinkIdentity> learner(std::int64_t now_s) const;
    Result<ActorCredentials> actor(std::int64_t run, const std::string& address, std::int64_t now_s,
                                   std::int64_t valid_s) const;
    // error: the token is for another run, was not issued by this authority, or has expired.
    Result<> checkToken(const std::string& token, std::int64_t run, std::int64_t now_s) const;

private:
    FleetAuthority(std::string certificate, std::string key)
        : certificate_(std::move(certificate)), key_(std::move(key)) {}
    // nullopt if it does not exist.
    static Result<std::optional<FleetAuthority>> read(FileSystem& files, const std::filesystem::path& folder);
    static Result<FleetAuthority> create(FileSystem& files, const std::filesystem::path& folder);
    std::string signature(const std::string& text) const;

    std::string certificate_, key_;
};

// DATA/fleet/run-N: credentials, logs and the list of machines of a run.
std::filesystem::path fleetFolder(const std::filesystem::path& data_folder, std::int64_t run);

}  // namespace seedbed
