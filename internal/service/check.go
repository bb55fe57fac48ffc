//go:build !js || kernels

package service

import (
	"fmt"
	"strings"
)

// checkOperation is the row of the checker: the simulator of PTX, asked for findings only. Only the command line reads
// files and folders.
func checkOperation() Operation {
	return Operation{
		Name: "check", Doc: "Check files and folders for continuous integration, or one run of a PTX kernel for races",
		Programs: true, Without: []string{"init", "out", "timeline"},
		Command: &Command{
			Use:   "check PATH... | [FILE.ptx] --run RUN.json | [FILE.ptx] --replay DIR",
			Meant: []string{"race", "races", "racecheck", "sanitize", "synccheck", "ci", "sarif", "junit"},
			Flags: []Flag{
				{Field: "entry", Usage: "the `KERNEL`, by a part of its name in PTX or C++, or by its number"},
				{Field: "seeds", Usage: "try `N` orders of warps and of what completes, on all processors; the usual one first"},
				{Field: "exhaustive", Usage: "try all orders of synchronisation, up to `N` of them; 10000 without N"},
				{Field: "strict", Usage: "take all that the PTX ISA does not order for a finding, and writes of the same value"},
				{Field: "needless", Usage: "remove each barrier, wait, fence, commit and arrival: is it needed in --seeds orders (4 if missing)?"},
				{Field: "mutate", Usage: "the same, to score the checker: which removals does it find or explain?"},
				{Field: "steps", Usage: "stop after `N` instructions of warps; 2^30 if missing"},
				{Field: "continue", Usage: "report the first `N` findings; 20 if missing"},
				{Field: "ignore", Usage: "pass over findings of a `KIND[:LINE]`; more with commas, or given again"},
			},
			Width: 80,
			Long:  checkHelp(),
			Example: `  girih check .
  girih check kernels tile.cuh --format github --format sarif=girih.sarif
  girih check . --baseline girih-baseline.json --update
  girih sim saxpy.ptx --init -o run.json
  girih check saxpy.ptx --run run.json
  girih check saxpy.ptx --run run.json --seeds 8 --strict --json
  girih check saxpy.ptx --run run.json --exhaustive
  girih check --replay recording`,
		},
		do: method[SimRequest, SimResponse]{do: (*Session).Check, said: saySim}.caller(),
	}
}

// checkHelp is the prose of girih check --help.
func checkHelp() string {
	return checkPathsHelp + assertionHelp(AssertionRows()) + checkGivenHelp + checkRunHelp
}

// assertionHelp lists what can be asserted.
func assertionHelp(rows []AssertionRow) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(r.Name+" "+r.Use))
		b.WriteString(Wrap(r.Says, 80, "      ", "      "))
	}
	return b.String()
}

// The parts of the prose.
const checkPathsHelp = `Check files and folders: PTX as girih lint does; descriptions of runs (RUN.json) by
running them as girih sim does; the assertions in the comments of sources and in
girih.toml. Hidden folders, build products and files of more than 4 MiB are passed
over. Files that have not changed since the last check are not checked again.

The exit status is 0 if nothing is wrong, 1 if there is an error (with --strict also a
warning), 2 if a file could not be read. docs/check.md has the formats, girih.toml, the
baseline, and how to run it in GitHub Actions, Jenkins, GitLab and pre-commit.

An assertion is a comment on the line of a layout, or above it:

  __shared__ float tile[32][33];  // girih: conflict-free f32 ld by rows

`

const checkGivenHelp = `
TYPE, ACCESS, THREADS and TARGET are written as for girih bank. "with NAME=VALUE, ..." at the
end gives values to names, such as parameters of templates; "of LAYOUT" gives the layout.

`

const checkRunHelp = `With --run or --replay, one kernel in PTX runs on the CPU, as by girih sim, and the report
says what is wrong with it; the counts are left out. Accesses are ordered by the PTX
memory model alone (docs/memory-model.md): by barriers, by releases and acquires whose
scopes contain each other, by fences, by waits for copies. A finding has both lines, the
threads, the address, and the edge that is missing.

Findings have grades:

  race        nothing orders two accesses, one of them a write
  fault       anything else that girih sim finds: a deadlock, an access out of bounds, ...
  same value  a race in which a write stores the value that is there
  strict      the PTX ISA does not order the accesses, but GPUs do, and kernels rely on it
  branch      a branch depends on bytes to which nothing was written

A race, a fault or a wrong output sets the exit status to 1. With --strict all grades do;
each order is then run twice, and strict findings are found. Without --strict races of
the same value and branches are reported apart, and strict findings are not looked for.

--exhaustive is for small kernels: it tries all orders of atomic instructions, accesses
that are stronger than weak, barriers, mbarriers and completions of copies, one of each set
of orders that differ in steps without a conflict only. It reports outputs that depend on
the order, too, if RUN.json does not say what they have to be.

--needless removes each barrier, wait, fence, commit and arrival in turn, makes releases
and acquires relaxed, and names those that a run needs, with the finding. If no order
needs one, it is needless in these orders, and the report has the edges that order the
accesses instead. --mutate counts the removals that are found or explained by edges.

The run goes on after findings, up to --continue N of them. --seeds N stops at the first
order in which something is wrong. RUN.json is described by girih sim --schema and
docs/simulator.md; girih sim --init writes one.`

// Check runs a kernel for its findings.
func (s *Session) Check(q SimRequest) SimResponse {
	q.checks = true
	if q.Continue == 0 {
		q.Continue = DefaultFindings
	}
	if (q.Needless || q.Mutate) && q.Seeds == 0 {
		q.Seeds = needlessSeeds
	}
	r := s.Sim(q)
	r.Lines = nil
	return r
}
