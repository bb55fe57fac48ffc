// Package needless tells which synchronizing instructions a kernel needs. It removes them one at a time, and runs the
// changed kernel in the simulator (ptx/sim). The result shows whether a barrier, a wait or a fence is needed, and
// whether the simulator would notice if it were missing:
//
//	needed        without the instruction, a run has a finding, hangs, or leaves other bytes in memory
//	strict        a run only has a finding by rules of the PTX ISA that known GPUs do not need (sim.Launch.Strict)
//	needless      no run of N orders had a finding; other edges (listed) order each conflicting pair of accesses
//	undecided     no run of N orders had a finding, but for some pair no edges were found
//	not executed  this launch does not execute the instruction
//	not modelled  the simulator does not know what the instruction orders
//
// Needless is a statement about N orders of one launch: another launch, or an order that was not tried, may need the
// instruction. The edges come from the log of each run (package chain). chain.Log.Check checks them with an independent
// implementation of the rules.
//
// To read the source: change.go lists the changes, run.go runs them, find.go finds the chains of edges, and report.go
// contains the answer.
package needless
