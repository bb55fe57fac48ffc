// Package needless removes the synchronizing instructions of a kernel, one after another, and runs the rest in the
// simulator (ptx/sim): is a barrier, a wait or a fence needed, and would the simulator notice if it were missing?
//
//	needed        without the instruction a run has a finding, hangs, or leaves other bytes in memory
//	strict        a run has a finding only by the rules of the PTX ISA that known GPUs do not need (sim.Launch.Strict)
//	needless      no order of N had one; each pair of conflicting accesses is ordered by other edges, which are listed
//	undecided     no order of N had one, but for some pair no edges were found: neither needed nor proven
//	not executed  by this launch
//	not modelled  the simulator does not know what the instruction orders
//
// Needless means needless in N orders of one launch: another launch, or an order that was not tried, may need the
// instruction. The edges come from the log of each run (package chain) and are checked by chain.Log.Check, whose rules
// are written a second time.
//
// To read the source: change.go lists the changes, run.go runs them, find.go finds the chains of edges, report.go has
// the answer.
package needless
