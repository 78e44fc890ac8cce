# SPDX-License-Identifier: Apache-2.0
# Decides whether the window is built (SEEDBED_HAS_GUI) and says why not. A thread sanitizer would report Qt's own, uninstrumented code.
set(SEEDBED_HAS_GUI OFF)
if(SEEDBED_GUI STREQUAL "AUTO" AND (SEEDBED_FUZZ OR SEEDBED_SANITIZE MATCHES "thread"))
  message(STATUS "The window is not built with the thread sanitizer or for fuzzing")
elseif(NOT SEEDBED_GUI STREQUAL "OFF")
  find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets Svg PrintSupport Network DBus)
  find_package(QCustomPlotQt6 QUIET)  # QCustomPlotQt6::QCustomPlotQt6
  if(Qt6_FOUND AND QCustomPlotQt6_FOUND)
    set(SEEDBED_HAS_GUI ON)
    find_package(Qt6Test QUIET)
    # Without it the window speaks English only, and says "1 run(s)".
    find_program(SEEDBED_LRELEASE NAMES lrelease HINTS /usr/lib/qt6/bin ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_BINS} NO_CMAKE_SYSTEM_PATH)
  elseif(SEEDBED_GUI STREQUAL "ON")
    message(FATAL_ERROR "SEEDBED_GUI=ON needs Qt 6.4 and QCustomPlot for it (packaging/packages.txt, group gui)")
  else()
    message(STATUS "The window is not built: Qt 6.4 or QCustomPlot for it was not found (packaging/packages.txt, group gui)")
  endif()
endif()
