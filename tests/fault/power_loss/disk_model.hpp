// SPDX-License-Identifier: Apache-2.0
// The contents that a disk may have after a power failure, given the calls before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.hpp"
#include "tests/fault/power_loss/disk_log.hpp"

namespace seedbed::testing {

// Data survives if its file was synced after the write; a name survives if its folder was synced after the
// change; any part of the newer changes may survive. README.md describes the model.
class DiskModel {
public:
    DiskModel();
    void apply(const DiskCall& call);

    enum class Loss {
        nothing,     // nothing is lost, as if only the process was killed: the system writes everything later
        everything,  // all unsynced changes
        random,
    };
    // Creates the folder `target` with one possible content of the disk.
    void write(const std::filesystem::path& target, Loss loss, Rng& rng) const;

    // The strings acknowledged so far, in order.
    const std::vector<std::string>& acknowledged() const { return acknowledged_; }
    // Number of writes and names that a power failure could lose now.
    std::size_t unsynced() const;

private:
    struct Change {
        bool is_write = true;  // otherwise a change of the size to `offset`
        std::int64_t offset = 0;
        std::string bytes;
        bool dropped = false;  // dropped by a failed sync
    };
    struct Node {
        bool folder = false;
        std::string live, synced;     // contents of a file
        std::vector<Change> changes;  // the changes from `synced` to `live`
        std::map<std::string, int> names, synced_names;
    };
    // A rename removes one name and sets another.
    struct Naming {
        struct Part {
            int folder;
            std::string name;
            int node;  // -1: no longer exists
        };
        std::vector<Part> parts;
    };
    struct Place {
        int folder;
        std::string name;
    };

    Place placeOf(const std::string& path) const;
    int nodeOf(const std::string& path) const;
    int add(bool folder);
    void name(Naming naming);
    void sync(int node);
    static void syncContents(Node& node);
    static void change(std::string& contents, const Change& change);
    std::string contentsAfter(const Node& node, Loss loss, Rng& rng) const;
    std::vector<std::map<std::string, int>> namesAfter(Loss loss, Rng& rng) const;

    std::vector<Node> nodes_;      // 0: the folder itself
    std::vector<Naming> namings_;  // not synced, oldest first
    std::map<std::int64_t, int> handles_;
    std::vector<std::string> acknowledged_;
};

}  // namespace seedbed::testing
