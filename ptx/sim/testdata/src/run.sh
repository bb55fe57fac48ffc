#!/usr/bin/env bash
# Compiles the corpus and runs its sound kernels on the card. Needs nvcc 13, a Hopper GPU, Triton 3.6 and PyTorch; no network.
#
#   OUT=FOLDER ptx/sim/testdata/src/run.sh
#
# FOLDER gets corpus.tar.gz and log. In the archive: the PTX of every source, NAME.json of every kernel (its launch, its parameters, its
# buffers and how they are filled, its outputs or the findings intended) and NAME.BUFFER.out, what the card left in a buffer.
# A kernel that fails or hangs does not keep the others from running. The last lines are the table: kernel, what came of it, bytes.
# Always exits 0.
set -uo pipefail
out=${OUT:?where to write}
work=/tmp/girih-sim
rm -rf "$work"
mkdir -p "$out" "$work/src" "$work/ptx" "$work/res" "$work/lines"
out=$(realpath "$out")
cp "$(dirname "${BASH_SOURCE[0]}")"/* "$work/src"
cd "$work/src" || exit 0
exec > >(tee "$out/log") 2>&1
export PYTHONUNBUFFERED=1 CUDA_MODULE_LOADING=EAGER
nvcc --version | tail -2
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader

# The PTX has the name of the source without a folder, so that it is the same everywhere.
compile() {
  local name=$1
  if ! timeout 100 nvcc -std=c++17 -O2 -lineinfo -ptx -gencode arch=compute_90a,code=compute_90a "$name.cu" -o "../ptx/$name.ptx" \
    >"../lines/$name.nvcc" 2>&1; then
    echo "# nvcc failed on $name.cu"
    head -20 "../lines/$name.nvcc"
    return
  fi
  sed -i 's|^\([[:space:]]*\.file[[:space:]].*"\)/tmp/girih-sim/src/|\1|' "../ptx/$name.ptx"
  timeout 100 ptxas -arch=sm_90a -lineinfo "../ptx/$name.ptx" -o "../lines/$name.cubin" >"../lines/$name.ptxas" 2>&1 ||
    echo "# ptxas failed on $name.ptx"
  grep -v -E '^$' "../lines/$name.ptxas" | head -20
}
compiling=()
for src in *.cu; do
  [[ $src == main.cu ]] && continue
  compile "${src%.cu}" &
  compiling+=($!)
done
timeout 120 nvcc -std=c++17 -O1 -o ../corpus main.cu cases.cpp tensor_cases.cpp broken_cases.cpp -ldl || echo "# no corpus"
wait "${compiling[@]}"
echo "compiled after $SECONDS s"

(timeout 80 python3 triton_kernels.py "$work/res" >"../lines/triton.txt" 2>&1 || echo "# Triton ended with $?" >>"../lines/triton.txt") &
triton=$!
# A kernel in each process, so that a broken context is gone with it, and 15 seconds for each.
one() {
  local verb=describe
  [[ $1 == sound ]] && verb=run
  timeout -k 2 15 ../corpus "$verb" "$2" ../ptx . ../res >"../lines/$2.txt" 2>&1
  local rc=$?
  ((rc == 0)) || echo "$2 FAILED(rc=$rc) 0" >>"../lines/$2.txt"
}
export -f one
../corpus list >../list
# xargs gets no more than 70 seconds in all; what has not run by then is missing in the table.
# shellcheck disable=SC2016
timeout -k 2 70 xargs -P 8 -L 1 bash -c 'one "$0" "$1"' <../list
wait "$triton"
echo "ran after $SECONDS s"

cp ../ptx/*.ptx ../res/
tar -C "$work/res" -czf "$out/corpus.tar.gz" .
grep -h '^#' ../lines/*.txt
echo "kernel result bytes"
while read -r _ name; do
  tail -n 1 "../lines/$name.txt" 2>/dev/null | grep "^$name " || echo "$name MISSING 0"
done <../list
grep '^triton_' ../lines/triton.txt || tail -5 ../lines/triton.txt
echo "$(grep -l -E ' ok [0-9]+$' ../lines/*.txt | wc -l) files of results ok; $(ls "$work/res" | wc -l) files, $(du -sb "$work/res" | cut -f1) bytes, archive $(stat -c %s "$out/corpus.tar.gz"), $SECONDS s"
exec >&- 2>&- # tee gets the end
sleep 1
exit 0
