// SPDX-License-Identifier: Apache-2.0
// memfd_create, fallocate, seals, and the header that both sides check.
#include "core/ipc/shared_segment.hpp"

#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/os/files.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/text.hpp"

namespace seedbed {

namespace {

// The start of every segment; the contents follow.
struct Header {
    std::uint64_t magic = 0;
    std::uint32_t header_version = 0;
    std::uint32_t kind = 0;
    std::uint32_t layout_version = 0;
    std::uint32_t reserved = 0;
    std::uint64_t total_bytes = 0;
    std::array<std::uint8_t, 32> contract{};
};
constexpr std::uint64_t kMagic = 0x0064656264656573;  // "seedbed\0"
constexpr std::uint32_t kHeaderVersion = 1;
constexpr std::size_t kHeaderBytes = 64;
static_assert(sizeof(Header) == kHeaderBytes && std::is_trivially_copyable_v<Header>);

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

// Free memory that must remain for other processes when a segment is created.
constexpr std::uint64_t kReserveBytes = std::uint64_t{64} << 20;

Result<> checkFree(std::size_t total) {
    SEEDBED_ASSIGN(const MemoryInfo memory, readMemory());
    if (total <= memory.available_bytes && memory.available_bytes - total >= kReserveBytes) return {};
    return fail(ErrorCode::out_of_memory, "shared memory of " + formatBytes(total) +
                                              " does not fit: " + formatBytes(memory.available_bytes) +
                                              " is available; use fewer environments or shorter rollouts");
}

Result<Descriptor> makeMemory(const std::string& name, std::size_t total) {
    const std::string label = "seedbed-" + name;
    // Kernels before 6.3 do not support MFD_NOEXEC_SEAL.
    Descriptor descriptor(::memfd_create(label.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL));
    if (!descriptor && errno == EINVAL)
        descriptor = Descriptor(::memfd_create(label.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!descriptor) return systemFailure("creating shared memory '" + name + "'");
    int result = 0;
    do {
        result = ::fallocate(descriptor.get(), 0, 0, static_cast<off_t>(total));
    } while (result != 0 && errno == EINTR);
    if (result == 0) return descriptor;
    Error error = systemError(errno, "allocating " + formatBytes(total) + " of shared memory '" + name + "'");
    if (errno == ENOSPC || errno == EFBIG) error.code = ErrorCode::out_of_memory;
    return tl::unexpected<Error>(std::move(error));
}

Result<> checkHeader(const Header& header, const SegmentKind& expected, std::size_t total) {
    if (header.magic != kMagic) return fail("the shared memory was not created by Seedbed");
    if (header.header_version != kHeaderVersion || header.kind != expected.kind)
        return fail("the shared memory has an unexpected purpose (kind " + std::to_string(header.kind) + ")");
    if (header.layout_version != expected.layout_version)
        return fail("the shared memory has layout version " + std::to_string(header.layout_version) +
                    ", this program supports version " + std::to_string(expected.layout_version) +
                    "; both processes must use the same Seedbed version");
    if (header.total_bytes != total) return fail("the size of the shared memory does not match its header");
    if (header.contract != expected.contract)
        return fail("the shared memory was laid out for different specifications");
    return {};
}

}  // namespace

Result<SharedSegment> SharedSegment::create(const std::string& name, const SegmentKind& kind,
                                            std::size_t bytes, bool peers_read_only) {
    if (bytes == 0 || bytes > (std::size_t{1} << 46))
        return fail(ErrorCode::out_of_memory, "shared memory cannot have a size of " + formatBytes(bytes));
    const std::size_t total = kHeaderBytes + bytes;
    SEEDBED_TRY(checkFree(total));
    SharedSegment segment;
    SEEDBED_ASSIGN(segment.descriptor_, makeMemory(name, total));
    SEEDBED_TRY(segment.map(total, Access::read_write));
    const Header header{kMagic, kHeaderVersion, kind.kind, kind.layout_version, 0, total, kind.contract};
    std::memcpy(segment.memory_, &header, sizeof header);
    // Sealed after mapping, because FUTURE_WRITE keeps existing mappings writable.
    const int seals = kSizeSeals | (peers_read_only ? F_SEAL_FUTURE_WRITE : 0);
    if (::fcntl(segment.descriptor_.get(), F_ADD_SEALS, seals) != 0)
        return systemFailure("sealing shared memory '" + name + "'");
    return segment;
}

Result<SharedSegment> SharedSegment::attach(Descriptor descriptor, const SegmentKind& expected,
                                            std::size_t bytes, Access access) {
    // Check the seals first: only a sealed size cannot change afterwards.
    const int seals = ::fcntl(descriptor.get(), F_GET_SEALS);
    if (seals < 0) return fail("the descriptor is not shared memory");
    if ((seals & kSizeSeals) != kSizeSeals)
        return fail("the shared memory is not sealed, so its size could change under its readers");
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0) return systemFailure("reading the status of shared memory");
    const auto total = static_cast<std::size_t>(status.st_size);
    if (total <= kHeaderBytes) return fail("the shared memory is too small for a header");
    if (bytes != 0 && total != kHeaderBytes + bytes)
        return fail("the shared memory has " + formatBytes(total - kHeaderBytes) + ", expected " +
                    formatBytes(bytes));
    // A hole in the file is allocated on first access, which raises SIGBUS if memory is exhausted.
    if (static_cast<std::uint64_t>(status.st_blocks) * 512 < total)
        return fail("the shared memory has holes");

    SharedSegment segment;
    segment.descriptor_ = std::move(descriptor);
    SEEDBED_TRY(segment.map(total, access));
    Header header;
    std::memcpy(&header, segment.memory_, sizeof header);
    SEEDBED_TRY(checkHeader(header, expected, total));
    return segment;
}

Result<> SharedSegment::map(std::size_t total, Access access) {
    const int protection = PROT_READ | (access == Access::read_write ? PROT_WRITE : 0);
    void* memory = ::mmap(nullptr, total, protection, MAP_SHARED, descriptor_.get(), 0);
    if (memory == MAP_FAILED) return systemFailure("mapping " + formatBytes(total) + " of shared memory");
    memory_ = static_cast<std::byte*>(memory);
    total_ = total;
    access_ = access;
    return {};
}

SharedSegment::SharedSegment(SharedSegment&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      memory_(std::exchange(other.memory_, nullptr)),
      total_(std::exchange(other.total_, 0)),
      access_(other.access_) {}

SharedSegment& SharedSegment::operator=(SharedSegment&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(memory_, other.memory_);
    std::swap(total_, other.total_);
    std::swap(access_, other.access_);
    return *this;
}

SharedSegment::~SharedSegment() {
    if (memory_ != nullptr) ::munmap(memory_, total_);
}

std::span<std::byte> SharedSegment::bytes() {
    SEEDBED_CHECK(access_ == Access::read_write, "writable access to a read-only segment");
    return {memory_ + kHeaderBytes, total_ - kHeaderBytes};
}

std::span<const std::byte> SharedSegment::bytes() const {
    return {memory_ + kHeaderBytes, total_ - kHeaderBytes};
}

}  // namespace seedbed
