// SPDX-License-Identifier: Apache-2.0
// Edits a run as fast as the window's ui-edit thread could, until it is killed.
//
// usage: seedbed_editor DATA_FOLDER RUN FIRST
// Edit N sets the notes to N, the tag to "tN" (removing the previous tag), and the star to N % 2.
// It is acknowledged by a line with N after the store has returned success.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/store/store.hpp"

int main(int argc, char** argv) {
    using namespace seedbed;
    if (argc != 4) return 2;
    const RunId run = std::atoll(argv[2]);
    auto store = Store::open(argv[1]);
    if (!store) {
        std::fprintf(stderr, "%s\n", store.error().text().c_str());
        return 1;
    }
    for (long long number = std::atoll(argv[3]);; ++number) {
        RunEdit edit;
        edit.notes = std::to_string(number);
        edit.star = number % 2 == 1;
        edit.add_tags = {"t" + std::to_string(number)};
        edit.remove_tags = {"t" + std::to_string(number - 1)};
        const Result<> edited = store->edit(run, edit);
        if (!edited) {
            std::fprintf(stderr, "%s\n", edited.error().text().c_str());
            return 1;
        }
        std::printf("%lld\n", number);
        std::fflush(stdout);
    }
}
