#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Takes the screenshots for the README and docs from real runs. Needs Xvfb and ImageMagick.
#   tests/ui_window/screenshots.sh build/release         updates resources/screenshots
#   tests/ui_window/screenshots.sh build/release FOLDER  every page, light and dark, at 100 and 200 %
set -euo pipefail
program=$1/bin/test_ui_window
used=$(dirname "$0")/../../resources/screenshots
folder=${2:-$used}
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
for scale in 1 ${2:+2}; do
  # The export page suggests a folder in the home folder, whose path must not contain a real person's name.
  HOME=/home/you QT_SCALE_FACTOR=$scale SEEDBED_SCREENSHOTS=$raw "$program" --gtest_filter='Shots.*'
done
mkdir -p "$folder"
for picture in "$raw"/*.png; do
  if [ $# -lt 2 ] && [ ! -e "$used/$(basename "$picture")" ]; then continue; fi
  # A palette keeps the pictures of the documentation small.
  colours=()
  [ $# -ge 2 ] || colours=(-dither None -colors 128)
  convert "$picture" -strip "${colours[@]}" -define png:compression-level=9 "$folder/$(basename "$picture")"
done
du -sh "$folder"
