// Package consistency states the memory consistency model of PTX, chapter 8 of the PTX ISA, as a table, and checks
// executions against it.
//
// [Rows] is the model. A row defines a set of events, a relation between events or an axiom, in a notation after cat,
// the language of the herd tools:
//
//	[S]      the identity on the set S          r | s    union          r?     r or nothing
//	r ; s    r, then s                          r & s    intersection   r+     r once or more
//	r^-1     the inverse                        r \ s    difference     r*     r any number of times
//
// so that
//
//	fr = rf^-1; co
//
// says that a read comes before the writes that follow, in coherence order, the write that it returns. Sets are
// written with names, |, & and \. The same rows are the table of docs/memory-model.md, and the same texts are
// evaluated.
//
// An [Execution] has up to [MaxEvents] events, the relations that the program determines (program order, scopes,
// proxies), and the relations that a run decides: which write each read returns (rf), the coherence order of writes
// (co), the order of fence.sc (sc) and who met at a barrier (bar). [Execution.Check] returns the axioms that it
// violates; [Violation.Cycle] is the cycle of edges that the axiom forbids.
//
// To read: rows.go, then relation.go (bit matrices), notation.go (the parser), evaluate.go, path.go.
package consistency
