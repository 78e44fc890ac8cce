#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of resources/screenshots: every page, light and dark, at 100 and 200 %. Needs Xvfb and ImageMagick.
#   tests/ui_window/screenshots.sh build/release [FOLDER]
set -euo pipefail
program=$1/bin/test_ui_window
folder=${2:-$(dirname "$0")/../../resources/screenshots}
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
for scale in 1 2; do
  # The export page proposes a folder in the home folder: nobody's.
  HOME=/home/you QT_SCALE_FACTOR=$scale SEEDBED_SCREENSHOTS=$raw "$program" --gtest_filter='Shots.*'
done
mkdir -p "$folder"
for picture in "$raw"/*.png; do
  # Few colours are enough for controls and charts, and make files a quarter as large.
  case $picture in *-200.png) colours=48 ;; *) colours=96 ;; esac
  convert "$picture" +dither -colors $colours -strip -define png:compression-level=9 "$folder/$(basename "$picture")"
done
du -sh "$folder"
