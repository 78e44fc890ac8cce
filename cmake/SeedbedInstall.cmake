# SPDX-License-Identifier: Apache-2.0
# `cmake --install <build>`: programs, resources, manual page, completions, and the window's desktop entry,
# icon and metadata. Components: seedbed, gui (and seedbed_policy, see cmake/SeedbedLibrary.cmake).
include(GNUInstallDirs)

if(TARGET seedbed)
  # The program generates its manual page and completions.
  set(made ${PROJECT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${made})
  set(files ${made}/seedbed.1 ${made}/seedbed.bash ${made}/_seedbed ${made}/seedbed.fish)
  add_custom_command(
    OUTPUT ${files}
    COMMAND seedbed man > ${made}/seedbed.1
    COMMAND seedbed completion bash > ${made}/seedbed.bash
    COMMAND seedbed completion zsh > ${made}/_seedbed
    COMMAND seedbed completion fish > ${made}/seedbed.fish
    DEPENDS seedbed VERBATIM)
  add_custom_target(shell_files ALL DEPENDS ${files})
  add_dependencies(programs shell_files)

  install(TARGETS seedbed DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT seedbed)
  if(TARGET seedbed_torch)
    install(TARGETS seedbed_torch DESTINATION lib/seedbed COMPONENT seedbed OPTIONAL)
  endif()
  if(TARGET seedbed_grpc)
    install(TARGETS seedbed_grpc DESTINATION lib/seedbed COMPONENT seedbed OPTIONAL)
  endif()
  set(data ${CMAKE_INSTALL_DATADIR}/seedbed)
  install(DIRECTORY resources/presets resources/packs resources/gallery DESTINATION ${data} COMPONENT seedbed)
  install(DIRECTORY envs/python/seedbed_worker DESTINATION ${data}/python COMPONENT seedbed
          PATTERN __pycache__ EXCLUDE)
  # The guide refers to its pictures by ../resources/screenshots.
  install(DIRECTORY docs DESTINATION ${data} COMPONENT seedbed)
  install(DIRECTORY resources/screenshots DESTINATION ${data}/resources COMPONENT seedbed)
  if(TARGET seedbed_web)
    install(FILES ${PROJECT_BINARY_DIR}/share/seedbed/web/page.html DESTINATION ${data}/web COMPONENT seedbed)
  endif()
  install(FILES resources/learning.json DESTINATION ${data} COMPONENT seedbed)
  install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT seedbed)
  install(DIRECTORY LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT seedbed)
  install(FILES ${made}/seedbed.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT seedbed)
  install(FILES ${made}/seedbed.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME seedbed COMPONENT seedbed)
  install(FILES ${made}/_seedbed DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT seedbed)
  install(FILES ${made}/seedbed.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT seedbed)
endif()

if(TARGET seedbed-gui)
  install(TARGETS seedbed-gui DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT gui)
  if(TARGET seedbed_live)
    install(TARGETS seedbed_live DESTINATION lib/seedbed COMPONENT gui OPTIONAL)
  endif()
  set(desktop packaging/desktop/org.seedbed.Seedbed)
  install(FILES ${desktop}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT gui)
  install(FILES packaging/desktop/seedbed-gui.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT gui)
  install(FILES ${desktop}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT gui)
  install(FILES ${desktop}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
          RENAME org.seedbed.Seedbed.xml COMPONENT gui)
  install(FILES ${desktop}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT gui)
endif()
