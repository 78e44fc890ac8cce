# SPDX-License-Identifier: Apache-2.0
# Static libraries for devices, made by packaging/edge.sh. Each is one relocatable object with all code that
# it needs except the C and C++ libraries, so that files that register themselves are linked, and only the
# functions of the C API are visible to the program.
if(SEEDBED_STATIC)
  add_compile_definitions(SEEDBED_STATIC)
  # objcopy cannot hide unique symbols.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  # Debian has no static libraries of spdlog and fmt.
  find_path(SEEDBED_SPDLOG_HEADERS spdlog/spdlog.h REQUIRED)
  add_library(spdlog::spdlog INTERFACE IMPORTED)
  target_include_directories(spdlog::spdlog INTERFACE ${SEEDBED_SPDLOG_HEADERS})
  target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_custom_target(static_libraries)
  # The linker finds these empty archives before the C library's, which programs link themselves.
  set(SEEDBED_EMPTY_LIBRARIES ${PROJECT_BINARY_DIR}/empty)
  foreach(name m dl pthread)
    file(WRITE ${SEEDBED_EMPTY_LIBRARIES}/lib${name}.a "!<arch>\n")
  endforeach()
  # A static program cannot load libraries. These replace the C library's functions, which SQLite refers to.
  set(SEEDBED_NO_LOADER ${PROJECT_BINARY_DIR}/static/no_loader.c)
  file(CONFIGURE OUTPUT ${SEEDBED_NO_LOADER} CONTENT "void* dlopen(const char* a, int b);
void* dlsym(void* a, const char* b);
int dlclose(void* a);
char* dlerror(void);
void* dlopen(const char* a, int b) { return a || b ? 0 : 0; }
void* dlsym(void* a, const char* b) { return a || b ? 0 : 0; }
int dlclose(void* a) { return a ? -1 : 0; }
char* dlerror(void) { return (char*)\"a static program cannot load libraries\"; }
" @ONLY)
endif()

# seedbed_static_library(shared output OBJECTS targets... LIBS targets... HEADER files...): lib<output>.a with
# the content of the target `shared`, installed with its headers by the component `static`.
function(seedbed_static_library shared output)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OBJECTS;LIBS;HEADER")
  set(object ${shared}_object)
  add_executable(${object} $<TARGET_OBJECTS:${shared}> ${SEEDBED_NO_LOADER})
  set_target_properties(
    ${object} PROPERTIES LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE OFF SUFFIX .o
    LINK_OPTIONS "-r;-nostdlib;-fuse-ld=bfd;-Wl,--force-group-allocation;-L${SEEDBED_EMPTY_LIBRARIES}")
  foreach(registered IN LISTS arg_OBJECTS)
    target_sources(${object} PRIVATE $<TARGET_OBJECTS:${registered}>)
    target_link_libraries(${object} PRIVATE ${registered}_usage)
  endforeach()
  target_link_libraries(${object} PRIVATE ${arg_LIBS})
  set(folder ${PROJECT_BINARY_DIR}/static/${output})
  set(library ${PROJECT_BINARY_DIR}/static/lib${output}.a)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${library}
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=seedbed_* --strip-unneeded
            $<TARGET_FILE:${object}> ${folder}/${output}.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
    COMMAND ${CMAKE_AR} rcsD ${library} ${folder}/${output}.o
    DEPENDS ${object} VERBATIM)
  add_custom_target(${shared}_static DEPENDS ${library})
  add_dependencies(static_libraries ${shared}_static)
  set(pc ${PROJECT_BINARY_DIR}/static/${output}.pc)
  file(CONFIGURE OUTPUT ${pc} CONTENT "prefix=\${pcfiledir}/../..
Name: @output@
Description: Seedbed, a trainer for reinforcement learning (static library)
Version: @PROJECT_VERSION@
Libs: -L\${prefix}/lib -l@output@ -lstdc++ -lm
Cflags: -I\${prefix}/include
" @ONLY)
  install(FILES ${library} DESTINATION lib COMPONENT static EXCLUDE_FROM_ALL)
  install(FILES ${pc} DESTINATION lib/pkgconfig COMPONENT static EXCLUDE_FROM_ALL)
  install(FILES ${arg_HEADER} DESTINATION include COMPONENT static EXCLUDE_FROM_ALL)
endfunction()
