# SPDX-License-Identifier: Apache-2.0
# Toolchain file for 64-bit ARM, with Debian's cross compiler; tests run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
# Programs are those of this computer; libraries and headers those of Debian's packages for arm64, which are
# installed or, with SEEDBED_SYSROOT, unpacked in that folder (packaging/edge.sh).
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
if(SEEDBED_SYSROOT)
  list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SEEDBED_SYSROOT)
  set(CMAKE_FIND_ROOT_PATH ${SEEDBED_SYSROOT})
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
endif()
