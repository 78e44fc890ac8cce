// SPDX-License-Identifier: Apache-2.0
// Building blocks for the states of MinAtar games (boards of bits, lists of things), visitors that save,
// load, name and check them, and the drawing of boards.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/archive.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/scene.hpp"

namespace seedbed::minatar {

inline constexpr int kSide = 10, kCells = kSide * kSide;

// One bit per cell; cell (y, x) is bit 10 y + x.
class Board {
public:
    __extension__ using Bits = unsigned __int128;

    constexpr Board() = default;
    constexpr explicit Board(Bits bits) : bits_(bits & kAll) {}
    // Rows [y0, y1) of columns [x0, x1).
    static constexpr Board block(int y0, int y1, int x0, int x1) {
        Board board;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) board.set(y, x);
        return board;
    }
    static constexpr Board row(int y) { return block(y, y + 1, 0, kSide); }
    static constexpr Board column(int x) { return block(0, kSide, x, x + 1); }

    constexpr bool at(int y, int x) const { return (bits_ >> (kSide * y + x)) & 1; }
    constexpr void set(int y, int x) { bits_ |= Bits{1} << (kSide * y + x); }
    constexpr void clear(int y, int x) { bits_ &= ~(Bits{1} << (kSide * y + x)); }
    constexpr bool any() const { return bits_ != 0; }
    constexpr int count() const { return std::popcount(low()) + std::popcount(high()); }

    // Moves a board by one cell; cells that leave it are lost. left and right move all rows as one sequence
    // of bits: clear the border column first.
    constexpr Board up() const { return Board(bits_ >> kSide); }
    constexpr Board down() const { return Board(bits_ << kSide); }
    constexpr Board left() const { return Board(bits_ >> 1); }
    constexpr Board right() const { return Board(bits_ << 1); }
    // Moves down; row 9 becomes row 0.
    constexpr Board downAround() const { return Board(bits_ << kSide | bits_ >> (kCells - kSide)); }

    constexpr Board operator&(Board other) const { return Board(bits_ & other.bits_); }
    constexpr Board operator|(Board other) const { return Board(bits_ | other.bits_); }
    constexpr Board without(Board other) const { return Board(bits_ & ~other.bits_); }
    constexpr bool operator==(const Board&) const = default;

    constexpr std::uint64_t low() const { return static_cast<std::uint64_t>(bits_); }
    constexpr std::uint64_t high() const { return static_cast<std::uint64_t>(bits_ >> 64); }
    static constexpr Board of(std::uint64_t low, std::uint64_t high) { return Board(Bits{high} << 64 | low); }

    // Writes one plane: a byte of 0 or 1 for each cell, eight cells at a time.
    void write(std::uint8_t* plane) const {
        Bits rest = bits_;
        for (int cell = 0; cell + 8 <= kCells; cell += 8, rest >>= 8) {
            const std::uint64_t bytes = kSpread[static_cast<std::uint8_t>(rest)];
            std::memcpy(plane + cell, &bytes, 8);
        }
        const std::uint64_t bytes = kSpread[static_cast<std::uint8_t>(rest)];
        std::memcpy(plane + kCells / 8 * 8, &bytes, kCells % 8);
    }

private:
    static constexpr Bits kAll = (Bits{1} << kCells) - 1;
    // Expands eight bits to eight bytes.
    static constexpr std::array<std::uint64_t, 256> kSpread = [] {
        std::array<std::uint64_t, 256> table{};
        for (unsigned byte = 0; byte < 256; ++byte) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                const unsigned at = std::endian::native == std::endian::little ? bit : 7 - bit;
                table[byte] |= std::uint64_t{byte >> bit & 1} << (8 * at);
            }
        }
        return table;
    }();

    Bits bits_ = 0;
};

// A short list in order of insertion. The rules of a game never exceed its capacity; in unreachable states
// from a damaged file, items beyond it are dropped.
template <class T, int kCapacity>
class List {
public:
    static constexpr int capacity() { return kCapacity; }
    int size() const { return size_; }
    T& operator[](int i) { return items_[static_cast<std::size_t>(i)]; }
    const T& operator[](int i) const { return items_[static_cast<std::size_t>(i)]; }
    void push(T item) {
        if (size_ < kCapacity) items_[static_cast<std::size_t>(size_++)] = item;
    }
    void erase(int i) {
        for (--size_; i < size_; ++i) (*this)[i] = (*this)[i + 1];
    }
    void resize(int size) { size_ = size; }
    T* begin() { return items_.data(); }
    T* end() { return items_.data() + size_; }
    const T* begin() const { return items_.data(); }
    const T* end() const { return items_.data() + size_; }

private:
    std::array<T, kCapacity> items_{};
    int size_ = 0;
};

// Visitors of a game's variables. A game's visit(v) calls, in a fixed order,
//   v.integer(name, variable, low, high); v.flag(name, variable); v.board(name, board); v.list(name, list);
//   v.all(name, array);  v.slots(name, array) for things that may be absent; v.require(name, legal)
// A thing in a list has its own visit(); in the original it is an array, so its names are ignored.

struct ArchiveVisitor {
    static constexpr std::int32_t kAnywhere = 1'000'000'000;
    Archive& archive;
    bool is_present = true;  // the fields of an absent thing are unused and may have any value

    template <class T>
    void integer(const char* name, T& value, int low, int high) {
        auto number = static_cast<std::int32_t>(value);  // NOLINT(bugprone-signed-char-misuse): a number
        archive.field(name, number, is_present ? range(low, high) : range(-kAnywhere, kAnywhere));
        if (!archive.failed()) value = static_cast<T>(number);
    }
    void flag(const char* name, bool& value) { integer(name, value, 0, 1); }
    void board(const char*, Board& board) {
        std::uint64_t low = board.low(), high = board.high();
        archive.any(low, high);
        board = Board::of(low, high);
    }
    template <class L>
    void list(const char* name, L& list) {
        int size = list.size();
        integer(name, size, 0, L::capacity());
        if (archive.failed()) return;
        list.resize(size);
        for (auto& thing : list) thing.visit(*this);
    }
    template <class A>
    void all(const char*, A& array) {
        for (auto& thing : array) thing.visit(*this);
    }
    template <class S>
    void slots(const char* name, S& slots) {
        for (auto& thing : slots) {
            flag(name, thing.present);
            is_present = thing.present;
            thing.visit(*this);
            is_present = true;
        }
    }
    void require(const char* name, bool legal) {
        archive.require(legal, std::string(name) + " has a value that the game never reaches");
    }
};

struct StateWriter {
    Json json = Json::object();

    void add(const char* name, Json value) {
        if (json.is_array()) json.push_back(std::move(value));
        else json[name] = std::move(value);
    }
    template <class T>
    void integer(const char* name, const T& value, int, int) {
        add(name, static_cast<int>(value));
    }
    void flag(const char* name, bool value) { add(name, value); }
    void board(const char* name, const Board& board) {
        Json rows = Json::array();
        for (int y = 0; y < kSide; ++y) {
            Json row = Json::array();
            for (int x = 0; x < kSide; ++x) row.push_back(board.at(y, x) ? 1 : 0);
            rows.push_back(std::move(row));
        }
        add(name, std::move(rows));
    }
    template <class T>
    static Json arrayOf(T& thing) {
        StateWriter writer{Json::array()};
        thing.visit(writer);
        return std::move(writer.json);
    }
    template <class L>
    void list(const char* name, L& list) {
        Json things = Json::array();
        for (auto& thing : list) things.push_back(arrayOf(thing));
        add(name, std::move(things));
    }
    template <class A>
    void all(const char* name, A& array) {
        list(name, array);
    }
    template <class S>
    void slots(const char* name, S& slots) {
        Json things = Json::array();
        for (auto& thing : slots) things.push_back(thing.present ? arrayOf(thing) : Json());
        add(name, std::move(things));
    }
    void require(const char*, bool) {}
};

struct StateReader {
    const Json& json;
    std::string bad{};     // name of the first variable with an illegal value
    std::size_t next = 0;  // position in an array

    const Json& get(const char* name) {
        static const Json kNone;
        if (json.is_array()) return next < json.size() ? json[next++] : kNone;
        const auto found = json.find(name);
        return found == json.end() ? kNone : *found;
    }
    void reject(const char* name) {
        if (bad.empty()) bad = name;
    }
    template <class T>
    void integer(const char* name, T& value, int low, int high) {
        const Json& number = get(name);
        if (!number.is_number_integer() || number < low || number > high) return reject(name);
        value = static_cast<T>(number.get<int>());
    }
    void flag(const char* name, bool& value) {
        const Json& boolean = get(name);
        if (!boolean.is_boolean()) return reject(name);
        value = boolean.get<bool>();
    }
    void board(const char* name, Board& board) {
        const Json& rows = get(name);
        if (!rows.is_array() || rows.size() != kSide) return reject(name);
        board = {};
        for (int y = 0; y < kSide; ++y) {
            const Json& row = rows[static_cast<std::size_t>(y)];
            if (!row.is_array() || row.size() != kSide) return reject(name);
            for (int x = 0; x < kSide; ++x)
                if (row[static_cast<std::size_t>(x)] != 0) board.set(y, x);
        }
    }
    template <class T>
    void thing(const char* name, const Json& array, T& target) {
        if (!array.is_array()) return reject(name);
        StateReader reader{array};
        target.visit(reader);
        if (!reader.bad.empty() || reader.next != array.size()) reject(name);
    }
    template <class L>
    void list(const char* name, L& list) {
        const Json& things = get(name);
        if (!things.is_array() || things.size() > static_cast<std::size_t>(L::capacity()))
            return reject(name);
        list.resize(static_cast<int>(things.size()));
        for (int i = 0; i < list.size(); ++i) thing(name, things[static_cast<std::size_t>(i)], list[i]);
    }
    template <class A>
    void all(const char* name, A& array) {
        const Json& things = get(name);
        if (!things.is_array() || things.size() != array.size()) return reject(name);
        for (std::size_t i = 0; i < array.size(); ++i) thing(name, things[i], array[i]);
    }
    template <class S>
    void slots(const char* name, S& slots) {
        const Json& things = get(name);
        if (!things.is_array() || things.size() != slots.size()) return reject(name);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            slots[i].present = !things[i].is_null();
            if (slots[i].present) thing(name, things[i], slots[i]);
        }
    }
    void require(const char* name, bool legal) {
        if (!legal) reject(name);
    }
};

// Sets cell (y, x) of a plane, unless x is off the board.
inline void mark(std::uint8_t* planes, int plane, int y, int x) {
    if (x >= 0 && x < kSide) planes[plane * kCells + y * kSide + x] = 1;
}

// World units are cells; row 0 is at the top.
inline void clearBoard(Scene& scene) {
    scene.clear(-0.2f, -0.2f, kSide + 0.2f, kSide + 0.2f, {16, 18, 26});
    scene.rectangle(kSide / 2.0f, kSide / 2.0f, kSide, kSide, {26, 30, 42});
}
inline float centreX(int x) { return static_cast<float>(x) + 0.5f; }
inline float centreY(int y) { return static_cast<float>(kSide - y) - 0.5f; }
inline Shape& cell(Scene& scene, int y, int x, Colour colour, float width = 0.92f, float height = 0.92f) {
    return scene.rectangle(centreX(x), centreY(y), width, height, colour);
}
// A triangle that points to the right (direction 1) or left (-1), or the trail of a thing that moves in that
// direction.
inline Shape& arrow(Scene& scene, int y, int x, int direction, Colour colour) {
    const float at_x = centreX(x), at_y = centreY(y), d = static_cast<float>(direction);
    return scene.polygon(
        {at_x + 0.45f * d, at_y, at_x - 0.4f * d, at_y + 0.38f, at_x - 0.4f * d, at_y - 0.38f}, colour);
}

}  // namespace seedbed::minatar
