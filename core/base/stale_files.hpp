// SPDX-License-Identifier: Apache-2.0
// What temporaryBeside() named and a process that is gone left behind, for those who may be making such
// things themselves at the moment. The name tells the maker by its number and its start, so that another
// process which got the number later does not keep it.
#pragma once

#include "core/base/files.hpp"

namespace seedbed {

// As removeLeftovers(), but what this process makes stays too. Thread: any.
Result<int> removeLeftoversOfOthers(FileSystem& files, const Path& folder);
// The same for what was to become `path` only. What cannot be removed stays, without a word.
void removeAbandoned(FileSystem& files, const Path& path);

}  // namespace seedbed
