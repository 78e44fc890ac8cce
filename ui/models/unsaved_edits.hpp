// SPDX-License-Identifier: GPL-3.0-or-later
// A file of edits that could not be written before the window was closed, for its next start.
#pragma once

#include <filesystem>
#include <vector>

#include "ui/models/editor.hpp"

namespace seedbed::ui {

// The edits of this data folder, oldest first; the file stays as it is. A damaged line is none. Thread: any,
// one at a time.
std::vector<Editor::Wish> readUnsavedEdits(const std::filesystem::path& file,
                                           const std::filesystem::path& data_folder);
// Those of this data folder are now `wishes`, on the disk when this returns; those of others stay. A file
// without any is removed. error: the file is as it was.
Result<> replaceUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder,
                             const std::vector<Editor::Wish>& wishes);

}  // namespace seedbed::ui
