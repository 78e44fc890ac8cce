// SPDX-License-Identifier: Apache-2.0
#include "core/run/build_info.hpp"

#include <array>
#include <cstring>
#include <span>

#include <link.h>
#include <unistd.h>

#include "core/base/simd.hpp"
#include "core/base/version.hpp"

namespace seedbed {

std::string buildText() {
#ifdef __clang__
    const char* compiler = "";  // here __VERSION__ contains the compiler's name
#else
    const char* compiler = "GCC ";
#endif
    return std::string(kVersion) + " (" + compiler + __VERSION__ + ")";
}

std::string buildId() {
    std::string id;
    // The first object is the program itself; libraries follow.
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* out) {
            for (const auto& header : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
                if (header.p_type != PT_NOTE) continue;
                // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader returns addresses as numbers
                const auto* note = reinterpret_cast<const unsigned char*>(object->dlpi_addr + header.p_vaddr);
                const unsigned char* const end = note + header.p_memsz;
                while (end - note >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
                    ElfW(Nhdr) head;
                    std::memcpy(&head, note, sizeof head);
                    const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
                    const unsigned char* const name = note + sizeof head;
                    const unsigned char* const content = name + padded(head.n_namesz);
                    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
                        std::memcmp(name, "GNU", 4) == 0) {
                        constexpr char kDigits[] = "0123456789abcdef";
                        for (const unsigned char byte : std::span(content, head.n_descsz))
                            static_cast<std::string*>(out)->append({kDigits[byte / 16], kDigits[byte % 16]});
                        return 1;
                    }
                    note = content + padded(head.n_descsz);
                }
            }
            return 1;
        },
        &id);
    return id;
}

ProcessInfo processInfo(int threads) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return ProcessInfo{.pid = getpid(),
                       .host = host.data(),
                       .build = buildText(),
                       .threads = threads,
                       .other = {{"instruction_set", nameOf(activeIsa())}}};
}

}  // namespace seedbed
