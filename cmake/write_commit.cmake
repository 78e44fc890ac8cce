# SPDX-License-Identifier: Apache-2.0
# Run by every build: writes FILE, which defines kCommit (app/commit.hpp), if the commit has changed.
set(commit $ENV{SEEDBED_COMMIT})
# Sources that are unpacked inside another repository have no commit.
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit AND top STREQUAL SOURCE)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${FILE} @ONLY CONTENT "#include \"app/commit.hpp\"
namespace seedbed {
const char* const kCommit = \"@commit@\";
}
")
