#!/usr/bin/env bash
# Counts with Nsight Compute what the sound kernels of the corpus do on the card: instructions, sectors, wavefronts. Needs what run.sh needs,
# which it runs first where that has not been done on this machine, and ncu with the right to read the counters
# (https://developer.nvidia.com/ERR_NVGPUCTRPERM): where that is missing it says so and ends.
#
#   OUT=FOLDER ptx/sim/testdata/src/counters.sh
#
# FOLDER gets counters.tar.gz and counters.log. In the archive: NAME.ncu.csv of every kernel, as "ncu --csv --page raw" writes it, and
# SOURCE.sass, what the PTX of a source was compiled to, by which a count that differs can be explained. Clocks and settings of the card are
# left alone. The last lines say how many kernels were counted, and name those that were not. Always exits 0.
set -uo pipefail
out=${OUT:?where to write}
most=${MOST_SECONDS:-400} # in all; what has not been counted by then is named as missing
work=/tmp/girih-sim
mkdir -p "$out"
out=$(realpath "$out")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
exec > >(tee "$out/counters.log") 2>&1
finish() {
  echo "$1"
  exec >&- 2>&- # tee gets the end
  sleep 1
  exit 0
}
if ! command -v ncu >/dev/null; then
  for at in /opt/nvidia/nsight-compute/*/ /usr/local/cuda/bin/; do
    [[ -x $at/ncu ]] && PATH=$PATH:$at
  done
fi
command -v ncu >/dev/null || finish "no ncu on this machine: nothing is counted"
ncu --version | tail -1
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
[[ -x $work/corpus && -s $work/list ]] || OUT=$out "$here/run.sh" >/dev/null
[[ -x $work/corpus && -s $work/list ]] || finish "run.sh made no corpus: see its log"
cd "$work/src" || exit 0
rm -rf "$work/ncu" "$work/again"
mkdir -p "$work/ncu" "$work/again"
SECONDS=0 # those of run.sh are not counted
export PYTHONUNBUFFERED=1 CUDA_MODULE_LOADING=EAGER

# The counters. A name that this ncu does not have is left out, and said.
wanted=$(
  echo smsp__inst_executed smsp__thread_inst_executed smsp__inst_executed_pipe_lsu
  for op in global_op_ld global_op_st global_op_atom global_op_red global_op_ldgsts_cache_access local_op_ld local_op_st \
    dshared_op_ld dshared_op_st dshared_op_atom; do
    echo "l1tex__t_requests_pipe_lsu_mem_$op l1tex__t_sectors_pipe_lsu_mem_$op"
  done
  for op in ld st atom; do
    echo "smsp__inst_executed_op_shared_$op l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op"
  done
  echo l1tex__data_pipe_lsu_wavefronts_mem_shared smsp__inst_executed_op_ldsm smsp__inst_executed_op_ldgsts
  for op in ld st atom red; do echo "smsp__inst_executed_op_global_$op"; done
  echo smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts
  echo l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st
  echo l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_tma_st
)
timeout 60 ncu --query-metrics >"$work/ncu/known" 2>&1
metrics=
for name in $wanted; do
  if grep -q l1tex__t_sectors "$work/ncu/known" && ! grep -qw "^$name" "$work/ncu/known"; then
    echo "# ncu has no $name"
    continue
  fi
  metrics+=${metrics:+,}$name.sum
done
rm "$work/ncu/known"
export metrics work

# One kernel in a process and a table of its own, so that one that fails takes no other with it.
count() {
  local name=$1
  shift
  timeout -k 2 60 ncu --target-processes all --clock-control none --cache-control none --csv --page raw --log-file "$work/ncu/$name.ncu.csv" \
    --metrics "$metrics" "$@" >"$work/ncu/$name.said" 2>&1 </dev/null
  local rc=$?
  if ! grep -q '^"ID"' "$work/ncu/$name.ncu.csv" 2>/dev/null; then
    echo "# $name was not counted (exit $rc): $(grep -h -m 1 -E 'ERROR|error|WARNING' "$work/ncu/$name.ncu.csv" "$work/ncu/$name.said" 2>/dev/null)"
    grep -hs -E 'ERR' "$work/ncu/$name.ncu.csv" >>"$work/ncu/$name.said"
    rm -f "$work/ncu/$name.ncu.csv"
  fi
}
first=$(awk '$1 == "sound" { print $2; exit }' "$work/list")
count "$first" ../corpus run "$first" ../ptx . ../again
if [[ ! -s $work/ncu/$first.ncu.csv ]]; then
  grep -h -m 3 -E 'ERR_NVGPUCTRPERM|ERROR' "$work/ncu/$first.said"
  finish "ncu counted nothing, as it says above: without the right to read the counters nothing is counted"
fi
while read -r kind name; do
  [[ $kind == sound && $name != "$first" ]] || continue
  if ((SECONDS > most)); then
    echo "# $name was not counted: more than $most seconds"
    continue
  fi
  count "$name" ../corpus run "$name" ../ptx . ../again
done <"$work/list"
kernels=$(sed -n 's/^    ("triton_[a-z]*", \([a-z]*\),.*/\1/p' triton_kernels.py | paste -sd '|' -)
((SECONDS > most)) || count triton --kernel-name "regex:^($kernels)(_kernel)?\$" python3 triton_kernels.py ../again

for cubin in ../lines/*.cubin; do
  cuobjdump -sass "$cubin" >"$work/ncu/$(basename "$cubin" .cubin).sass" 2>/dev/null || nvdisasm -c "$cubin" >"$work/ncu/$(basename "$cubin" .cubin).sass"
done
rm -f "$work"/ncu/*.said
tar -C "$work/ncu" -czf "$out/counters.tar.gz" .
finish "$(ls "$work"/ncu/*.ncu.csv | wc -l) tables of $(grep -c ^sound "$work/list") kernels and Triton's, archive $(stat -c %s "$out/counters.tar.gz"), $SECONDS s"
