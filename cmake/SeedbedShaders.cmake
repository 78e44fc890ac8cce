# SPDX-License-Identifier: Apache-2.0
# seedbed_shaders(target folder environment): compiles folder/*.comp, *.vert and *.frag with glslc for the
# environment ("vulkan1.2"), checks the result with spirv-val if it is installed, and writes
# seedbed_shaders.inc with all of them, which the target includes. x.comp is named x, x.vert is named x_vert.
function(seedbed_shaders target folder environment)
  file(GLOB shaders CONFIGURE_DEPENDS ${folder}/*.comp ${folder}/*.vert ${folder}/*.frag)
  file(GLOB included CONFIGURE_DEPENDS ${folder}/*.glsl)
  find_program(SEEDBED_SPIRV_VAL spirv-val)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/shaders)
  file(MAKE_DIRECTORY ${made})
  set(arrays)
  set(table)
  set(outputs)
  foreach(shader IN LISTS shaders)
    get_filename_component(name ${shader} NAME)
    string(REGEX REPLACE "[.]comp$" "" name ${name})
    string(REPLACE "." "_" name ${name})
    set(flags -O --target-env=${environment} -Werror -I ${folder})
    set(check)
    if(SEEDBED_SPIRV_VAL)
      set(check COMMAND ${SEEDBED_SPIRV_VAL} --target-env ${environment} ${made}/${name}.spv)
    endif()
    add_custom_command(
      OUTPUT ${made}/${name}.inc
      COMMAND ${SEEDBED_GLSLC} ${flags} -o ${made}/${name}.spv ${shader}
      ${check}
      COMMAND ${SEEDBED_GLSLC} ${flags} -mfmt=num -o ${made}/${name}.inc ${shader}
      DEPENDS ${shader} ${included}
      COMMENT "Compiling the shader ${name}"
      VERBATIM)
    list(APPEND outputs ${made}/${name}.inc)
    string(APPEND arrays "const std::uint32_t k_${name}[] = {\n#include \"${made}/${name}.inc\"\n};\n")
    string(APPEND table "    {\"${name}\", k_${name}, std::size(k_${name})},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${made}/seedbed_shaders.inc CONTENT
       "${arrays}const Shader kShaders[] = {\n${table}};\n" @ONLY)
  target_include_directories(${target} PRIVATE ${made})
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/shaders.cpp PROPERTIES OBJECT_DEPENDS "${outputs}")
endfunction()
