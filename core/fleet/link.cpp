// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/link.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <filesystem>

#include "core/base/version.hpp"

namespace seedbed {
namespace {

constexpr const char* kLinkModule = "seedbed_grpc.so";

Result<LinkTransport*> loadModuleFrom(const std::filesystem::path& path) {
    // Refused connections are reported to the user in our words.
    setenv("GRPC_VERBOSITY", "NONE", 0);
    // Never closed, because gRPC's threads keep running.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return fail(ErrorCode::config,
                    "the module for fleets could not be loaded: " + std::string(dlerror()) +
                        "; install gRPC (on Debian: apt install libgrpc++1.51)");
    const auto entry = reinterpret_cast<LinkTransportEntry>(dlsym(library, kLinkTransportEntry));
    LinkTransport* transport = entry == nullptr ? nullptr : entry(kVersion);
    if (transport != nullptr) return transport;
    return fail(ErrorCode::config, path.string() + " belongs to a different version of Seedbed; build again");
}

Result<LinkTransport*> loadModule() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto& path : {folder / kLinkModule, folder.parent_path() / "lib" / "seedbed" / kLinkModule})
        if (std::filesystem::exists(path, error)) return loadModuleFrom(path);
    return fail(ErrorCode::config,
                "this build has no fleets; install gRPC (on Debian: apt install libgrpc++-dev) and build "
                "again");
}

}  // namespace

Result<LinkTransport*> loadLinkTransport() {
    static const Result<LinkTransport*> transport = loadModule();
    return transport;
}

}  // namespace seedbed
