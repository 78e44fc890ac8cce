# SPDX-License-Identifier: Apache-2.0
# One call per folder: seedbed_library, seedbed_module, seedbed_program, seedbed_tests, seedbed_benchmarks.
#
# A target is named after its folder (core/base -> core_base). Its sources are the folder's *.cpp, including
# subfolders without their own CMakeLists.txt. DEPENDS names folders, LIBS names CMake targets of packages.
#
# Folders whose files register themselves are OBJECT libraries, so that all their objects are linked: a linker
# drops unreferenced objects of static libraries. CMake passes on only the objects of directly linked
# OBJECT libraries. Therefore libraries link the usage target (<target>_usage) of an OBJECT library, and
# programs, modules and tests link all OBJECT libraries of their transitive dependencies.

# Everything that is installed: programs and the modules they load.
add_custom_target(programs)

cmake_host_system_information(RESULT free_mb QUERY AVAILABLE_PHYSICAL_MEMORY)
math(EXPR heavy_jobs "${free_mb} / 2000")
if(heavy_jobs LESS 1)
  set(heavy_jobs 1)
endif()
set_property(GLOBAL PROPERTY JOB_POOLS heavy=${heavy_jobs})

set(SEEDBED_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wold-style-cast -Wcast-qual $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> -Wundef -Wimplicit-fallthrough -Wvla)

# Sets `out` to the target of the current folder, e.g. core_base.
function(seedbed_folder_target out)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" target ${folder})
  set(${out} ${target} PARENT_SCOPE)
endfunction()

# Sets `out` to the .cpp files of the current folder.
function(seedbed_folder_sources out)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS */CMakeLists.txt)
  list(REMOVE_ITEM nested ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  foreach(list IN LISTS nested)
    get_filename_component(folder ${list} DIRECTORY)
    foreach(source IN LISTS sources)
      string(FIND ${source} ${folder}/ at)
      if(at EQUAL 0)
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Sets `out` to the targets of the folders `ARGN`. Fails for folders that do not exist or come later in the
# root CMakeLists.txt, and for folders without sources.
function(seedbed_depend_targets out)
  set(targets)
  seedbed_folder_sources(sources)
  if(NOT sources)
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR} has no *.cpp")
  endif()
  foreach(folder IN LISTS ARGN)
    string(REPLACE "/" "_" target ${folder})
    if(NOT TARGET ${target})
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR} depends on ${folder}, "
                          "which is not a folder added before it")
    endif()
    list(APPEND targets ${target})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# Settings of every target.
function(seedbed_common target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${SEEDBED_WARNINGS})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(cold IN LISTS SEEDBED_COLD)
    if("${folder}/" MATCHES "^${cold}/")
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
    endif()
  endforeach()
  foreach(unchecked IN LISTS SEEDBED_UNCHECKED)
    if("${folder}/" MATCHES "^${unchecked}/")
      return()
    endif()
  endforeach()
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
endfunction()

# Sets `out` to all OBJECT libraries among the targets ARGN and their dependencies.
function(seedbed_object_closure out)
  set(objects)
  foreach(target IN LISTS ARGN)
    get_target_property(closure ${target} SEEDBED_OBJECTS)
    if(closure)
      list(APPEND objects ${closure})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES objects)
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# seedbed_library([OBJECT] [DEPENDS core/base core/nn ...] [LIBS spdlog::spdlog ...])
function(seedbed_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "OBJECT" "" "DEPENDS;LIBS")
  seedbed_folder_target(target)
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_folder_sources(sources)
  set(usages)
  foreach(depend IN LISTS depends)
    if(TARGET ${depend}_usage)
      list(APPEND usages ${depend}_usage)
    else()
      list(APPEND usages ${depend})
    endif()
  endforeach()
  seedbed_object_closure(objects ${depends})
  if(arg_OBJECT)
    add_library(${target} OBJECT ${sources})
    add_library(${target}_usage INTERFACE)
    target_link_libraries(${target}_usage INTERFACE ${usages} ${arg_LIBS})
    target_link_libraries(${target} PUBLIC ${target}_usage)
    list(APPEND objects ${target})
  else()
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC ${usages} ${arg_LIBS})
  endif()
  seedbed_common(${target})
  set_target_properties(${target} PROPERTIES SEEDBED_OBJECTS "${objects}")
  seedbed_together(${target})
endfunction()

# Links the folders `DEPENDS`, their registered objects and `LIBS` into a program or module.
function(seedbed_link target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBS")
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_object_closure(objects ${depends})
  list(REMOVE_ITEM depends ${objects})
  target_link_libraries(${target} PRIVATE ${objects} ${depends} ${arg_LIBS} Threads::Threads)
  seedbed_common(${target})
  # Files that include LibTorch need up to 2 GB each to compile, so their number is limited by the free
  # memory.
  if("${arg_LIBS}" MATCHES "[Tt][Oo][Rr][Cc][Hh]")
    set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE heavy)
  endif()
endfunction()

# seedbed_program(NAME seedbed [DEPENDS ...] [LIBS ...]): a program of the current folder, in <build>/bin.
function(seedbed_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "DEPENDS;LIBS")
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_folder_sources(sources)
  add_executable(${arg_NAME} ${sources})
  seedbed_link(${arg_NAME} DEPENDS ${arg_DEPENDS} LIBS ${arg_LIBS})
  seedbed_compile_quickly(${arg_NAME})
  add_dependencies(programs ${arg_NAME})
endfunction()

# seedbed_commit(target): defines kCommit (app/commit.hpp). Only programs have it, so that a commit does not
# relink tests and libraries.
function(seedbed_commit target)
  set(file ${PROJECT_BINARY_DIR}/commit/commit.cpp)
  if(NOT TARGET commit)
    add_custom_target(commit BYPRODUCTS ${file}
                      COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DFILE=${file}
                              -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake VERBATIM)
  endif()
  set_source_files_properties(${file} PROPERTIES GENERATED ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${file})
  add_dependencies(${target} commit)
endfunction()

# seedbed_module(NAME seedbed_torch [DEPENDS ...] [LIBS ...]): <build>/bin/<NAME>.so, loaded at run time. It
# contains its own copy of its dependencies and exports only symbols marked visible.
function(seedbed_module)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "DEPENDS;LIBS")
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_folder_sources(sources)
  add_library(${arg_NAME} MODULE ${sources})
  set_target_properties(${arg_NAME} PROPERTIES PREFIX "")
  target_link_options(${arg_NAME} PRIVATE -Wl,--exclude-libs,ALL)
  seedbed_link(${arg_NAME} DEPENDS ${arg_DEPENDS} LIBS ${arg_LIBS})
  add_dependencies(programs ${arg_NAME})
endfunction()

# seedbed_small(files...): compiles sources of the current folder for size in a release. For code that does
# not run in every step and is part of libseedbed_policy.
function(seedbed_small)
  seedbed_folder_target(target)
  if(NOT SEEDBED_TOGETHER OR NOT TARGET ${target})
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os>")
    return()
  endif()
  # Files with their own options would be compiled one by one; a separate target compiles them together.
  set(small)
  foreach(file IN LISTS ARGN)
    get_filename_component(path ${file} ABSOLUTE)
    list(APPEND small ${path})
  endforeach()
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${small})
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  add_library(${target}_small OBJECT ${small})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  add_library(${target}_small_usage INTERFACE)
  target_link_libraries(${target}_small_usage INTERFACE ${libraries})
  target_link_libraries(${target}_small PUBLIC ${target}_small_usage)
  seedbed_common(${target}_small)
  target_compile_options(${target}_small PRIVATE $<$<CONFIG:Release>:-Os>)
  seedbed_together(${target}_small)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL OBJECT_LIBRARY)
    get_target_property(objects ${target} SEEDBED_OBJECTS)
    set_target_properties(${target} PROPERTIES SEEDBED_OBJECTS "${objects};${target}_small")
  else()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_small>)
  endif()
endfunction()

# seedbed_qt([target]): the target (default: of the current folder) uses Qt: moc, resources, no Qt keywords,
# -O1. Without the window's packages, such folders are not configured; tests check SEEDBED_HAS_GUI.
function(seedbed_qt)
  seedbed_folder_target(target)
  if(ARGC GREATER 0)
    set(target ${ARGV0})
  endif()
  file(GLOB resources CONFIGURE_DEPENDS *.qrc)
  target_sources(${target} PRIVATE ${resources})
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTORCC ON)
  # CMake runs moc again only if known files change, but configuring may have found new files.
  file(REMOVE ${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/timestamp)
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_FOREACH
                             QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
  seedbed_compile_quickly(${target})
endfunction()

# For code that does not run in every step; -O1 halves the compile time.
function(seedbed_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# seedbed_together(target): with SEEDBED_TOGETHER compiles up to 16 files of a target as one unit, since
# shared headers take most of the time. No two files of a folder may define the same name, not even in unnamed
# namespaces.
function(seedbed_together target)
  if(NOT SEEDBED_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(files ${target} SOURCES)
  list(LENGTH files count)
  math(EXPR groups "(${count} + 15) / 16")
  set(group 0)
  foreach(file IN LISTS files)
    math(EXPR group "(${group} + 1) % ${groups}")
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# seedbed_shared_library(NAME seedbed_policy HEADER x.h PACKAGE SeedbedPolicy [OUTPUT name] [DEPENDS ...]
# [LIBS ...]): builds lib<OUTPUT>.so (default: the target's name) for other programs, with its headers,
# installed as a CMake package and a pkg-config file by `cmake --install <build> --component <NAME>`. It
# contains its own copy of its dependencies and exports only symbols marked visible.
function(seedbed_shared_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;OUTPUT;PACKAGE" "HEADER;DEPENDS;LIBS")
  include(GNUInstallDirs)
  include(CMakePackageConfigHelpers)
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT ${arg_NAME})
  endif()
  seedbed_folder_sources(sources)
  add_library(${arg_NAME} SHARED ${sources})
  set_target_properties(${arg_NAME} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 1
                        OUTPUT_NAME ${arg_OUTPUT} EXPORT_NAME ${arg_OUTPUT})
  target_link_options(${arg_NAME} PRIVATE -Wl,--exclude-libs,ALL)
  target_include_directories(${arg_NAME} INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:include>)
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_object_closure(objects ${depends})
  list(REMOVE_ITEM depends ${objects})
  foreach(object IN LISTS objects)
    target_sources(${arg_NAME} PRIVATE $<TARGET_OBJECTS:${object}>)
    target_link_libraries(${arg_NAME} PRIVATE ${object}_usage)
  endforeach()
  target_link_libraries(${arg_NAME} PRIVATE ${depends} ${arg_LIBS} Threads::Threads)
  seedbed_common(${arg_NAME})
  add_dependencies(programs ${arg_NAME})
  if(SEEDBED_STATIC)
    seedbed_static_library(${arg_NAME} ${arg_OUTPUT} OBJECTS ${objects} LIBS ${depends} ${arg_LIBS}
                           HEADER ${arg_HEADER})
  endif()
  set(place ${CMAKE_INSTALL_LIBDIR}/cmake/${arg_PACKAGE})
  install(TARGETS ${arg_NAME} EXPORT ${arg_PACKAGE}Config COMPONENT ${arg_NAME})
  install(FILES ${arg_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${arg_NAME})
  install(EXPORT ${arg_PACKAGE}Config NAMESPACE ${arg_PACKAGE}:: DESTINATION ${place} COMPONENT ${arg_NAME})
  write_basic_package_version_file(${arg_PACKAGE}ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${arg_PACKAGE}ConfigVersion.cmake DESTINATION ${place}
          COMPONENT ${arg_NAME})
  # Relative to the file itself, so that the installed folder may be moved.
  set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH up /${pkgconfig} /)
  file(CONFIGURE OUTPUT ${arg_OUTPUT}.pc CONTENT "prefix=\${pcfiledir}/@up@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
Name: @arg_OUTPUT@
Description: Seedbed, a trainer for reinforcement learning
Version: @PROJECT_VERSION@
Libs: -L\${libdir} -l@arg_OUTPUT@
Cflags: -I\${includedir}
" @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${arg_OUTPUT}.pc DESTINATION ${pkgconfig} COMPONENT ${arg_NAME})
endfunction()

# seedbed_source_dir(files...): defines SEEDBED_SOURCE_DIR, the repository root, for the files that use it.
# Other files compile to the same objects in every clone, so that the compiler cache can be shared.
function(seedbed_source_dir)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} uses REGEX SEEDBED_SOURCE_DIR)
    if(uses)
      set_source_files_properties(${source} PROPERTIES
                                  COMPILE_DEFINITIONS SEEDBED_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
endfunction()

# seedbed_measure(tests...): gives tests of the current folder the label "measure" and runs each of them
# alone. It is for tests that assert elapsed time, memory use or speed: CI omits them,
# packaging/test.sh --long runs them.
function(seedbed_measure)
  set_tests_properties(${ARGN} PROPERTIES LABELS measure RUN_SERIAL ON)
endfunction()

# seedbed_tests([ONE_PROCESS] [TIMEOUT seconds] [FIXTURE name] [DEPENDS ...] [LIBS ...] [NEEDS seedbed ...]
#               [MEASURE patterns...])
# All .cpp of tests/unit/<area> form the GoogleTest program test_<area>; those of tests/<kind>/<area> form
# test_<kind>_<area>. ctest runs each test separately with TIMEOUT (300 s, a guard against hanging).
# ONE_PROCESS runs the whole program as one test, if its tests share an expensive set-up. NEEDS names programs
# or modules in the same folder as the test program to build first. FIXTURE names a ctest fixture. Tests that
# match a GoogleTest pattern of MEASURE get the label "measure" (seedbed_measure). Tests with longer time limits
# start earlier (COST), so that none is left at the end. SEEDBED_SOURCE_DIR is defined as the repository root.
function(seedbed_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ONE_PROCESS" "TIMEOUT;FIXTURE" "DEPENDS;LIBS;NEEDS;MEASURE")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REGEX REPLACE "^unit/" "" name ${folder})
  string(REPLACE "/" "_" name test_${name})
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_folder_sources(sources)
  add_executable(${name} ${sources})
  seedbed_link(${name} DEPENDS ${arg_DEPENDS} LIBS ${arg_LIBS} GTest::gmock GTest::gtest_main)
  seedbed_compile_quickly(${name})
  seedbed_source_dir(${sources})
  foreach(need IN LISTS arg_NEEDS)
    if(TARGET ${need})
      add_dependencies(${name} ${need})
    endif()
  endforeach()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT})
  if(arg_FIXTURE)
    list(APPEND properties FIXTURES_REQUIRED ${arg_FIXTURE})
  endif()
  list(JOIN arg_MEASURE ":" measured)
  seedbed_add_tests(${name} "-${measured}" "${arg_ONE_PROCESS}" ${properties} LABELS ${name})
  if(measured)
    seedbed_add_tests(${name} "${measured}" "${arg_ONE_PROCESS}" ${properties} LABELS measure RUN_SERIAL ON)
  endif()
endfunction()

# Adds the tests of the program `name` that the GoogleTest filter selects, as one test if `one_process`, with
# the properties ARGN. Names have no values of parameters: those of objects contain addresses, which would
# change with each run.
function(seedbed_add_tests name filter one_process)
  if(one_process)
    set(test ${name})
    if(NOT filter MATCHES "^-")
      set(test ${name}.measure)
    endif()
    add_test(NAME ${test} COMMAND ${name} --gtest_filter=${filter})
    set_tests_properties(${test} PROPERTIES ${ARGN})
    return()
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX ${name}. TEST_FILTER "${filter}" NO_PRETTY_VALUES
                       DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 300 PROPERTIES ${ARGN})
endfunction()

# seedbed_benchmarks([DEPENDS ...] [LIBS ...]): each .cpp of the folder is a program bench_<file>, built but
# not run. Needs Google Benchmark.
function(seedbed_benchmarks)
  if(NOT TARGET benchmark::benchmark)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "DEPENDS;LIBS")
  seedbed_depend_targets(depends ${arg_DEPENDS})
  seedbed_folder_sources(sources)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_${name} ${source})
    seedbed_link(bench_${name} DEPENDS ${arg_DEPENDS} LIBS ${arg_LIBS})
    seedbed_source_dir(${source})
  endforeach()
endfunction()

# seedbed_fuzzers([DEPENDS ...] [LIBS ...]): each fuzz_<name>.cpp of the folder is a program. With
# SEEDBED_FUZZ it uses libFuzzer (Clang); otherwise it is a test that replays its seeds,
# tests/fuzz/corpus/<name> and mutations of both.
function(seedbed_fuzzers)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "DEPENDS;LIBS")
  file(GLOB sources CONFIGURE_DEPENDS fuzz_*.cpp)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    if(SEEDBED_FUZZ)
      add_executable(${name} ${source} ${PROJECT_SOURCE_DIR}/tests/fuzz/replay/write_seeds.cpp)
      target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
      add_executable(${name} ${source} ${PROJECT_SOURCE_DIR}/tests/fuzz/replay/main.cpp)
      string(REGEX REPLACE "^fuzz_" "" kept ${name})
      add_test(NAME fuzz.${kept} COMMAND ${name} 4000 1 ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${kept})
      # The database fuzzer syncs thousands of files.
      set_tests_properties(fuzz.${kept} PROPERTIES TIMEOUT 1200 COST 1200)
    endif()
    seedbed_link(${name} DEPENDS ${arg_DEPENDS} LIBS ${arg_LIBS})
  endforeach()
endfunction()
