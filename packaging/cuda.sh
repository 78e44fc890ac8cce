# SPDX-License-Identifier: Apache-2.0
# A LibTorch with CUDA for run.sh --with-cuda, which sources this file after setup.sh: that of an installed
# PyTorch, or else of a PyTorch that is installed in build/cuda. The CUDA toolkit is not needed.

cuda_torch=torch==2.11.0 # checked on an NVIDIA H200; includes CUDA 13.0, which needs driver 580 or newer
cuda_folder=$root/build/cuda

# Prints the folder of Python's PyTorch if it has CUDA. It is not imported, which would take seconds.
torch_with_cuda_of() {
  "$1" -c '
import importlib.util, os
found = importlib.util.find_spec("torch")
folder = os.path.dirname(found.origin) if found and found.origin else ""
if os.path.exists(folder + "/lib/libtorch_cuda.so"): print(folder)' 2>/dev/null || true
}

# Installs PyTorch in build/cuda. An interrupted installation leaves no folder behind that would be used.
install_cuda_torch() {
  local new=$cuda_folder.new start=$SECONDS
  if [ "$install" = no ]; then
    die "no PyTorch with CUDA was found, and it is not installed (--no-install). Install it with" \
      "pip install $cuda_torch, and name its Python with SEEDBED_PYTHON"
  fi
  mkdir -p "$log_folder"
  rm -rf "$new" "$cuda_folder"
  say "Installing PyTorch with CUDA ($cuda_torch) in $cuda_folder, about 3 GB to download ..."
  if ! { python3 -m venv "$new" && "$new/bin/python" -m pip install --progress-bar off "$cuda_torch"; } \
    >"$log_folder/cuda.log" 2>&1; then
    rm -rf "$new"
    tail -n 12 "$log_folder/cuda.log" | sed 's/^/  | /' >&2
    die "installing PyTorch failed; without a network, name a Python that has it with SEEDBED_PYTHON." \
      "Full log: $log_folder/cuda.log"
  fi
  [ -n "$(torch_with_cuda_of "$new/bin/python")" ] || die "$cuda_torch has no CUDA on this kind of computer"
  mv "$new" "$cuda_folder"
  say "Installed in $((SECONDS - start)) s."
}

# Puts the LibTorch with CUDA first in CMAKE_PREFIX_PATH and makes it required.
use_cuda_torch() {
  local folder= python
  for python in ${SEEDBED_PYTHON:+"$SEEDBED_PYTHON"} python3 "$cuda_folder/bin/python"; do
    folder=$(torch_with_cuda_of "$python")
    [ -z "$folder" ] || break
  done
  if [ -z "$folder" ]; then
    install_packages cuda
    install_cuda_torch
    folder=$(torch_with_cuda_of "$cuda_folder/bin/python")
  fi
  export CMAKE_PREFIX_PATH=$folder${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
  SEEDBED_CMAKE_ARGS="${SEEDBED_CMAKE_ARGS:-} -DSEEDBED_TORCH=ON"
  # CMake remembers a LibTorch that it found before.
  if [ -e "$build/CMakeCache.txt" ] &&
    ! grep -qF "SEEDBED_TORCH_CPU:FILEPATH=$folder/" "$build/CMakeCache.txt"; then
    SEEDBED_CMAKE_ARGS="-USEEDBED_TORCH_* $SEEDBED_CMAKE_ARGS"
  fi
  say "LibTorch with CUDA: $folder"
}
