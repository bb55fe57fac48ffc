#!/usr/bin/env bash
# Compiles the kernels of src to PTX, and holds the printer to ptxas. Needs nvcc 13, Triton 3.6 and a Hopper GPU; no network.
#
#   OUT=FOLDER PTX=BINARY ptx/testdata/compile.sh
#
# FOLDER gets ptx.tar.gz, one NAME.ARCH.ptx for each target of each source, and log. BINARY is ptxprint, which reads PTX
# on its standard input and prints what it read:
#
#   CGO_ENABLED=0 go build -o .bin/ptxprint ./internal/cmd/ptxprint
#
# With it, each file is read and printed, and ptxas has to make the same machine code of both. Exits 1 if anything failed.
set -uo pipefail
out=${OUT:?where to write}
# PTX for debuggers has the folder of the source in it, so that is the same everywhere.
work=/tmp/girih-ptx
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$out" "$work/ptx"
cp "$(dirname "${BASH_SOURCE[0]}")"/src/* "$work"
[[ -n ${PTX:-} ]] && PTX=$(realpath "$PTX")
out=$(realpath "$out")
cd "$work"
exec > >(tee "$out/log") 2>&1
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

# field FILE KEY prints what a source says in a line "// KEY: ...".
field() { sed -n "s|^// $2: *||p" "$1" | head -1; }

# assemble PTX CUBIN FLAGS... makes machine code. What the target is, the PTX says.
assemble() {
  local arch
  arch=$(sed -n 's/^ *\.target *\([a-z0-9_]*\).*/\1/p' "$1" | head -1)
  ptxas -arch="$arch" "${@:3}" "$1" -o "$2"
}

# code CUBIN prints the machine code, all sections.
code() { cuobjdump -sass "$1" | grep -v -E '^(Fatbin|=+$|host|compile_size|code version)'; }

nvcc --version | tail -2
for src in *.cu; do
  name=${src%.cu}
  for target in $(field "$src" targets); do
    arch=${target#sm_}
    # shellcheck disable=SC2046
    nvcc -std=c++17 -O3 -ptx $(field "$src" flags) -gencode "arch=compute_$arch,code=compute_$arch" "$src" -o "$work/ptx/$name.$target.ptx" ||
      fail "nvcc $src for $target"
  done
done
for src in *.ptx; do cp "$src" "ptx/${src%.ptx}.sm_90a.ptx"; done
python3 triton_kernels.py "$work/ptx" || fail "Triton"
sed -i 's|"/[^"]*/site-packages|"/site-packages|' "$work"/ptx/*.ptx
tar -C "$work/ptx" -czf "$out/ptx.tar.gz" .
(cd "$work/ptx" && wc -c *.ptx)

for ptx in "$work"/ptx/*.ptx; do
  name=$(basename "$ptx" .ptx)
  src=${name%%.*}.cu
  flags=(-lineinfo)
  [[ -f $src ]] && read -ra flags <<<"$(field "$src" ptxas)"
  assemble "$ptx" "$work/a.cubin" "${flags[@]}" || { fail "ptxas $name"; continue; }
  code "$work/a.cubin" >"$work/a.sass"
  [[ -n ${PTX:-} ]] || { echo "$name: assembled"; continue; }
  "$PTX" <"$ptx" >"$work/printed.ptx" || { fail "reading $name"; continue; }
  assemble "$work/printed.ptx" "$work/b.cubin" "${flags[@]}" || { fail "ptxas $name, printed"; continue; }
  code "$work/b.cubin" >"$work/b.sass"
  if cmp -s "$work/a.cubin" "$work/b.cubin"; then
    echo "$name: the same cubin"
  elif [[ -s $work/a.sass ]] && cmp -s "$work/a.sass" "$work/b.sass"; then
    echo "$name: the same machine code, $(wc -l <"$work/a.sass") lines"
  else
    fail "$name: other machine code"
    diff "$work/a.sass" "$work/b.sass" | head -20
  fi
done
exit $failed
