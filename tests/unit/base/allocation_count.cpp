// SPDX-License-Identifier: Apache-2.0
// Replaces the global operator new, in a separate file so that it is not inlined into callers.
#include "tests/unit/base/allocation_count.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> allocations{0}, bytes{0};
std::atomic<bool (*)()> refused{nullptr};

}  // namespace

// All non-aligned forms, so that allocation and release always match.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    if (const auto refuses = refused.load(std::memory_order_relaxed); refuses != nullptr && refuses())
        return nullptr;
    allocations.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
    if (void* memory = operator new(size, std::nothrow)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace seedbed::testing {

std::uint64_t allocationCount() { return allocations; }
std::uint64_t allocatedBytes() { return bytes; }
void refuseAllocations(bool (*refuses)()) { refused = refuses; }

}  // namespace seedbed::testing
