// SPDX-License-Identifier: Apache-2.0
// The rules, view and state that all MiniGrid environments share.
#include "envs/minigrid.hpp"

#include <algorithm>
#include <cstring>

namespace seedbed::minigrid {
namespace {

constexpr Point kHeading[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
constexpr const char* kMissions[] = {
    "get to the green goal square", "use the key to open the door and then get to the goal", "reach the goal",
    "go to the matching object at the end of the hallway", "avoid the lava and get to the green goal square"};
// Returns of the random policy in the original, measured in Python. The last group was measured with
// this implementation over 100,000 episodes, since the original would take days to collect enough of its rare
// successes.
struct RandomScore {
    const char* name;
    double mean, error;
};
constexpr RandomScore kRandomScores[] = {
    {"Empty-5x5", 0.187, 0.014},
    {"Empty-Random-5x5", 0.308, 0.018},
    {"Empty-6x6", 0.137, 0.011},
    {"Empty-Random-6x6", 0.278, 0.014},
    {"Empty-8x8", 0.072, 0.015},
    {"Empty-16x16", 0.039, 0.012},
    {"DoorKey-5x5", 0.039, 0.013},
    {"DoorKey-6x6", 0.020, 0.003},
    {"DoorKey-8x8", 0.011, 0.007},
    {"FourRooms", 0.015, 0.006},
    {"LavaCrossingS9N1", 0.0048, 0.0017},
    {"MemoryS7", 0.156, 0.025},
    {"MemoryS9", 0.184, 0.022},
    {"MemoryS11", 0.220, 0.029},
    {"MemoryS13", 0.173, 0.031},
    {"MemoryS13Random", 0.236, 0.034},
    {"MemoryS17Random", 0.261, 0.043},
    {"Dynamic-Obstacles-5x5", -0.9859, 0.0012},
    {"Dynamic-Obstacles-Random-5x5", -0.8103, 0.0065},
    {"Dynamic-Obstacles-6x6", -0.9955, 0.0010},
    {"Dynamic-Obstacles-Random-6x6", -0.8656, 0.0064},
    {"Dynamic-Obstacles-8x8", -0.9981, 0.0008},
    {"DoorKey-16x16", 0.00189, 0.00009},
    {"LavaCrossingS9N2", 0.00078, 0.00007},
    {"LavaCrossingS9N3", 0.00040, 0.00005},
    {"LavaCrossingS11N5", 0.00002, 0.00001},
    {"Dynamic-Obstacles-16x16", -0.99991, 0.00004},
};
constexpr int kCells = kView * kView;

// Planes of a one-hot image, in the order of the original's OneHotPartialObsWrapper.
constexpr std::array kPlaneLabels{"unseen", "empty",  "wall", "floor", "door",   "key",   "ball",
                                  "box",    "goal",   "lava", "agent", "red",    "green", "blue",
                                  "purple", "yellow", "grey", "open",  "closed", "locked"};
constexpr std::size_t kTypes = 11, kColours = 6, kOneHotPlanes = kPlaneLabels.size();
static_assert(kOneHotPlanes == kTypes + kColours + 3);

constexpr bool canStandOn(Kind kind) {
    return kind == Kind::empty || kind == Kind::floor || kind == Kind::open_door || kind == Kind::goal ||
           kind == Kind::lava;
}
constexpr bool isCell(Cell cell) {
    const Kind kind = kindOf(cell);
    const bool known =
        (kind >= Kind::empty && kind <= Kind::lava) || kind == Kind::closed_door || kind == Kind::locked_door;
    return known && paintOf(cell) <= Paint::grey && cell == cellOf(kind, paintOf(cell));
}
constexpr bool canPickUp(Kind kind) { return kind == Kind::key || kind == Kind::ball || kind == Kind::box; }

// The (type, colour, state) triple of the original.
std::array<int, 3> encode(Cell cell) {
    const Kind kind = kindOf(cell);
    const int state = kind == Kind::closed_door ? 1 : kind == Kind::locked_door ? 2 : 0;
    return {static_cast<int>(state == 0 ? kind : Kind::open_door), static_cast<int>(paintOf(cell)), state};
}

Result<Cell> decode(const Json& json) {
    int code[3] = {-1, -1, -1};
    for (std::size_t i = 0; i < 3 && json.is_array() && json.size() == 3; ++i)
        if (json[i].is_number_integer()) code[i] = json[i].get<int>();
    const bool door = code[0] == static_cast<int>(Kind::open_door);
    if (code[0] < 1 || code[0] > 9 || code[1] < 0 || code[1] > 5 || code[2] < 0 || code[2] > (door ? 2 : 0))
        return fail(json.dump() + " is not a cell (type, colour, state)");
    const Kind kind = code[2] == 1   ? Kind::closed_door
                      : code[2] == 2 ? Kind::locked_door
                                     : static_cast<Kind>(code[0]);
    return cellOf(kind, static_cast<Paint>(code[1]));
}

Result<int> integer(const Json& state, const char* name, int low, int high) {
    const auto found = state.find(name);
    if (found == state.end() || !found->is_number_integer())
        return fail(std::string("the state lacks the integer '") + name + "'");
    const auto value = found->get<std::int64_t>();
    if (value < low || value > high) return fail(std::string("'") + name + "' is outside its range");
    return static_cast<int>(value);
}

}  // namespace

void Grid::clear(int size) {
    size_ = size;
    cells_.fill(kWallCell);
    for (int y = 1; y < size - 1; ++y)
        std::memset(&cells_[index({1, y})], kEmptyCell, static_cast<std::size_t>(size - 2));
}

bool Grid::isInside(std::size_t number) const {
    const int x = static_cast<int>(number) % kStride - kMargin,
              y = static_cast<int>(number) / kStride - kMargin;
    return x > 0 && x < size_ - 1 && y > 0 && y < size_ - 1;
}

void Grid::archive(Archive& archive, int size) {
    archive.field("size", size_, range(size, size));
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        archive.field("cell", cells_[i], range(Cell{0}, 255));
        archive.require(isInside(i) ? isCell(cells_[i]) : cells_[i] == kWallCell, "a cell is invalid");
    }
}

void Grid::verticalWall(int x, int y, int length) {
    for (int i = 0; i < length; ++i) set({x, y + i}, kWallCell);
}

void Grid::horizontalWall(int x, int y, int length) {
    for (int i = 0; i < length; ++i) set({x + i, y}, kWallCell);
}

Result<Grid> gridFromJson(const Json& json, int size) {
    const auto rows = static_cast<std::size_t>(size);
    Grid grid;
    grid.clear(size);
    if (!json.is_array() || json.size() != rows)
        return fail("the grid must have " + std::to_string(size) + " rows");
    for (int y = 0; y < size; ++y) {
        const Json& row = json[static_cast<std::size_t>(y)];
        if (!row.is_array() || row.size() != rows)
            return fail("the grid must have " + std::to_string(size) + " columns");
        for (int x = 0; x < size; ++x) {
            SEEDBED_ASSIGN(const Cell cell, decode(row[static_cast<std::size_t>(x)]));
            grid.set({x, y}, cell);
        }
    }
    // Requires the outer walls, which keep the agent inside the map.
    for (int i = 0; i < size; ++i)
        for (const Point p : {Point{i, 0}, Point{i, size - 1}, Point{0, i}, Point{size - 1, i}})
            if (grid.get(p) != kWallCell) return fail("the grid must be surrounded by walls");
    return grid;
}

Point GridEnv::front() const {
    return {agent_.x + kHeading[direction_].x, agent_.y + kHeading[direction_].y};
}

// 1 - 0.9 steps / max_steps within the time limit, as in the original.
float GridEnv::successReward() const {
    return static_cast<float>(
        1 - 0.9 * (static_cast<double>(std::min(steps_, rules_.max_steps)) / rules_.max_steps));
}

void GridEnv::reset(Rng& rng) {
    grid_.clear(rules_.size);
    agent_ = {-1, -1};
    direction_ = 0;
    carried_ = 0;
    steps_ = 0;
    generate(rng);
}

StepResult GridEnv::step(const float* actions, float* rewards, Rng& rng) {
    const StepResult result = act(static_cast<int>(actions[0]), rng);
    rewards[0] = result.reward;
    return result;
}

StepResult GridEnv::act(int action, Rng&) { return move(action); }

StepResult GridEnv::move(int action) {
    ++steps_;
    const Point ahead = front();
    const Cell cell = grid_.get(ahead);
    const Kind kind = kindOf(cell);
    StepResult result;
    switch (action) {
        case kLeft: direction_ = (direction_ + 3) & 3; break;
        case kRight: direction_ = (direction_ + 1) & 3; break;
        case kForward:
            if (canStandOn(kind)) agent_ = ahead;
            if (kind == Kind::goal) result.reward = successReward();
            result.terminated = kind == Kind::goal || kind == Kind::lava;
            break;
        case kPickup:
            if (canPickUp(kind) && carried_ == 0) {
                carried_ = cell;
                grid_.set(ahead, kEmptyCell);
            }
            break;
        case kDrop:
            if (kind == Kind::empty && carried_ != 0) {
                grid_.set(ahead, carried_);
                carried_ = 0;
            }
            break;
        case kToggle: {
            const Paint paint = paintOf(cell);
            if (kind == Kind::open_door) grid_.set(ahead, cellOf(Kind::closed_door, paint));
            // A locked door opens if the agent has the key of its colour.
            if (kind == Kind::closed_door ||
                (kind == Kind::locked_door && carried_ == cellOf(Kind::key, paint)))
                grid_.set(ahead, cellOf(Kind::open_door, paint));
            break;
        }
        default: break;
    }
    return result;
}

Point GridEnv::freeCell(Rng& rng, int right) const {
    const auto columns = static_cast<std::uint32_t>(std::min(right, rules_.size - 1) - 1);
    const auto rows = static_cast<std::uint32_t>(rules_.size - 2);
    while (true) {
        const std::uint32_t draw = rng.below(columns * rows);
        const Point p{1 + static_cast<int>(draw % columns), 1 + static_cast<int>(draw / columns)};
        if (grid_.get(p) == kEmptyCell && p != agent_) return p;
    }
}

void GridEnv::placeAgent(Rng& rng, int right) {
    agent_ = freeCell(rng, right);
    direction_ = static_cast<int>(rng.below(4));
}

namespace {

// Bit i of the result is the top bit of byte i.
constexpr std::uint64_t topBits(std::uint64_t word) {
    return ((word & 0x8080808080808080) * 0x0002040810204081) >> 56;
}
// Byte i of the result is 0xFF where bit i is set, else 0.
constexpr std::uint64_t bytesFromBits(std::uint8_t bits) {
    const std::uint64_t spread = (bits * 0x0101010101010101U) & 0x8040201008040201;
    return ((spread + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101) * 0xFF;
}
static_assert(topBits(0x80000000'00008000) == 0x82 && bytesFromBits(0x82) == 0xFF000000'0000FF00);

}  // namespace

// From the agent's row upwards, light spreads along transparent cells to the right and then to the left;
// every cell that it passes lights its neighbour in that direction and the two cells above those. Rows are
// bit sets, and spreading along them is a flood fill by doubling.
void spreadLight(const std::array<std::uint8_t, kView>& transparent,
                 std::array<std::uint8_t, kView>& visible) {
    visible = {};
    visible[kView - 1] = 1U << (kView / 2);
    for (int y = kView - 1; y >= 0; --y) {
        const auto row = static_cast<std::size_t>(y);
        const unsigned clear = transparent[row];
        unsigned seen = visible[row], above = 0;

        unsigned run = seen & clear, through = clear;
        run |= (run << 1) & through;
        through &= through << 1;
        run |= (run << 2) & through;
        through &= through << 2;
        run |= (run << 4) & through;
        run &= 0x3F;  // the last column has no neighbour to the right
        seen |= run << 1;
        above |= run | run << 1;

        run = seen & clear;
        through = clear;
        run |= (run >> 1) & through;
        through &= through >> 1;
        run |= (run >> 2) & through;
        through &= through >> 2;
        run |= (run >> 4) & through;
        run &= 0x7E;  // the first column has no neighbour to the left
        seen |= run >> 1;
        above |= run | run >> 1;

        visible[row] = static_cast<std::uint8_t>(seen);
        if (y > 0) visible[row - 1] = static_cast<std::uint8_t>(visible[row - 1] | above);
    }
}

// The view is gathered in rows of eight bytes, the last of which is unused, so that a row is one word.
GridEnv::View GridEnv::look() const {
    const Point ahead = kHeading[direction_];
    const std::ptrdiff_t up = ahead.y * Grid::kStride + ahead.x;
    const std::ptrdiff_t right = ahead.x * Grid::kStride - ahead.y;
    const Cell* left_most = grid_.data() + Grid::index(agent_) + (kView - 1) * up - (kView / 2) * right;
    std::array<std::uint64_t, kView> rows;
    for (std::uint64_t& row : rows) {
        row = 0;
        for (int x = 0; x < kView; ++x) row |= std::uint64_t{left_most[x * right]} << (8 * x);
        left_most -= up;
    }
    if (!rules_.see_through_walls) {
        std::array<std::uint8_t, kView> transparent, visible;
        for (std::size_t y = 0; y < kView; ++y)
            transparent[y] = static_cast<std::uint8_t>(~topBits(rows[y]) & 0x7F);
        spreadLight(transparent, visible);
        for (std::size_t y = 0; y < kView; ++y) rows[y] &= bytesFromBits(visible[y]);
    }
    View view;
    for (std::size_t y = 0; y < kView; ++y)
        for (std::size_t x = 0; x < kView; ++x) view[y * kView + x] = static_cast<Cell>(rows[y] >> (8 * x));
    view[kCells - 1 - kView / 2] = carried_ != 0 ? carried_ : kEmptyCell;
    return view;
}

Point GridEnv::onGrid(int x, int y) const {
    const Point ahead = kHeading[direction_];
    const int forward = kView - 1 - y, right = x - kView / 2;
    return {agent_.x + forward * ahead.x - right * ahead.y, agent_.y + forward * ahead.y + right * ahead.x};
}

void GridEnv::observe(int, ObsOut out) const {
    const View view = look();
    auto* image = out.leaf<std::uint8_t>(0);
    if (rules_.one_hot) std::fill_n(image, kOneHotPlanes * kCells, std::uint8_t{0});
    for (std::size_t i = 0; i < kCells; ++i) {
        const std::size_t kind = view[i] & 15, colour = view[i] >> 4 & 7;
        const std::size_t type = kind > 10 ? 4 : kind, state = kind > 10 ? kind - 10 : 0;
        if (rules_.one_hot) {
            image[type * kCells + i] = 1;
            image[(kTypes + colour) * kCells + i] = 1;
            image[(kTypes + kColours + state) * kCells + i] = 1;
        } else {
            image[i] = static_cast<std::uint8_t>(type);
            image[kCells + i] = static_cast<std::uint8_t>(colour);
            image[2 * kCells + i] = static_cast<std::uint8_t>(state);
        }
    }
    *out.leaf<std::int32_t>(1) = direction_;
    *out.leaf<std::int32_t>(2) = static_cast<std::int32_t>(mission_);
}

std::string gridSize(int size) { return std::to_string(size) + "x" + std::to_string(size); }

EnvSpec gridSpec(const std::string& name, const std::string& title, const std::string& sentence,
                 const Rules& rules, Mission mission, int actions) {
    EnvSpec spec;
    spec.title = title;
    spec.sentence = sentence;
    spec.upstream =
        kVersion + ("MiniGrid-" + name) +
        "-v0; different random stream, the view as planes [channel][y][x], the mission as an index";
    ObsLeaf image;
    image.name = "image";
    image.kind = ObsLeaf::Kind::image;
    image.dtype = DType::u8;
    image.low = 0;
    if (rules.one_hot) {
        image.shape = {static_cast<int>(kOneHotPlanes), kView, kView};
        image.high = 1;
        image.labels = {kPlaneLabels.begin(), kPlaneLabels.end()};
    } else {
        image.shape = {3, kView, kView};
        image.high = 10;
        image.labels = {"type", "colour", "door state"};
    }
    ObsLeaf direction;
    direction.name = "direction";
    direction.kind = ObsLeaf::Kind::discrete;
    direction.dtype = DType::i32;
    direction.shape = {1};
    direction.cardinality = 4;
    direction.labels = {"0 right, 1 down, 2 left, 3 up"};
    ObsLeaf task = direction;
    task.name = "mission";
    task.cardinality = static_cast<int>(std::size(kMissions));
    task.labels = {kMissions[static_cast<std::size_t>(mission)]};
    spec.spaces.obs = {image, direction, task};
    ActionLeaf leaf;
    leaf.labels = {"left", "right", "forward", "pick up", "drop", "toggle", "done"};
    leaf.labels.resize(static_cast<std::size_t>(actions));
    leaf.n = actions;
    spec.spaces.actions = {leaf};
    spec.horizon = rules.max_steps;
    spec.reward_low = 0;
    spec.reward_high = 1;
    for (const RandomScore& score : kRandomScores)
        if (name == score.name) {
            spec.random_return = score.mean;
            spec.random_return_error = score.error;
        }
    return spec;
}

void GridEnv::archive(Archive& archive) {
    grid_.archive(archive, rules_.size);
    archive.field("agent x", agent_.x, range(1, rules_.size - 2));
    archive.field("agent y", agent_.y, range(1, rules_.size - 2));
    archive.field("direction", direction_, range(0, 3)).field("carried", carried_, range(Cell{0}, 255));
    archive.require(carried_ == 0 || isCell(carried_), "the carried object does not exist");
    archive.field("steps", steps_, range(0, 2'000'000'000));
}

Json GridEnv::state() const {
    Json rows = Json::array();
    for (int y = 0; y < grid_.size(); ++y) {
        Json row = Json::array();
        for (int x = 0; x < grid_.size(); ++x) row.push_back(encode(grid_.get({x, y})));
        rows.push_back(std::move(row));
    }
    return {{"grid", std::move(rows)},
            {"pos", {agent_.x, agent_.y}},
            {"dir", direction_},
            {"carry", carried_ != 0 ? Json(encode(carried_)) : Json()},
            {"t", steps_}};
}

Result<> GridEnv::setState(const Json& state) {
    if (!state.is_object()) return fail("the state of a MiniGrid environment must be an object");
    SEEDBED_ASSIGN(const Grid grid, gridFromJson(state.value("grid", Json()), rules_.size));
    SEEDBED_ASSIGN(const int direction, integer(state, "dir", 0, 3));
    SEEDBED_ASSIGN(const int steps, integer(state, "t", 0, 1'000'000'000));
    Json pos = state.value("pos", Json());
    if (!pos.is_array() || pos.size() != 2) return fail("'pos' must be [x, y]");
    const Json named = {{"x", pos[0]}, {"y", pos[1]}};
    SEEDBED_ASSIGN(const int x, integer(named, "x", 1, rules_.size - 2));
    SEEDBED_ASSIGN(const int y, integer(named, "y", 1, rules_.size - 2));
    Cell carried = 0;
    if (const Json carry = state.value("carry", Json()); !carry.is_null()) {
        SEEDBED_ASSIGN(carried, decode(carry));
    }
    Archive before = Archive::saving();
    this->archive(before);
    grid_ = grid;
    agent_ = {x, y};
    direction_ = direction;
    carried_ = carried;
    steps_ = steps;
    Result<> derived = derive();
    if (derived) return derived;
    Archive back = Archive::loading(before.bytes());
    this->archive(back);
    return derived;
}

}  // namespace seedbed::minigrid
