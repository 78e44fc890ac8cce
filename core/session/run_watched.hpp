// SPDX-License-Identifier: Apache-2.0
// Runs a session on a thread that can be abandoned when an environment hangs.
#pragma once

#include <functional>

#include "core/session/session.hpp"

namespace seedbed {

// Calls `work`, which calls session.iterate(), on a separate thread and returns its result; in the meantime
// the calling thread only watches the session. error: from `work`; from Session::watch(): the thread of
// `work` was abandoned in iterate(), which never returns.
Result<> runWatched(Session& session, std::function<Result<>()> work);

}  // namespace seedbed
