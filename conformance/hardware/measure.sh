#!/bin/sh
# Repeats the measurements of memory on the card of this machine.
#
#   measure.sh FOLDER [ACCESSES]   ACCESSES of each instruction that the profiler counts (40; 0: all, which takes hours)
#
# It needs girih-gpu and the driver, and for the counters Nsight Compute (ncu), which needs the right to read them
# (https://developer.nvidia.com/ERR_NVGPUCTRPERM). It writes into FOLDER
#
#   cycles.jsonl     every access of every instruction, by the clock of the card (half a minute)
#   counters.jsonl   wavefronts or sectors, by the counters of the hardware
#
# and says what differs from girih. Clocks and settings of the card are left alone. An instruction is profiled by itself
# with one counter, a bulk copy with two, since launches are repeated for counters that do not fit one pass: a launch takes 20 ms with one or
# two of shared memory, 90 with four, 270 with two of global memory. girih-gpu memory --list has all counters.
set -eu
[ $# -ge 1 ] || { sed -n '2,6p' "$0"; exit 2; }
out=$1
most=${2:-40}
mkdir -p "$out"
girih-gpu memory --json >"$out/cycles.jsonl"
girih-gpu memory --records "$out/cycles.jsonl" || true
if ! command -v ncu >/dev/null; then
	echo "no ncu: the counters are left out" >&2
	exit 0
fi
rm -f "$out/counters.jsonl"
girih-gpu memory --list | while read -r op _ _ counters; do
	case $op in cp.async.bulk.*) ;; *) counters=${counters%%,*} ;; esac
	ncu --target-processes all --clock-control none --cache-control none --csv --page raw --log-file "$out/ncu.csv" \
		--metrics "$counters" girih-gpu memory --once --op "$op" --most "$most" >"$out/once.jsonl" </dev/null
	if [ "$(wc -l <"$out/once.jsonl")" -lt 2 ]; then
		continue # the card has no such instruction
	fi
	girih-gpu memory --counters "$out/ncu.csv" "$out/once.jsonl" --json >"$out/op.jsonl"
	if [ -f "$out/counters.jsonl" ]; then
		tail -n +2 "$out/op.jsonl" >>"$out/counters.jsonl"
	else
		cp "$out/op.jsonl" "$out/counters.jsonl"
	fi
done
rm -f "$out/ncu.csv" "$out/once.jsonl" "$out/op.jsonl"
girih-gpu memory --records "$out/counters.jsonl"
