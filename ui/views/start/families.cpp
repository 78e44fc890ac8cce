// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/families.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <QCoreApplication>

namespace seedbed::ui {
namespace {

struct FamilyTitle {
    const char *key, *title;
};
constexpr std::array kFamilyTitles{
    FamilyTitle{"popular", QT_TRANSLATE_NOOP("Family", "Popular")},
    FamilyTitle{"control", QT_TRANSLATE_NOOP("Family", "Classic control")},
    FamilyTitle{"arcade", QT_TRANSLATE_NOOP("Family", "Arcade")},
    FamilyTitle{"mazes", QT_TRANSLATE_NOOP("Family", "Mazes and puzzles")},
    FamilyTitle{"memory", QT_TRANSLATE_NOOP("Family", "Memory")},
    FamilyTitle{"players", QT_TRANSLATE_NOOP("Family", "Several players")},
};

constexpr std::array<std::string_view, 12> kPopular{
    "minatar_breakout",
    "minatar_space_invaders",
    "connect_four",
    "deep_sea",
    "pendulum",
    "minigrid_door_key_6x6",
    "t_maze",
    "cartpole",
    "pong",
    "minigrid_four_rooms",
    "acrobot",
    "minatar_seaquest",
};

// The environments whose id is `id`, or starts with `id` and "_".
struct FamilyMember {
    std::string_view id;
    const char* family;
    bool alone = false;  // only the environment with this id
};
constexpr std::array kMembers{
    FamilyMember{"acrobot", "control"},
    FamilyMember{"cartpole", "control"},
    FamilyMember{"mountain_car", "control"},
    FamilyMember{"pendulum", "control"},
    FamilyMember{"point_goal", "control"},
    FamilyMember{"catch", "arcade"},
    FamilyMember{"minatar", "arcade"},
    FamilyMember{"pong", "arcade"},
    FamilyMember{"bit_flipping", "mazes"},
    FamilyMember{"deep_sea", "mazes"},
    FamilyMember{"minigrid", "mazes"},
    FamilyMember{"t_maze", "mazes"},
    FamilyMember{"two_state", "mazes"},
    FamilyMember{"cartpole_position_only", "memory"},
    FamilyMember{"memory_chain", "memory"},
    FamilyMember{"minigrid_memory", "memory"},
    FamilyMember{"pendulum_position_only", "memory"},
    FamilyMember{"repeat_first", "memory"},
    FamilyMember{"repeat_previous", "memory"},
    FamilyMember{"t_maze", "memory"},
    FamilyMember{"toy_memory", "memory"},
    FamilyMember{"connect_four", "players"},
    FamilyMember{"othello", "players"},
    FamilyMember{"pong", "players", true},
    FamilyMember{"simple_tag", "players"},
    FamilyMember{"tic_tac_toe", "players"},
};

}  // namespace

QList<Family> includedFamilies() {
    QList<Family> families;
    for (const FamilyTitle& title : kFamilyTitles)
        families += {QString::fromLatin1(title.key), QCoreApplication::translate("Family", title.title)};
    return families;
}

QStringList familiesOf(const QString& env) {
    QStringList families;
    const std::string id = env.toStdString();
    if (popularity(env) >= 0) families += kPopularFamily;
    for (const FamilyMember& member : kMembers) {
        const bool is_part = id == member.id || (!member.alone && id.starts_with(member.id) &&
                                                 id.size() > member.id.size() && id[member.id.size()] == '_');
        if (is_part) families += QString::fromLatin1(member.family);
    }
    return families;
}

int popularity(const QString& env) {
    const auto* found = std::find(kPopular.begin(), kPopular.end(), env.toStdString());
    return found == kPopular.end() ? -1 : static_cast<int>(found - kPopular.begin());
}

}  // namespace seedbed::ui
