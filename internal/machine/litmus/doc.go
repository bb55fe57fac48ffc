// Package litmus decides litmus tests of PTX: small programs of a few threads, with a condition on their final
// states.
//
//	PTX MP
//	{ x=0; y=0; }
//	P0@cta 0,gpu 0        | P1@cta 0,gpu 0       ;
//	st.weak x, 1          | ld.acquire.gpu r0, y ;
//	st.release.gpu y, 1   | ld.weak r1, x        ;
//	~exists (P1:r0 == 1 /\ P1:r1 == 0)
//
// [Parse] reads tests in two formats, [Run] answers what a test asks, and [Terminates] whether its executions end.
//
// The search builds executions, and package consistency says which are allowed. Threads run as far as the values of
// their reads are known; then a read is decided to return one of the writes that are there, or none of them, which
// means that it returns a later one. So each way in which all reads return writes is met once, and no value is its
// own cause. All rules only forbid edges, so that a part of an execution that violates an axiom is left at once. At
// the end of all threads, the orders of fence.sc and of writes are tried. Writes are ordered as causality and moral
// strength ask for, and no further: more order would only forbid more.
//
// To read: test.go (what a test is), state.go (how threads run), search.go, leaf.go (the end of executions),
// graph.go (an execution as the model sees it), meeting.go (barriers), interleave.go (tests on one location),
// answer.go; herd.go, nvlitmus.go and instruction.go read tests.
package litmus
