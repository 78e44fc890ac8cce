# SPDX-License-Identifier: Apache-2.0
# CPack runs this after it has installed the groups of components: adds copyright and changelog to each, keeps
# examples, compresses manual pages and links the library of the Python package.
set(packages program:seedbed library:libseedbed1 development:libseedbed-dev python:python3-seedbed)
set(source ${CMAKE_CURRENT_LIST_DIR}/..)
foreach(package IN LISTS packages)
  string(REPLACE ":" ";" package ${package})
  list(GET package 0 group)
  list(GET package 1 name)
  set(usr ${CPACK_TEMPORARY_DIRECTORY}/${group}/usr)
  if(NOT EXISTS ${usr})
    message(FATAL_ERROR "CPack did not install ${usr}")
  endif()
  set(doc ${usr}/share/doc/${name})
  file(GLOB others ${doc}/*)
  foreach(other IN LISTS others)
    if(NOT other STREQUAL ${doc}/examples)
      file(REMOVE_RECURSE ${other})
    endif()
  endforeach()
  file(MAKE_DIRECTORY ${doc})
  configure_file(${source}/packaging/deb/copyright ${doc}/copyright COPYONLY)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # honours SOURCE_DATE_EPOCH
  file(WRITE ${doc}/changelog "seedbed (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n
  * Release ${CPACK_PACKAGE_VERSION}; its changes are in CHANGELOG.md of the sources.\n
 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB manuals ${usr}/share/man/man*/*.?)
  foreach(file ${doc}/changelog ${manuals})
    execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()

# The group "development" has only the links libX.so; the libraries are in the group "library".
file(GLOB libraries ${CPACK_TEMPORARY_DIRECTORY}/development/usr/lib/*/lib*.so.*)
file(REMOVE ${libraries})
file(GLOB library ${CPACK_TEMPORARY_DIRECTORY}/library/usr/lib/*/libseedbed.so.1)
file(RELATIVE_PATH target ${CPACK_TEMPORARY_DIRECTORY}/library/usr/lib/python3/dist-packages/seedbed/lib
     ${library})
set(lib ${CPACK_TEMPORARY_DIRECTORY}/python/usr/lib/python3/dist-packages/seedbed/lib)
file(MAKE_DIRECTORY ${lib})
file(CREATE_LINK ${target} ${lib}/libseedbed.so SYMBOLIC)
