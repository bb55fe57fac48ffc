// Package consistency states the memory consistency model of PTX (chapter 8 of the PTX ISA) as a table, and checks
// executions against it.
//
// [Rows] returns the model. A row defines a set of events, a relation between events, or an axiom. The notation
// resembles cat, the language of the herd tools:
//
//	[S]      the identity on the set S          r | s    union          r?     r or nothing
//	r ; s    r, then s                          r & s    intersection   r+     r once or more
//	r^-1     the inverse                        r \ s    difference     r*     r any number of times
//
// For example,
//
//	fr = rf^-1; co
//
// says that a read comes before the writes that follow, in coherence order, the write whose value the read returns.
// Sets are written with names, |, & and \. docs/memory-model.md shows the same rows that Check evaluates.
//
// An [Execution] has up to [MaxEvents] events, the relations that the program determines (program order, scopes,
// proxies), and the relations that a run determines: the write that each read returns (rf), the coherence order of
// writes (co), the order of fence.sc (sc), and which events synchronized at a barrier (bar). [Execution.Check] returns
// an axiom that the execution violates; [Violation.Cycle] returns the cycle of edges that the axiom forbids.
//
// Read the files in this order: rows.go, relation.go (bit matrices), notation.go (the parser), evaluate.go, path.go.
package consistency
