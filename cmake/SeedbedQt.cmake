# SPDX-License-Identifier: Apache-2.0
# Sets SEEDBED_HAS_GUI if the window can be built, else prints the reason. The window is not built with the
# thread sanitizer, which would report errors in Qt's uninstrumented code.
set(SEEDBED_HAS_GUI OFF)
if(SEEDBED_GUI STREQUAL "AUTO" AND (SEEDBED_FUZZ OR SEEDBED_SANITIZE MATCHES "thread"))
  message(STATUS "The window is not built with the thread sanitizer or for fuzzing")
elseif(NOT SEEDBED_GUI STREQUAL "OFF")
  find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets Svg PrintSupport Network DBus)
  find_package(QCustomPlotQt6 QUIET)  # QCustomPlotQt6::QCustomPlotQt6
  if(Qt6_FOUND AND QCustomPlotQt6_FOUND)
    set(SEEDBED_HAS_GUI ON)
    find_package(Qt6Test QUIET)
    # Without lrelease the window has no translations and no plural forms ("1 run(s)").
    find_program(SEEDBED_LRELEASE NAMES lrelease NO_CMAKE_SYSTEM_PATH
                 HINTS /usr/lib/qt6/bin ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_BINS})
  elseif(SEEDBED_GUI STREQUAL "ON")
    message(FATAL_ERROR "SEEDBED_GUI=ON needs Qt 6.4 and QCustomPlot for Qt 6 "
                        "(packaging/packages.txt, group gui)")
  else()
    message(STATUS "The window is not built: Qt 6.4 or QCustomPlot for Qt 6 was not found "
                   "(packaging/packages.txt, group gui)")
  endif()
endif()
