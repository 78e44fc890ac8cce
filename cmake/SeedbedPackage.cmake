# SPDX-License-Identifier: Apache-2.0
# Debian packages by CPack (packaging/package.sh deb): seedbed (programs and window), libseedbed1 and
# libseedbed-dev (both libraries), python3-seedbed. cmake/package_files.cmake adds the files that Debian's
# policy demands.
if(NOT TARGET seedbed OR NOT TARGET libseedbed)
  return()
endif()
# The examples of docs/embed.md and docs/own-environment.md.
install(FILES docs/examples/embed/thermostat.c docs/examples/embed/game_loop.c
              docs/examples/environment/lander_env.c
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libseedbed-dev/examples COMPONENT libseedbed)
install(TARGETS libseedbed seedbed_policy LIBRARY NAMELINK_SKIP COMPONENT runtime EXCLUDE_FROM_ALL)
set(python lib/python3/dist-packages/seedbed)
install(DIRECTORY core/embed/python/seedbed/ DESTINATION ${python} COMPONENT python EXCLUDE_FROM_ALL
        PATTERN __pycache__ EXCLUDE)
# The presets of built-in environments; the names of others contain a colon.
file(GLOB presets CONFIGURE_DEPENDS resources/presets/*.json)
foreach(preset IN LISTS presets)
  file(STRINGS ${preset} other REGEX "\"env\": \"[^\"]*:")
  if(NOT other)
    install(FILES ${preset} DESTINATION ${python}/presets COMPONENT python EXCLUDE_FROM_ALL)
  endif()
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Seedbed authors <authors@seedbed.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_files.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL seedbed gui runtime seedbed_policy libseedbed python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

# seedbed_package(GROUP name section depends summary lines...): the description's lines without leading space.
function(seedbed_package group name section depends summary)
  list(JOIN ARGN "\n" description)
  string(TOUPPER ${group} upper)
  set(prefix CPACK_DEBIAN_${upper}_PACKAGE)
  set(${prefix}_NAME ${name} PARENT_SCOPE)
  set(${prefix}_SECTION ${section} PARENT_SCOPE)
  set(${prefix}_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_GROUP_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
endfunction()
seedbed_package(program seedbed science "" "trainer for reinforcement learning"
                "Train agents on built-in and Python environments, watch them learn,"
                "compare runs and export policies. Contains the command-line program"
                "and the window.")
seedbed_package(library libseedbed1 libs "" "trainer for reinforcement learning (libraries)"
                "libseedbed trains agents inside host programs, and libseedbed_policy acts"
                "with exported policies.")
seedbed_package(development libseedbed-dev libdevel "libseedbed1 (= ${PROJECT_VERSION})"
                "trainer for reinforcement learning (development files)"
                "Headers, CMake packages and pkg-config files of libseedbed and"
                "libseedbed_policy, and examples in C.")
seedbed_package(python python3-seedbed python
                "libseedbed1 (= ${PROJECT_VERSION}), python3:any (>= 3.9), python3-numpy"
                "trainer for reinforcement learning (Python)"
                "The trainer in Python, and vector environments for Gymnasium, which"
                "Debian does not have.")
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "fonts-inter, python3, python3-venv")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "mesa-vulkan-drivers")

include(CPack)
cpack_add_component(seedbed GROUP program)
if(TARGET seedbed-gui)
  cpack_add_component(gui GROUP program)
endif()
cpack_add_component(runtime GROUP library)
cpack_add_component(seedbed_policy GROUP development)
cpack_add_component(libseedbed GROUP development)
cpack_add_component(python GROUP python)
foreach(group program library development python)
  cpack_add_component_group(${group})
endforeach()
