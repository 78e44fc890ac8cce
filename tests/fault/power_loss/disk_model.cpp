// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/power_loss/disk_model.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

namespace seedbed::testing {

namespace {

constexpr std::size_t kSector = 512;  // bytes that a disk writes completely or not at all
constexpr std::size_t kPage = 4096;   // unit in which the system records whether bytes are on disk

}  // namespace

DiskModel::DiskModel() { add(true); }

int DiskModel::add(bool folder) {
    nodes_.emplace_back().folder = folder;
    return static_cast<int>(nodes_.size()) - 1;
}

DiskModel::Place DiskModel::placeOf(const std::string& path) const {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return {0, path};
    return {nodeOf(path.substr(0, slash)), path.substr(slash + 1)};
}

int DiskModel::nodeOf(const std::string& path) const {
    if (path.empty()) return 0;
    const Place place = placeOf(path);
    if (place.folder < 0) return -1;
    const auto& names = nodes_[static_cast<std::size_t>(place.folder)].names;
    const auto found = names.find(place.name);
    return found == names.end() ? -1 : found->second;
}

void DiskModel::name(Naming naming) {
    for (const Naming::Part& part : naming.parts) {
        auto& names = nodes_[static_cast<std::size_t>(part.folder)].names;
        if (part.node < 0) names.erase(part.name);
        else names[part.name] = part.node;
    }
    namings_.push_back(std::move(naming));
}

void DiskModel::change(std::string& contents, const Change& change) {
    const auto offset = static_cast<std::size_t>(change.offset);
    if (!change.is_write) return contents.resize(offset);
    if (contents.size() < offset + change.bytes.size()) contents.resize(offset + change.bytes.size());
    contents.replace(offset, change.bytes.size(), change.bytes);
}

void DiskModel::syncContents(Node& node) {
    std::set<std::size_t> lost;  // pages that are lost
    for (const Change& made : node.changes) {
        if (!made.is_write || made.bytes.empty()) continue;
        const auto begin = static_cast<std::size_t>(made.offset);
        for (std::size_t page = begin / kPage; page <= (begin + made.bytes.size() - 1) / kPage; ++page) {
            if (made.dropped) lost.insert(page);
            else lost.erase(page);
        }
    }
    std::string before = std::exchange(node.synced, node.live);
    before.resize(node.live.size());
    for (const std::size_t page : lost) {
        if (page * kPage >= before.size()) continue;
        const std::size_t count = std::min(kPage, before.size() - page * kPage);
        node.synced.replace(page * kPage, count, before, page * kPage, count);
    }
    node.changes.clear();
}

void DiskModel::sync(int number) {
    Node& node = nodes_[static_cast<std::size_t>(number)];
    syncContents(node);
    if (!node.folder) return;
    node.synced_names = node.names;
    std::erase_if(namings_, [&](const Naming& naming) {
        const bool here = std::any_of(naming.parts.begin(), naming.parts.end(),
                                      [&](const Naming::Part& part) { return part.folder == number; });
        if (!here) return false;
        // The other folder of a rename is logged together with this folder.
        for (const Naming::Part& part : naming.parts) {
            auto& names = nodes_[static_cast<std::size_t>(part.folder)].synced_names;
            if (part.folder == number) continue;
            if (part.node < 0) names.erase(part.name);
            else names[part.name] = part.node;
        }
        return true;
    });
}

void DiskModel::apply(const DiskCall& call) {
    const auto file = [&]() -> Node& { return nodes_[static_cast<std::size_t>(handles_.at(call.handle))]; };
    switch (call.kind) {
        case DiskCall::Kind::open: {
            int node = nodeOf(call.path);
            if (node < 0) {
                const Place place = placeOf(call.path);
                node = add(false);
                name({{{place.folder, place.name, node}}});
            } else if (call.truncated) {
                Node& known = nodes_[static_cast<std::size_t>(node)];
                known.changes.push_back({false, 0, {}});
                known.live.clear();
            }
            handles_[call.handle] = node;
            break;
        }
        case DiskCall::Kind::make_folder: {
            const Place place = placeOf(call.path);
            name({{{place.folder, place.name, add(true)}}});
            break;
        }
        case DiskCall::Kind::write:
        case DiskCall::Kind::set_size: {
            Change made{call.kind == DiskCall::Kind::write, call.offset, call.bytes};
            change(file().live, made);
            file().changes.push_back(std::move(made));
            break;
        }
        case DiskCall::Kind::sync: sync(handles_.at(call.handle)); break;
        case DiskCall::Kind::failed_sync:
            for (Change& made : file().changes) made.dropped = true;
            break;
        case DiskCall::Kind::rename: {
            const Place from = placeOf(call.path), to = placeOf(call.target);
            name({{{from.folder, from.name, -1}, {to.folder, to.name, nodeOf(call.path)}}});
            break;
        }
        case DiskCall::Kind::remove: {
            const Place place = placeOf(call.path);
            name({{{place.folder, place.name, -1}}});
            break;
        }
        case DiskCall::Kind::acknowledged: acknowledged_.push_back(call.bytes); break;
    }
}

std::string DiskModel::contentsAfter(const Node& node, Loss loss, Rng& rng) const {
    if (loss == Loss::nothing) return node.live;
    std::string contents = node.synced;
    if (loss == Loss::everything) return contents;
    const std::uint32_t kept_of_8 = rng.below(9);
    for (Change made : node.changes) {
        if (rng.below(8) >= kept_of_8) continue;
        if (made.is_write && made.bytes.size() > kSector && rng.below(4) == 0) {
            // A torn write: only some leading sectors, or all but some leading sectors.
            const auto sectors = static_cast<std::uint32_t>(made.bytes.size() / kSector);
            const std::size_t at = kSector * (1 + rng.below(sectors));
            if (rng.below(2) == 0) {
                made.bytes.resize(std::min(at, made.bytes.size()));
            } else {
                made.bytes.erase(0, at);
                made.offset += static_cast<std::int64_t>(at);
            }
            if (made.bytes.empty()) continue;
        }
        change(contents, made);
    }
    return contents;
}

std::vector<std::map<std::string, int>> DiskModel::namesAfter(Loss loss, Rng& rng) const {
    std::vector<std::map<std::string, int>> names;
    for (const Node& node : nodes_) names.push_back(loss == Loss::nothing ? node.names : node.synced_names);
    if (loss != Loss::random) return names;
    std::map<int, std::size_t> left;  // names that survive, by folder
    for (const Naming& naming : namings_)
        for (const Naming::Part& part : naming.parts) ++left[part.folder];
    for (auto& [folder, count] : left) count = rng.below(static_cast<std::uint32_t>(count) + 1);
    for (const Naming& naming : namings_) {
        const bool survives = std::all_of(naming.parts.begin(), naming.parts.end(),
                                          [&](const Naming::Part& part) { return left[part.folder] > 0; });
        for (const Naming::Part& part : naming.parts) {
            if (!survives) {
                left[part.folder] = 0;  // newer names are also lost
                continue;
            }
            left[part.folder] -= left[part.folder] > 0;
            auto& known = names[static_cast<std::size_t>(part.folder)];
            if (part.node < 0) known.erase(part.name);
            else known[part.name] = part.node;
        }
    }
    return names;
}

void DiskModel::write(const std::filesystem::path& target, Loss loss, Rng& rng) const {
    const auto names = namesAfter(loss, rng);
    const auto writeFolder = [&](const auto& self, const std::filesystem::path& path, int folder) -> void {
        std::filesystem::create_directory(path);
        for (const auto& [name, number] : names[static_cast<std::size_t>(folder)]) {
            const Node& node = nodes_[static_cast<std::size_t>(number)];
            if (node.folder) {
                self(self, path / name, number);
                continue;
            }
            const std::string contents = contentsAfter(node, loss, rng);
            std::ofstream(path / name, std::ios::binary)
                .write(contents.data(), static_cast<std::streamsize>(contents.size()));
        }
    };
    writeFolder(writeFolder, target, 0);
}

std::size_t DiskModel::unsynced() const {
    std::size_t count = namings_.size();
    for (const Node& node : nodes_) count += node.changes.size();
    return count;
}

}  // namespace seedbed::testing
