# SPDX-License-Identifier: Apache-2.0
# Creates the target seedbed_libtorch, or reports why it cannot. LibTorch's own TorchConfig.cmake is not used:
# it sets compiler flags for all targets, and with a CUDA build it needs the whole CUDA toolkit. CUDA is used
# through LibTorch's device-independent interface and libtorch_cuda.so, which is loaded at run time if it is
# installed.
#
# Searches CMAKE_PREFIX_PATH (the folder of the official archive, or torch.utils.cmake_prefix_path of a Python
# package), then the system's folders.
set(torch_hints)
foreach(prefix IN LISTS CMAKE_PREFIX_PATH)
  list(APPEND torch_hints ${prefix} ${prefix}/../..)
endforeach()
find_path(SEEDBED_TORCH_INCLUDE ATen/ATen.h HINTS ${torch_hints} PATH_SUFFIXES include)
find_library(SEEDBED_TORCH_CPU torch_cpu HINTS ${torch_hints} PATH_SUFFIXES lib)
find_library(SEEDBED_TORCH_C10 c10 HINTS ${torch_hints} PATH_SUFFIXES lib)
mark_as_advanced(SEEDBED_TORCH_INCLUDE SEEDBED_TORCH_CPU SEEDBED_TORCH_C10)

if(SEEDBED_TORCH_INCLUDE AND SEEDBED_TORCH_CPU AND SEEDBED_TORCH_C10)
  # Headers and libraries must match each other and this compiler's std::string ABI.
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${SEEDBED_TORCH_INCLUDE})
  set(CMAKE_REQUIRED_LIBRARIES ${SEEDBED_TORCH_CPU} ${SEEDBED_TORCH_C10})
  check_cxx_source_compiles("#include <ATen/Version.h>
                             int main() { return at::show_config().empty(); }" SEEDBED_TORCH_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

if(SEEDBED_TORCH_LINKS)
  get_filename_component(torch_folder ${SEEDBED_TORCH_CPU} DIRECTORY)
  message(STATUS "LibTorch: ${SEEDBED_TORCH_CPU}")
  add_library(seedbed_libtorch INTERFACE)
  target_include_directories(seedbed_libtorch SYSTEM INTERFACE ${SEEDBED_TORCH_INCLUDE}
                             ${SEEDBED_TORCH_INCLUDE}/torch/csrc/api/include)
  target_link_libraries(seedbed_libtorch INTERFACE ${SEEDBED_TORCH_CPU} ${SEEDBED_TORCH_C10})
  # The libraries of the Python package need other libraries in the same folder.
  target_link_options(seedbed_libtorch INTERFACE -Wl,-rpath-link,${torch_folder})
elseif("${SEEDBED_TORCH}" STREQUAL "ON")
  message(FATAL_ERROR "SEEDBED_TORCH is ON, but LibTorch was not found or cannot be linked "
                      "(Debian: libtorch-dev; others: CMAKE_PREFIX_PATH to a build with the C++11 ABI)")
else()
  message(STATUS "LibTorch was not found: built without the torch engine's module")
  unset(SEEDBED_TORCH_LINKS CACHE)  # so that the check is repeated after an installation
endif()
